"""When is consolidation due: ages, conditions, triggers, forecast, replay."""
