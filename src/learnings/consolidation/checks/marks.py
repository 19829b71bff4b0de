"""Marks in entries that say that one supersedes another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern

# `~~Superseded …`, and the status of a decision record: `**Status**: Superseded by …`.
_SUPERSEDED = lazy_pattern(r"~~Superseded|[ \t>*+_-]*(?i:status[*_]*:[*_ \t]*superseded)\b")
# `Supersedes: <entry>` at the start of a line, also in a list or quote and in bold or italics.
_SUPERSEDES = lazy_pattern(r"[ \t>*+_-]*supersedes[*_]*[ \t]*:?[*_]*[ \t]*(.+)$", re.IGNORECASE)
# A day or month, which many entries may have; a time stamp or id is one entry's own.
_DATE = lazy_pattern(r"\d{4}-\d{2}(?:-\d{2})?")
_SHORTEST_STAMP = len("2026-01")
_QUOTES = "\"'“”`.~*_ "


class Mark(NamedTuple):
    """A superseded entry, the one that supersedes it if that is named, and the line of the mark.

    is_own is True where the mark is in the older entry itself.
    """

    older: Entry
    newer: Entry | None
    line: int
    is_own: bool


def marks(entries: Sequence[Entry]) -> Iterator[Mark]:
    """Yield the marks of a file: `~~Superseded …` in the older entry, `Supersedes: …` in a newer.

    The other entry is named by its title, time stamp or id. An entry that is marked as superseded
    supersedes none.
    """
    names = _Names(entries)
    for entry in entries:
        for number, match in islice(_matches(entry, _SUPERSEDED), 1):
            others = (o for o in names.in_text(match.string) if o is not entry)
            newer = next((other for other in others if not is_marked(other)), None)
            yield Mark(entry, newer, number, is_own=True)
        if not is_marked(entry):
            for number, match in _matches(entry, _SUPERSEDES):
                others = (o for o in names.in_text(match[1]) if o is not entry)
                yield from (Mark(older, entry, number, is_own=False) for older in others)


def is_marked(entry: Entry) -> bool:
    """Return True if an entry says itself that it is superseded."""
    return any(_matches(entry, _SUPERSEDED))


def _matches(entry: Entry, pattern: re.Pattern[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for number, line in enumerate(entry.lines[1:], start=entry.first + 1):
        match = pattern.match(line)
        if match:
            yield number, match


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
