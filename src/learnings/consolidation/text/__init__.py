"""Words, sections and how alike two texts are."""
