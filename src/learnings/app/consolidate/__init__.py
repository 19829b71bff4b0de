"""The inputs and proposals of a consolidation, and the changes that carry it out."""
