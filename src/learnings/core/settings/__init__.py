"""What can be configured: the values, the keys and their types, and the reading of a table."""
