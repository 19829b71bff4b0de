"""YAML texts as trees whose nodes know where they stand, and edits that change nothing else."""
