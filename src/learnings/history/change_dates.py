"""The dates of changes of files, and the lines that target files received."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from math import inf
from pathlib import Path

from learnings.core.due.ages import LATEST
from learnings.core.due.history_facts import Transfer, Transfers
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, split_lines
from learnings.history.activity import usable_day
from learnings.history.blobs import BlobReader
from learnings.history.file_history import FileHistory
from learnings.history.git import commands
from learnings.history.git.cached import Cache
from learnings.history.git.commands import dated_paths
from learnings.history.git.repository import Repository, output_of
from learnings.history.removals import FileChange, all_changes

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
    printed = repository.run(*commands.last_changes(repository.head, named, "--date=short"))
    days: dict[str, set[str]] = {}
    for changed, day in dated_paths(printed):
        path = changed
        while path:
            if path in paths:
                days.setdefault(path, set()).add(day)
            path = path.rpartition("/")[0]
    return {path: frozenset(found) for path, found in days.items()}


_UNCOMMITTED = "0" * 40
# The fields of a line of `git blame --line-porcelain` come before its text, which a tab begins.
_COMMITTER_TIME = lazy_pattern(
    r"^([0-9a-f]{40,64}) \d+ (\d+).*\n(?:[^\t].*\n)*?committer-time (\d+)$", re.MULTILINE
)
_AUTHOR_TIME = lazy_pattern(r"^author-time (\d+)\nauthor-tz (\S+)$", re.MULTILINE)


def _blamed(repository: Repository, path: str, *options: str) -> str:
    """Return the porcelain of git blame; empty if git cannot tell."""
    return output_of(repository.top, "blame", "--line-porcelain", "-w", *options, "--", path)


def written_at(
    repository: Repository, cache: Cache, path: str, lines: Sequence[int], *, version: str
) -> dict[int, float]:
    """Return the writing times of lines of a file on disk by number, in seconds since 1970.

    This is the committer time, infinite for an uncommitted line. version distinguishes contents of
    the file. Empty if git cannot tell: the file is not committed, or blobs are missing.
    """
    key = {"head": repository.head, "path": path, "version": version, "lines": list(lines)}
    stored = cache.load("lines", key, dict)
    if stored is not None:
        return stored
    # Lines moved within the file, or from another file changed in the same commit, keep their date
    # from ten letters on, since most such lines are single.
    printed = _blamed(repository, path, "-M10", "-C10", *(f"-L{n},{n}" for n in lines))
    if not printed:
        return {}
    rows = _COMMITTER_TIME.findall(printed)
    times = {int(n): int(time) if commit.strip("0") else inf for commit, n, time in rows}
    if _UNCOMMITTED not in printed:
        cache.save("lines", key, [list(item) for item in times.items()])
    return times


def changed_on(repository: Repository, path: str, first: int, last: int) -> str | None:
    """Return the newest author date (ISO) of some lines of a file on disk, 1-based.

    A line that moved here from another file is as old as its move. LATEST for an uncommitted line,
    None if git cannot tell.
    """
    printed = _blamed(repository, path, "-M", f"-L{first},{last}")
    if _UNCOMMITTED in printed:
        return LATEST
    times = _AUTHOR_TIME.findall(printed)
    return max((usable_day(f"{time} {zone}") for time, zone in times), default=None)


MAX_COMMITS = 400
"""Maximum commits of the target files to read, newest first.

A file that none of them changed is not a recent one. Chosen without a measurement.
"""

MAX_TRANSFERS = 24
"""Maximum consolidations to read, newest first; chosen: the measured histories had five."""


def transfers(history: FileHistory, targets: Sequence[Path]) -> Transfers:
    """Return the transfers to target files of this repository; raises UntrustedHistory."""
    repository, blobs = history.repository, history.blobs
    top = Path(os.path.realpath(repository.top))
    real_paths = [Path(os.path.realpath(target)) for target in targets]
    paths = [path.relative_to(top).as_posix() for path in real_paths if path.is_relative_to(top)]
    if not paths:
        return Transfers()

    received = []
    removals = (change for change in all_changes(history) if change.removed)
    for change in islice(removals, MAX_TRANSFERS):
        if change.date != LATEST:
            added = dict(_added(change, paths, history))
            received.append(Transfer(change.commit, change.date, change.entries(blobs), added))
    options = "--date=raw", f"--max-count={MAX_COMMITS}"
    printed = repository.run(*commands.last_changes(repository.head, paths, *options))
    days: dict[str, str] = {}
    for path, time in dated_paths(printed):
        if usable_day(time) != LATEST:
            days.setdefault(path, usable_day(time))
    return Transfers(tuple(received), days)


def _added(
    change: FileChange, paths: Sequence[str], history: FileHistory
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the files to which a commit added lines that no parent has, with the lines."""
    diffs = history.blobs.diffs([change.commit])[change.commit]
    for path in paths:
        versions = [files[path] for files in diffs.values() if path in files]
        if len(versions) < len(diffs):
            continue  # as in a parent
        old: Counter[str] = Counter()
        for before, _ in versions:
            old |= Counter(_lines(before, history.blobs))
        new: list[str] = []
        for line in _lines(versions[0][1], history.blobs):
            if old[line]:
                old[line] -= 1
            else:
                new.append(line)
        if new:
            yield path, tuple(new)


def _lines(blob: str | None, blobs: BlobReader) -> list[str]:
    return split_lines(decode(blobs.version(blob))) if blob else []
