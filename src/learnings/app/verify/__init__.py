"""Compare two versions of the memory to prove that nothing was lost."""
