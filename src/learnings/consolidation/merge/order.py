"""The order of the merged parts, and the blank lines or rules between two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import TypeVar

from learnings.consolidation.merge.parts import Aligned, PartedVersion
from learnings.core.entries.layout import ENTRY

T = TypeVar("T", bound=Hashable)


def merged_order(
    base: Collection[T],
    ours: Sequence[T],
    theirs: Sequence[T],
    kept: Collection[T],
    *,
    day_of: Callable[[T], str | None],
    is_newest_first: bool,
    appends: bool = True,
) -> list[T]:
    """Return the kept parts, in order.

    Parts that all three versions have come in the order of our side, or of the other side if only
    that side moved something. A new part stands below the part it was written below: ours first,
    unless is_newest_first and the ISO day of their part is later. appends: text written at the end
    of a side comes to the end, wherever the part above it has moved.
    """

    def is_above(one: T, other: T) -> bool:
        day, other_day = day_of(one), day_of(other)
        return is_newest_first and day is not None and other_day is not None and day > other_day

    common = set(base) & set(ours) & set(theirs) & set(kept)
    in_base, in_ours, in_theirs = (
        [key for key in version if key in common] for version in (base, ours, theirs)
    )
    main = in_theirs if in_ours == in_base else in_ours
    last = main[-1] if main and appends else None
    our_runs = _runs(ours, common, kept, last=last)
    in_both = {key for run in our_runs.values() for key in run}
    their_runs = _runs(theirs, common, [key for key in kept if key not in in_both], last=last)
    order: list[T] = []
    for anchor in (None, *main):
        order += [] if anchor is None else [anchor]
        order += _joined_runs(our_runs.get(anchor, []), their_runs.get(anchor, []), is_above)
    return order


def _runs(
    side: Sequence[T], common: set[T], kept: Collection[T], *, last: T | None
) -> dict[T | None, list[T]]:
    """Return the other kept parts of a side, by the common part above them, None at the top.

    The run at the end of the side comes from last, unless last is None.
    """
    runs: dict[T | None, list[T]] = {}
    keep = set(kept)
    ends = [key for key in side if key in common][-1:]
    anchor = None
    for key in side:
        if key in common:
            anchor = last if last is not None and [key] == ends else key
        elif key in keep:
            runs.setdefault(anchor, []).append(key)
    return runs


def _joined_runs(ours: list[T], theirs: list[T], is_above: Callable[[T, T], bool]) -> Iterator[T]:
    """Yield two runs as one, with the order of each unchanged."""
    left = list(theirs)
    for key in ours:
        while left and is_above(left[0], key):
            yield left.pop(0)
        yield key
    yield from left


TOP, BOTTOM = -1, -2
"""The numbers of the preamble and of the tail; other parts have non-negative numbers."""

Lines = tuple[str, ...]


class Gaps:
    """The gaps of three versions: versions and aligned hold the base, ours and theirs.

    newline is the terminator of a line that none of them has.
    """

    def __init__(self, versions: Sequence[PartedVersion], aligned: Aligned, newline: str) -> None:
        rows = [
            [*zip((TOP, *numbers, BOTTOM), version.all, strict=False)]  # not all have a tail
            for version, numbers in zip(versions, aligned, strict=True)
        ]
        self._base, self._ours, self._theirs = (
            {(upper, lower): part.ending for (upper, part), (lower, _) in pairwise(row)}
            for row in rows
        )
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
        return self._adjacent_gap(lower, 1) if is_entry else self._adjacent_gap(upper, 0)

    def _adjacent_gap(self, number: int, end: int) -> Lines:
        """Return a version's gap above a part (end 1) or below it (end 0)."""
        for pairs in (self._ours, self._theirs, self._base):
            for pair, lines in pairs.items():
                if pair[end] == number:
                    return lines
        return (self._newline,)

    def _usual(self, versions: Sequence[PartedVersion]) -> Lines:
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
