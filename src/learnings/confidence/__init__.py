"""Observations of stories, distilled to entries with a confidence score."""
