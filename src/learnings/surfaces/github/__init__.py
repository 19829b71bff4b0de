"""GitHub Actions: the run, its log and files, and notifying from it."""
