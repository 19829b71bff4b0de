"""The exit codes, and which problem has which."""

from __future__ import annotations

from learnings.core.errors import LearningsError, MissingConfigured, MissingFile

CLEAN, FINDINGS, WRONG, DEFECT, INTERRUPTED = 0, 1, 2, 3, 130
"""Nothing found; findings or changes; usage, configuration or history; a defect; interrupted."""

MISSING_FILE_IS_ONE = ("ages",)
"""Commands that exit with 1 for a missing or unreadable file, as their contract says."""


def code_of(error: LearningsError, command: str | None) -> int:
    """Return the exit code that a problem has in a command."""
    is_named = isinstance(error, MissingFile) and not isinstance(error, MissingConfigured)
    return FINDINGS if is_named and command in MISSING_FILE_IS_ONE else WRONG
