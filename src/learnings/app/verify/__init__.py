"""Two versions of the memory compared, to prove that nothing was lost."""
