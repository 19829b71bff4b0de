"""Which target files grew, and what they were given when entries left a learnings file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from learnings.core.entries.transfers import Growth, Transfer, Transfers
from learnings.core.text import decode, split_lines
from learnings.history.blobs import Blobs
from learnings.history.facts import locate, open_for
from learnings.history.git.commands import growth
from learnings.history.git.repository import Repository
from learnings.history.query import HistoryQuery
from learnings.history.removals import Removal, removals
from learnings.history.versions import FileCommit

MOST_COMMITS = 400
"""Commits of the target files that are looked at, the newest ones."""

MOST_DELIVERIES = 24
"""Consolidations that are looked at, the newest ones."""

_HEADER = b"\x01"


def transfers(query: HistoryQuery, targets: Sequence[Path]) -> Transfers:
    """Return what the target files were given so far; their paths are as from the top.

    Targets that lie in another repository have no history here. Raises what gather() raises.
    """
    repository = open_for(query)
    paths = list(_inside(repository, targets))
    if not paths:
        return Transfers()
    grown = tuple(_growth(repository, paths))
    with Blobs(repository, query.reading) as blobs:
        place = locate(query, repository, blobs)
        with closing(removals(repository, place.path, blobs)) as found:
            newest = tuple(
                _delivery(removal, paths, blobs) for removal in islice(found, MOST_DELIVERIES)
            )
    return Transfers(newest, grown)


def _inside(repository: Repository, targets: Sequence[Path]) -> Iterator[str]:
    top = Path(os.path.realpath(repository.top))
    for target in targets:
        real = Path(os.path.realpath(target))
        if real.is_relative_to(top):
            yield real.relative_to(top).as_posix()


def _growth(repository: Repository, paths: Sequence[str]) -> Iterator[Growth]:
    date = ""
    printed = repository.run(*growth(repository.head, paths, most=MOST_COMMITS))
    for token in printed.split(b"\0"):
        field = token.lstrip(b"\n")
        if field.startswith(_HEADER):
            date = field[1:].decode("ascii", "replace")
            continue
        added, _, path = field.split(b"\t", 2) if field.count(b"\t") > 1 else (b"", b"", b"")
        if added.isdigit() and int(added):
            yield Growth(date, os.fsdecode(path), int(added))


def _delivery(removal: Removal, paths: Sequence[str], blobs: Blobs) -> Transfer:
    file_commit = removal.file_commit
    added = {path: _added(file_commit, path, blobs) for path in paths}
    return Transfer(
        file_commit.commit,
        file_commit.date,
        removal.entries,
        {path: lines for path, lines in added.items() if lines},
    )


def _added(file_commit: FileCommit, path: str, blobs: Blobs) -> tuple[str, ...]:
    """Return the lines that a file has after a commit and had in none of the parents."""
    after = blobs.find(file_commit.commit, path)
    before = [blobs.find(parent, path) for parent in file_commit.parents]
    if after is None or after in before:
        return ()
    old: Counter[str] = Counter()
    for blob in before:
        old |= Counter(_lines(blob, blobs))
    new: list[str] = []
    for line in _lines(after, blobs):
        if old[line]:
            old[line] -= 1
        else:
            new.append(line)
    return tuple(new)


def _lines(blob: str | None, blobs: Blobs) -> list[str]:
    return [] if blob is None else split_lines(decode(blobs.data(blob)))
