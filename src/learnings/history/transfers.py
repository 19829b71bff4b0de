"""Which target files grew, and what they were given when entries left a learnings file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from learnings.core.entries.transfers import Deliveries, Delivery, Growth
from learnings.core.text import decode, split_lines
from learnings.history.blobs import Blobs
from learnings.history.facts import locate, open_for
from learnings.history.git.commands import growth
from learnings.history.git.repository import Repository
from learnings.history.query import Question
from learnings.history.removals import Removal, removals
from learnings.history.versions import Touch

MOST_COMMITS = 400
"""Commits of the target files that are looked at, the newest ones."""

MOST_DELIVERIES = 24
"""Consolidations that are looked at, the newest ones."""

_HEADER = b"\x01"


def deliveries(question: Question, targets: Sequence[Path]) -> Deliveries:
    """Return what the target files were given so far; their paths are as from the top.

    Targets that lie in another repository have no history here. Raises what gather() raises.
    """
    repository = open_for(question)
    paths = list(_inside(repository, targets))
    if not paths:
        return Deliveries()
    grown = tuple(_growth(repository, paths))
    with Blobs(repository, question.reading) as blobs:
        place = locate(question, repository, blobs)
        with closing(removals(repository, place.path, blobs)) as found:
            newest = tuple(
                _delivery(removal, paths, blobs) for removal in islice(found, MOST_DELIVERIES)
            )
    return Deliveries(newest, grown)


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


def _delivery(removal: Removal, paths: Sequence[str], blobs: Blobs) -> Delivery:
    touch = removal.touch
    added = {path: _added(touch, path, blobs) for path in paths}
    return Delivery(
        touch.commit,
        touch.date,
        removal.entries,
        {path: lines for path, lines in added.items() if lines},
    )


def _added(touch: Touch, path: str, blobs: Blobs) -> tuple[str, ...]:
    """Return the lines that a file has after a commit and had in none of the parents."""
    after = blobs.find(touch.commit, path)
    before = [blobs.find(parent, path) for parent in touch.parents]
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
