"""The branch that is checked out."""

from __future__ import annotations

import os
from pathlib import Path

from learnings.history.git import process
from learnings.history.git.process import GitFailed


def current_branch(folder: Path) -> str:
    """Return the branch checked out around a folder; empty for a detached HEAD or no repository."""
    try:
        printed = process.run(["symbolic-ref", "--short", "--quiet", "HEAD"], folder)
    except GitFailed:
        return ""
    return os.fsdecode(printed).removesuffix("\n")
