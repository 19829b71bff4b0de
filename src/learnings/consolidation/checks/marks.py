"""Marks in entries that say that one supersedes another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Entry

# `~~Superseded …`, and the status of a decision record: `**Status**: Superseded by …`.
_SUPERSEDED = re.compile(r"~~Superseded|[ \t>*+_-]*(?i:status[*_]*:[*_ \t]*superseded)\b")
# `Supersedes: <entry>` at the start of a line, also in a list or quote and in bold or italics.
_SUPERSEDES = re.compile(r"[ \t>*+_-]*supersedes[*_]*[ \t]*:?[*_]*[ \t]*(.+)$", re.IGNORECASE)
# A day or month, which many entries may have; a time stamp or id is one entry's own.
_DATE = re.compile(r"\d{4}-\d{2}(?:-\d{2})?")
_SHORTEST_STAMP = len("2026-01")
_QUOTES = "\"'“”`.~*_ "


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
    names = _Names(entries)
    for entry in entries:
        marked = _marked_line(entry)
        if marked is None:
            yield from _of_others(entry, names)
        else:
            number, text = marked
            others = (other for other in names.in_text(text) if other is not entry)
            yield Mark(entry, next((o for o in others if not is_marked(o)), None), number)


def is_marked(entry: Entry) -> bool:
    """Return True if an entry says itself that it is superseded."""
    return _marked_line(entry) is not None


def _marked_line(entry: Entry) -> tuple[int, str] | None:
    lines = enumerate(entry.lines[1:], start=entry.first + 1)
    return next(((number, text) for number, text in lines if _SUPERSEDED.match(text)), None)


def _of_others(entry: Entry, names: _Names) -> Iterator[Mark]:
    for number, line in enumerate(entry.lines[1:], start=entry.first + 1):
        match = _SUPERSEDES.match(line)
        if match is not None:
            for older in names.in_text(match[1]):
                if older is not entry:
                    yield Mark(older, entry, number)


class _Names:
    """The names of the entries of a file: title, time stamp or id, in lower case."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._names = [
            (_folded(entry.title), _folded(entry.stamp or ""), entry) for entry in entries
        ]
        self._stamps = Counter(stamp for _, stamp, _ in self._names)

    def in_text(self, text: str) -> Iterator[Entry]:
        """Yield the entries that a text names, in file order.

        A title of one word or a date has to be all of the text, a date that of one entry alone.
        """
        folded = _folded(text)
        bare = folded.strip(_QUOTES)
        for title, stamp, entry in self._names if bare else ():
            is_own = len(stamp) >= _SHORTEST_STAMP and not _DATE.fullmatch(stamp)
            in_part = (" " in title and title in folded) or (is_own and stamp in folded)
            if in_part or bare == title or (bare == stamp and self._stamps[stamp] == 1):
                yield entry


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
