"""Versions of the memory in a repository, compared to prove that nothing was lost."""
