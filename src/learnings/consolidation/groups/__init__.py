"""Entries of one file that overlap."""
