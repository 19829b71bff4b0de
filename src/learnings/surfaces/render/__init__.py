"""Turn values into text: one module for each result, with all its formats."""
