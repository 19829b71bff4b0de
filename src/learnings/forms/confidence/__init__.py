"""A confidence memory on disk: its files, its findings, and the changes of a run."""
