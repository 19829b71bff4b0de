"""The days on which commits changed files, and the times at which lines were first written."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from math import inf

from learnings.history.git import cached, commands
from learnings.history.git.cached import Cache
from learnings.history.git.process import GitFailed, run
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
    options = ("--name-only", "-z", "--no-renames", "--format=%x01%as")
    printed = repository.run("log", *options, repository.head, "--", *named)
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


_UNCOMMITTED = "0" * 40
_LINE_AND_TIME = cached.row(cached.whole_number, cached.whole_number)


def written_at(
    repository: Repository, cache: Cache, path: str, lines: Sequence[int], *, version: str
) -> dict[int, float]:
    """Return the writing times of lines of a file on disk by number, in seconds since 1970.

    This is the committer time, infinite for an uncommitted line. version distinguishes contents of
    the file. Empty if git cannot tell: the file is not committed, or blobs are missing.
    """
    key = {"head": repository.head, "path": path, "version": version, "lines": list(lines)}
    stored = cache.load("lines", key, cached.list_of(_LINE_AND_TIME))
    if stored is not None:
        return dict(stored)
    try:
        printed = run(commands.blame(path, lines), repository.top).decode("utf-8", "replace")
    except GitFailed:
        return {}
    times = _read(printed)
    if _UNCOMMITTED not in printed:
        cache.save("lines", key, [list(item) for item in times.items()])
    return times


def _read(printed: str) -> dict[int, float]:
    """Read `git blame --line-porcelain`: a header with the number, fields, then the line itself."""
    dates: dict[int, float] = {}
    commit, number = "", 0
    for line in printed.split("\n"):
        words = line.split(" ")
        if line.startswith("\t"):
            commit = ""
        elif not commit and len(words) > 2:
            commit, number = words[0], int(words[2])
        elif words[0] == "committer-time":
            is_new = set(commit) == {"0"}
            dates[number] = inf if is_new else int(words[1])
    return dates
