"""Keeps the memory files of coding agents small, true and complete."""

from __future__ import annotations

__version__ = "0.1.0"
REPOSITORY = "https://github.com/agent-learnings/learnings"
