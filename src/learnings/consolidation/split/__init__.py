"""Divides a full target file into several by topic, without losing anything."""
