"""When a consolidation is due: ages, conditions, verdict, forecast, replay."""
