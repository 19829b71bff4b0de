"""Entries that overlap: keywords, groups, pre-checks, routes. Values in, values out."""
