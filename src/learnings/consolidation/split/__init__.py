"""A target file that is full, divided into several by topic; nothing is lost."""
