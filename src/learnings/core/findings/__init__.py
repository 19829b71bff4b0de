"""What the rules find, how it is fixed, and what a baseline or a comment ignores."""
