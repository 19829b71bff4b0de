"""In which order the parts of two sides stand in the merged file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def merged_order(
    base: Collection[T],
    ours: Sequence[T],
    theirs: Sequence[T],
    kept: Collection[T],
    *,
    is_above: Callable[[T, T], bool],
    appends: bool = True,
) -> list[T]:
    """Return what is kept, in order.

    What all three versions have comes in the order of our side, or of the other one where only that
    has moved something. What is new stands below what it was written below: ours first, unless
    is_above says that their part, its first argument, belongs above our part. appends says that
    what was written at the end of a side comes to the end, wherever the part above it has moved.
    """
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
        order += _joined(our_runs.get(anchor, []), their_runs.get(anchor, []), is_above)
    return order


def _runs(
    side: Sequence[T], common: set[T], kept: Collection[T], *, last: T | None
) -> dict[T | None, list[T]]:
    """Return what else of a side is kept, by the common part above it, None at the top.

    The run at the end of the side is that of last instead, unless this is None.
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


def _joined(ours: list[T], theirs: list[T], is_above: Callable[[T, T], bool]) -> Iterator[T]:
    """Give two runs as one, the order of each as it is."""
    left = list(theirs)
    for key in ours:
        while left and is_above(left[0], key):
            yield left.pop(0)
        yield key
    yield from left
