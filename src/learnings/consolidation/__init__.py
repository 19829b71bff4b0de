"""Proposals for a consolidation: groups, pre-checks, routes. Values in, values out."""
