"""Which parts of two sides are the same part of the version that both come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.merge.parts import Part
from learnings.consolidation.merge.rewording import add_reworded


class Aligned(NamedTuple):
    """The parts of three versions by number, each in the order of its file.

    A number stands for the same part in all of them, under whatever heading and in whatever
    position.
    """

    base: Mapping[int, Part]
    ours: Mapping[int, Part]
    theirs: Mapping[int, Part]


def align(base: Sequence[Part], ours: Sequence[Part], theirs: Sequence[Part]) -> Aligned:
    """Number the parts of three versions."""
    from_base = [_numbers(base, side) for side in (ours, theirs)]
    known = [*base, *ours]
    our_numbers = [from_base[0].get(i, len(base) + i) for i in range(len(ours))]
    new: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, part in zip(our_numbers, ours, strict=True):
        if number >= len(base):
            new[part.kind, part.key, part.content].append(number)
    their_numbers = []
    for index, part in enumerate(theirs):
        both_new = () if index in from_base[1] else new[part.kind, part.key, part.content]
        number = both_new.pop(0) if both_new else len(known) + index
        their_numbers.append(from_base[1].get(index, number))
    return Aligned(
        dict(enumerate(base)),
        dict(zip(our_numbers, ours, strict=True)),
        dict(zip(their_numbers, theirs, strict=True)),
    )


def _numbers(base: Sequence[Part], side: Sequence[Part]) -> dict[int, int]:
    """Return the index in the base by the index in a side, for the parts that both have."""
    pairs = dict(_same_keys(base, side))
    add_reworded(pairs, base, side)
    return {new: old for old, new in pairs.items()}


def _same_keys(base: Sequence[Part], side: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Give pairs of indexes of parts with the same key.

    Of several with one key, those with the same text are a pair first, the others in order.
    """
    groups: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, part in enumerate(side):
        groups[part.kind, part.key].append(index)
    left = []
    for index, part in enumerate(base):
        group = groups[part.kind, part.key]
        same = next((other for other in group if side[other].is_same(part)), None)
        if same is None:
            left.append(index)
        else:
            group.remove(same)
            yield index, same
    for index in left:
        group = groups[base[index].kind, base[index].key]
        if group:
            yield index, group.pop(0)
