"""Whether a change of the memory lost something."""
