"""What stands between two parts of the merged file: blank lines, or a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from learnings.consolidation.merge.matching import Aligned
from learnings.consolidation.merge.parts import Part, Version
from learnings.core.entries.layout import ENTRY

TOP, BOTTOM = -1, -2
"""The numbers of the preamble and of the tail; those of other parts are not negative."""

Lines = tuple[str, ...]
_Pairs = Mapping[tuple[int, int], Lines]


class Gaps:
    """The gaps of three versions: versions and aligned hold the base, ours and theirs.

    newline is the terminator of a line that none of them has.
    """

    def __init__(self, versions: Sequence[Version], aligned: Aligned, newline: str) -> None:
        rows = [list(_numbered(*both)) for both in zip(versions, aligned, strict=True)]
        self._base, self._ours, self._theirs = (_pairs(row) for row in rows)
        self._kinds = {number: part.kind for row in rows for number, part in row}
        self._newline = newline
        self._between_entries = self._usual(versions)

    def between(self, upper: int, lower: int) -> Lines:
        """Return the lines between two parts, given by number, with their terminators."""
        pair = upper, lower
        base, ours, theirs = (v.get(pair) for v in (self._base, self._ours, self._theirs))
        if theirs is not None and (ours is None or ours == base):
            return theirs
        if ours is not None:
            return ours
        if self._kinds[upper] == self._kinds[lower] == ENTRY:
            return self._between_entries
        is_entry = self._kinds[upper] == ENTRY
        return self._beside(lower, 1) if is_entry else self._beside(upper, 0)

    def _beside(self, number: int, end: int) -> Lines:
        """Return the gap that a version has above a part (end 1) or below it (end 0)."""
        for pairs in (self._ours, self._theirs, self._base):
            for pair, lines in pairs.items():
                if pair[end] == number:
                    return lines
        return (self._newline,)

    def _usual(self, versions: Sequence[Version]) -> Lines:
        """Return the most frequent gap between two entries, ours before theirs."""
        for pairs in (self._ours, self._theirs, self._base):
            gaps = Counter(
                lines
                for (upper, lower), lines in pairs.items()
                if self._kinds[upper] == self._kinds[lower] == ENTRY
            )
            if gaps:
                return gaps.most_common(1)[0][0]
        entries = (part.entry for version in versions for part in version.parts)
        return (self._newline,) if any(entry and entry.level for entry in entries) else ()


def _numbered(version: Version, numbers: Mapping[int, Part]) -> Iterator[tuple[int, Part]]:
    yield TOP, version.preamble
    yield from numbers.items()
    if version.tail.lines:
        yield BOTTOM, version.tail


def _pairs(row: Sequence[tuple[int, Part]]) -> _Pairs:
    return {(upper, lower): part.ending for (upper, part), (lower, _) in pairwise(row)}
