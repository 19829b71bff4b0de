"""A repository on disk: its configuration, its memory files by role, and the clock."""
