"""The days on which commits changed certain files."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from learnings.history.git import commands
from learnings.history.git.repository import Repository

# Paths on one command line; with more, git lists every file, and this module filters them.
_MOST_NAMED = 500


def change_days(repository: Repository, paths: Collection[str]) -> Mapping[str, frozenset[str]]:
    """Return the author dates (ISO) on which commits changed files, or the files of folders.

    Paths are POSIX, from the top folder; unchanged paths are left out. Merges do not count, since
    their changes were made before. Raises UntrustedHistory.
    """
    named = sorted(paths) if len(paths) <= _MOST_NAMED else []
    if not paths:
        return {}
    printed = repository.run(*commands.changed_on(repository.head, named))
    days: dict[str, set[str]] = {}
    day = ""
    for token in os.fsdecode(printed).split("\0"):
        path = token.lstrip("\n")
        if path[:1] == "\1":
            day, path = path[1:], ""
        while path:
            if path in paths:
                days.setdefault(path, set()).add(day)
            path = path.rpartition("/")[0]
    return {path: frozenset(found) for path, found in days.items()}
