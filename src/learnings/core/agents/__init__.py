"""Skill and agent files as values."""
