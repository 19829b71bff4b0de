"""Observations of stories, distilled to principles that are scored."""
