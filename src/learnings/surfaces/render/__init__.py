"""Values in, text out: one module for each format of each result."""
