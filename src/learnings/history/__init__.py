"""What git knows about the memory files; the only room that asks git."""
