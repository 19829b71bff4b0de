"""Observations of stories, distilled to principles with a confidence."""
