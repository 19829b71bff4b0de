"""What can be configured: the keys, their types, and the reading of a table of them."""
