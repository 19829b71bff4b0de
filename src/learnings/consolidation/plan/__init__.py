"""A consolidation plan: decisions about entries, as a value and as a file, and its outcome."""
