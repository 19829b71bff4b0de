"""A confidence memory on disk: its files, its findings and what a run changes in it."""
