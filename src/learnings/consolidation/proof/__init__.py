"""The proof that a change of the memory lost nothing."""
