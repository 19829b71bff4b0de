"""A repository on disk: its settings and the files that have a role."""
