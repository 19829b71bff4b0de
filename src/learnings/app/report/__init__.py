"""How the memory of a repository is, and was: what the report page shows."""
