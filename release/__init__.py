"""Scripts for maintainers: the revision that all files name, and the release that changes it."""
