"""The forms of memory that a repository can have, on disk."""
