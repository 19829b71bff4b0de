"""The memory index: its forms, its rows, the matching of rows with headings, and its fix."""
