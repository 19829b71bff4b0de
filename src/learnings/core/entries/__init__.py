"""A memory file as entries: the lossless document, its dialect, changes between versions."""
