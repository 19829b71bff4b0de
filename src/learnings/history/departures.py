"""What left a file: its consolidations, and the entries that left it one by one since the last."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.due.waiting import Departure
from learnings.core.entries.document import Entry
from learnings.core.markdown.chunks import Chunk
from learnings.core.text import BOM
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Key
from learnings.history.known import decoded_consolidation


class Departures(NamedTuple):
    """The entries that commits took out of a file, and the consolidations among these commits.

    Both are in git's default order, newest first. An entry counts from the date of the first
    version that has its heading as it was at last: reworded entries seem younger than they were.
    """

    entries: tuple[Departure, ...] = ()
    consolidations: tuple[Consolidation, ...] = ()


def departures(history: FileHistory, *, since_beginning: bool = False) -> Departures:
    """Return what left a file since its last consolidation, which is the only one then.

    since_beginning: over its whole history, with the entries that consolidations took out. Raises
    UntrustedHistory.
    """
    if history.location.head_blob is None:
        return Departures()
    key: Key = {
        **history.key,
        "head": history.repository.head,
        "min_removed": history.query.min_removed,
        "since_beginning": since_beginning,
    }
    stored = history.cache.load("departures", key, _decoded)
    if stored is not None:
        return stored
    walked = history.through_renames(lambda: _walk(history, since_beginning=since_beginning))
    history.cache.save("departures", key, walked)
    return walked


class _Leaving:
    """An entry that a commit removed, and the first date on which a version is known to have it."""

    def __init__(self, entry: Entry, removed: str) -> None:
        self.identity = entry.identity
        self.removed = removed
        self.added = removed
        self._heading = entry.lines[0].removeprefix(BOM).rstrip()

    def look_into(self, version_lines: Container[str], date: str) -> None:
        """Take a date into account if that version has the entry; lines are without their ends."""
        if date < self.added and self._heading in version_lines:
            self.added = date


def _walk(history: FileHistory, *, since_beginning: bool) -> Departures:
    """Follow the file back until it is known when each entry that left it had come."""
    from learnings.history.removals import (  # noqa: PLC0415  (where nothing is cached)
        Removal,
        is_consolidation,
        removed_by,
    )
    from learnings.history.versions import file_commits  # noqa: PLC0415  (as above)

    leaving: list[_Leaving] = []
    consolidations: list[Consolidation] = []
    graph, blobs = history.graph(), history.blobs
    for file_commit in file_commits(graph):
        if since_beginning or not consolidations:
            removal = Removal(file_commit, removed_by(file_commit, graph, blobs))
            date, count = file_commit.date, len(removal.entries)
            is_one = count and is_consolidation(
                removal, blobs, min_removed=history.query.min_removed
            )
            if is_one:
                consolidations.append(Consolidation(file_commit.commit, date, count))
            if since_beginning or not is_one:
                leaving += [_Leaving(entry, date) for entry in removal.entries]
        if consolidations and not (leaving or since_beginning):
            break
        if leaving and file_commit.blob is not None:
            chunks = blobs.sketch(file_commit.blob).chunks
            version_lines = frozenset().union(*map(_bare_lines, chunks))
            for entry in leaving:
                entry.look_into(version_lines, file_commit.date)
    return Departures(_dated(leaving), tuple(consolidations))


# Versions have most of their chunks in common.
@lru_cache(maxsize=1 << 14)
def _bare_lines(chunk: Chunk) -> frozenset[str]:
    """Return the lines of a chunk without their ends and the blanks before those."""
    return frozenset(map(str.rstrip, chunk.lines))


def _dated(leaving: Sequence[_Leaving]) -> tuple[Departure, ...]:
    return tuple(Departure(entry.identity, entry.added, entry.removed) for entry in leaving)


def _decoded(value: Any) -> Departures:  # noqa: ANN401  (any JSON)
    entries, consolidations = value
    return Departures(
        cached.list_of(_departure, entries), cached.list_of(decoded_consolidation, consolidations)
    )


def _departure(value: Any) -> Departure:  # noqa: ANN401  (any JSON)
    return Departure(*cached.row(value, cached.text, cached.text, cached.text))
