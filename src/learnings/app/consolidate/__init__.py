"""The inputs of a consolidation, its proposals, and the changes that carry it out."""
