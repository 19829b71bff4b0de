"""Findings to settle before a consolidation: superseded, contradicted, redundant entries."""
