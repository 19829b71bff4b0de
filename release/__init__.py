"""Scripts for maintainers: set the revision that all files name, and release a version."""
