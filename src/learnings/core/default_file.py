"""The learnings file that a command means where none is named, configured or found."""

from __future__ import annotations

DEFAULT_FILE = "agents/learnings.md"
