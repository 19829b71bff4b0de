"""When the files below a folder were changed last, by the commits that git has."""

from __future__ import annotations

import os
from pathlib import Path

from learnings.core.errors import UntrustedHistory
from learnings.history.git import process
from learnings.history.git.commands import last_changes_below
from learnings.history.git.process import GitFailed

_HEADER = b"\x01"  # what the command makes git print before each commit


def last_changes(folder: Path, paths: list[str]) -> dict[str, str]:
    """Return the author date of the last commit that changed each file below some folders.

    Paths are POSIX, from `folder`; dates are ISO text with their zone. Empty where git cannot say:
    no repository, no commit, no git.
    """
    dates: dict[str, str] = {}
    try:
        printed = process.run(last_changes_below(paths), folder)
    except (GitFailed, UntrustedHistory):
        return dates
    date = ""
    for token in printed.split(b"\0"):
        field = token.lstrip(b"\n")
        if field.startswith(_HEADER):
            date = field[1:].decode("ascii", "replace").strip()
        elif field:
            dates.setdefault(os.fsdecode(field), date)
    return dates
