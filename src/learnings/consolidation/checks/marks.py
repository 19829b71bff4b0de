"""Marks in entries that say that one supersedes another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Entry

_SUPERSEDED = "~~Superseded"
# `Supersedes: <entry>` at the start of a line, also in a list or quote and in bold or italics.
_SUPERSEDES = re.compile(r"^[ \t>*+-]*[*_]*supersedes[*_]*[ \t]*:?[*_]*[ \t]*(.+)$", re.IGNORECASE)
_SHORTEST_STAMP = len("2026-01")


class Mark(NamedTuple):
    """A superseded entry, the one that supersedes it if that is named, and the line of the mark."""

    older: Entry
    newer: Entry | None
    line: int

    @property
    def is_own(self) -> bool:
        """True if the mark is in the older entry itself."""
        return self.older.first <= self.line <= self.older.last


def marks(entries: Sequence[Entry]) -> Iterator[Mark]:
    """Yield the marks of a file: `~~Superseded …` in the older entry, `Supersedes: …` in a newer.

    The other entry is named by its title, time stamp or id. An entry that is marked as superseded
    supersedes none.
    """
    for entry in entries:
        yield from _own(entry, entries) if entry.superseded else _of_others(entry, entries)


def _own(entry: Entry, entries: Sequence[Entry]) -> Iterator[Mark]:
    lines = enumerate(entry.lines[1:], start=entry.first + 1)
    number, text = next(line for line in lines if line[1].startswith(_SUPERSEDED))
    newer = (
        candidate
        for candidate in entries
        if candidate is not entry and not candidate.superseded and _names(text, candidate)
    )
    yield Mark(entry, next(newer, None), number)


def _of_others(entry: Entry, entries: Sequence[Entry]) -> Iterator[Mark]:
    for number, line in enumerate(entry.lines[1:], start=entry.first + 1):
        match = _SUPERSEDES.match(line)
        if match is not None:
            older = (old for old in entries if old is not entry and _names(match[1], old))
            yield from (Mark(old, entry, number) for old in older)


def _names(text: str, entry: Entry) -> bool:
    """Return True if a text names an entry; a title of one word has to be all of the text."""
    folded = " ".join(text.casefold().split())
    title = " ".join(entry.title.casefold().split())
    stamp = (entry.stamp or "").casefold()
    if len(stamp) >= _SHORTEST_STAMP and stamp in folded:
        return True
    return title in folded if " " in title else bool(title) and title == folded.strip("\"'“”`.~*_ ")
