"""A memory file as entries: the lossless document, its dialect, and what changed between two versions."""
