"""The order of the merged parts, and the blank lines or rules between two of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import pairwise
from typing import TypeVar

from learnings.consolidation.merge.trios import Trio
from learnings.consolidation.merge.versions import Lines, Part
from learnings.core.entries.rewriting import is_newest_first

T = TypeVar("T", bound=Hashable)


def merged_order(
    versions: Sequence[Sequence[T]],
    kept: Collection[T],
    day_of: Callable[[T], str | None],
    *,
    appends: bool = True,
) -> list[T]:
    """Return the kept items of base, ours and theirs, in order.

    Items that all three versions have come in the order of our side, or of the other side if only
    that side moved something. A new item stands below the item it was written below: ours first
    or, if a side has the newest day (ISO) first, the newest first. appends: what is written at the
    end of a side comes to the end, wherever the item above it has moved.
    """
    common = set(kept).intersection(*versions)
    in_base, in_ours, in_theirs = ([key for key in v if key in common] for v in versions)
    main = in_theirs if in_ours == in_base else in_ours
    falls = any(is_newest_first(map(day_of, side)) for side in versions[1:])
    left = set(kept) - common
    runs = []
    for side in versions[1:]:
        runs.append(_runs(side, common, left, main[-1:] if appends else []))
        left -= {*side}
    order: list[T] = []
    for anchor in (None, *main):
        order += [] if anchor is None else [anchor]
        ours, theirs = (run[anchor] for run in runs)
        for key in ours:
            # Nothing goes above an item without a day, nor does such an item.
            while falls and theirs and (day_of(theirs[0]) or "") > (day_of(key) or "~"):
                order.append(theirs.pop(0))
            order.append(key)
        order += theirs
    return order


def _runs(
    side: Sequence[T], common: Collection[T], left: Collection[T], last: Sequence[T]
) -> defaultdict[T | None, list[T]]:
    """Return the left items of a side by the common item above them, None at the top.

    The run at the end of the side comes below the last item, if there is one.
    """
    runs: defaultdict[T | None, list[T]] = defaultdict(list)
    anchor = None
    for key in side:
        if key in common:
            anchor = key
        elif key in left:
            runs[anchor].append(key)
    if anchor is not None and last and last[0] != anchor:
        runs[last[0]] += runs.pop(anchor, [])
    return runs


def between(upper: Trio, lower: Trio, usual: Lines) -> Lines:
    """Return the lines between two neighbours of the merged file; usual are those of two entries.

    Where no version has the two side by side, the lines above the lower one count, or those below
    a preamble or category.
    """
    base, ours, theirs = (_shared_gap(*pair) for pair in zip(upper, lower, strict=True))
    if theirs is not None and (ours is None or ours == base):
        return theirs
    if ours is not None:
        return ours
    if upper.part.is_entry and lower.part.is_entry:
        return usual
    below = None if upper.part.is_entry else upper.part.below
    return lower.part.above if below is None else below


def _shared_gap(upper: Part | None, lower: Part | None) -> Lines | None:
    if upper is None or lower is None or not lower.lines or upper.place + 1 != lower.place:
        return None
    return upper.below


def usual_gap(versions: Sequence[Sequence[Part]], newline: str) -> Lines:
    """Return the most frequent separator of two entries: of ours, else of theirs, of the base.

    newline makes the blank line between headings in versions that have none.
    """
    base, *sides = versions
    for parts in (*sides, base):
        gaps = Counter(low.above for up, low in pairwise(parts) if up.is_entry and low.is_entry)
        if gaps:
            return gaps.most_common(1)[0][0]
    entries = (part.entry for parts in versions for part in parts if part.is_entry)
    return (newline,) if any(entry.level for entry in entries) else ()
