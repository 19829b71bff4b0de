"""The target file, and the section in it, that should receive an entry."""
