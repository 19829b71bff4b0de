"""The settings: their values, keys and types, and the reader of a table of them."""
