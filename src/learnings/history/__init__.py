"""What git knows about the memory files, as values of core."""
