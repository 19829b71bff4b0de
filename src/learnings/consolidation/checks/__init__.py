"""Findings to settle before a consolidation: covered, superseded and redundant entries."""
