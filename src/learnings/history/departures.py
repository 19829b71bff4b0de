"""The entries that left a file one by one since its last consolidation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

from learnings.core.due.waiting import Departure
from learnings.core.entries.document import Entry
from learnings.core.text import encode
from learnings.history.blobs import BlobReader
from learnings.history.facts import cache_of, locate_file, open_repository_of
from learnings.history.git.cache import Key
from learnings.history.query import FileLocation, HistoryQuery
from learnings.history.removals import Removal, is_consolidation, removed_by
from learnings.history.versions import file_commits


def departures(query: HistoryQuery, *, all_of_them: bool = False) -> tuple[Departure, ...]:
    """Return the entries that commits took out of a file since its last consolidation.

    all_of_them: since the beginning, those of consolidations too. An entry counts from the date of
    the first version that has its heading as it was at last: reworded entries seem younger than
    they were. Raises what facts.read_history() raises.
    """
    repository = open_repository_of(query)
    with BlobReader(repository, query.read_options) as blobs:
        location = locate_file(query, repository, blobs)
        if location.head_blob is None:
            return ()
        cache = cache_of(repository)
        key: Key = {
            "path": location.path,
            "head": repository.head,
            "reading": list(query.read_options),
            "min_removed": None if all_of_them else query.min_removed,
        }
        stored = cache.load("departures", key, _decoded)
        if stored is not None:
            return stored
        departed = tuple(_walk(query, location, blobs, all_of_them=all_of_them))
        cache.save("departures", key, departed)
        return departed


class _Leaving:
    """An entry that a commit removed, and the first date on which a version is known to have it."""

    def __init__(self, entry: Entry, removed: str) -> None:
        self.identity = entry.identity
        self.removed = removed
        self.added = removed
        self._heading = encode(entry.lines[0].rstrip())

    def look_into(self, version: bytes, date: str) -> None:
        """Take a date into account if that version has the entry."""
        if date < self.added and self._heading in version:
            self.added = date


def _walk(
    query: HistoryQuery, location: FileLocation, blobs: BlobReader, *, all_of_them: bool
) -> Iterator[Departure]:
    """Yield the departures, once it is known when each entry came."""
    leaving: list[_Leaving] = []
    is_over = False
    with closing(file_commits(location.repository, location.path, blobs)) as walk:
        for file_commit in walk:
            if not is_over:
                removal = Removal(file_commit, removed_by(file_commit, blobs))
                is_over = not all_of_them and _ends(query, removal, blobs)
                if not is_over:
                    leaving += [_Leaving(entry, file_commit.date) for entry in removal.entries]
            if is_over and not leaving:
                return
            if leaving and file_commit.blob is not None:
                version = blobs.data(file_commit.blob)
                for entry in leaving:
                    entry.look_into(version, file_commit.date)
    for entry in leaving:
        yield Departure(entry.identity, entry.added, entry.removed)


def _ends(query: HistoryQuery, removal: Removal, blobs: BlobReader) -> bool:
    """Return True for the last consolidation."""
    return bool(removal.entries) and is_consolidation(removal, blobs, min_removed=query.min_removed)


def _decoded(value: Any) -> tuple[Departure, ...]:  # noqa: ANN401  (any JSON)
    return tuple(Departure(*departure) for departure in value)
