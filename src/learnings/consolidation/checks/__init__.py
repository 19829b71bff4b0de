"""What to settle before a consolidation: supersession, contradiction, redundancy."""
