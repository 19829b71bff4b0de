"""Words, sections, and the similarity of two texts."""
