"""Git's knowledge of the memory files, as values of core."""
