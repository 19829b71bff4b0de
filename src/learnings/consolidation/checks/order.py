"""Which of two entries is the newer one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.entries.rewriting import is_newest_first

BY_STATED, BY_GIT, BY_POSITION = "stated dates", "git dates", "place in the file"


class Order:
    """The order of the entries of one file in time.

    dates are those of git by identity, ISO text, None where an entry has none. The direction of the
    file is that of most pairs of neighbouring stated dates, newest last in doubt.
    """

    def __init__(self, entries: Sequence[Entry], dates: Mapping[str, str | None]) -> None:
        self._dates = dates
        self.newest_first = is_newest_first(entry.stated for entry in entries)

    def newer(self, one: Entry, other: Entry) -> Newer:
        """Return the two entries in order of time, and what the order is based on."""
        stated = _compare(one.stated, other.stated)
        dates = _compare(self._dates.get(one.identity), self._dates.get(other.identity))
        basis = BY_STATED if stated else BY_GIT if dates else BY_POSITION
        later = stated or dates or (-1 if (one.first > other.first) == self.newest_first else 1)
        return Newer(one, other, basis) if later > 0 else Newer(other, one, basis)


class Newer(NamedTuple):
    """Two entries in the order of time, and what the order is based on."""

    newer: Entry
    older: Entry
    basis: str


def _compare(one: str | None, other: str | None) -> int:
    """Return 1, 0 or -1; dates of different precision compare as far as both go."""
    if not one or not other:
        return 0
    length = min(len(one), len(other))
    return (one[:length] > other[:length]) - (one[:length] < other[:length])
