"""Which target file, and which section of it, an entry belongs to."""
