"""References of memory files to their repository, and which of them are dead."""
