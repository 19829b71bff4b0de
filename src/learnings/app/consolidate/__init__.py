"""What a consolidation works with, and what is suggested for it."""
