"""Values in, text out: one module for each result, with all its formats."""
