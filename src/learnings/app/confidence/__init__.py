"""A confidence memory on disk: its files, what a run makes of them, and what is wrong in them."""
