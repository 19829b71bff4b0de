"""What memory files refer to in their repository, and which of it is gone."""
