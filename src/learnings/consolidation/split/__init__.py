"""A full target file, divided into several by topic without losing anything."""
