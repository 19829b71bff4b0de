"""Values and functions of values: no files, git, clock, network or printing."""
