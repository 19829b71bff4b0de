"""Combine files, settings and history into one result value. Nothing here prints."""
