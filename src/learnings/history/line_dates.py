"""The times at which the lines of a file were first written, including moved lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from learnings.history.git import cached, commands
from learnings.history.git.cached import Cache
from learnings.history.git.process import GitFailed, run
from learnings.history.git.repository import Repository

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
