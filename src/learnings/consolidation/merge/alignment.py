"""Which parts of two sides are the same part of the version that both come from.

An entry may have another key on a side because it was edited there, not replaced. A wrong pair
makes a conflict of two entries that have nothing to do with each other, a missed one keeps both
texts. The key of a list item is its whole first line, so items are paired by more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.merge.parts import Part
from learnings.core.entries.document import Entry
from learnings.core.entries.entry_changes import pair_by_body
from learnings.core.entries.titles import stated_date

# Words from which on two texts that are much alike are one, wherever they stand: shorter ones, such
# as "Run it again.", are alike by chance. Chosen, not measured.
_ENOUGH_WORDS = 12

# Characters of an ISO date without a time of day: of a month, and of a day.
_DAY_LENGTHS = (len("2026-01"), len("2026-01-20"))

PartPairs = MutableMapping[int, int]


def add_reworded(pairs: PartPairs, base: Sequence[Part], side: Sequence[Part]) -> None:
    """Complete pairs, from indexes in the base to indexes in a side, by the reworded entries."""
    _add_equal(pairs, base, side, _text_below)
    _add_equal(pairs, base, side, _title_of_item)
    _add_equal(pairs, base, side, _title_of_part, fits=_is_restamped)
    for before, after in _same_stamps(base, side):
        if before not in pairs and after not in pairs.values():
            pairs[before] = after
    for run, region in list(_same_positions(pairs, base, side)):
        items = [_left(part, indexes) for part, indexes in ((base, run), (side, region))]
        _add_alike(pairs, *[[(i, e) for i, e in entries if not e.level] for entries in items])
    old = _left(base, (index for index in range(len(base)) if index not in pairs))
    new = _left(side, set(range(len(side))) - set(pairs.values()))
    _add_alike(pairs, *[[(i, e) for i, e in entries if _is_long(e)] for entries in (old, new)])


def _text_below(part: Part) -> Hashable:
    """Return the text under the heading of an entry, None where there is none."""
    has_heading = part.entry is not None and part.entry.level > 0
    return part.content[1:] if has_heading and any(part.content[1:]) else None


def _title_of_item(part: Part) -> Hashable:
    is_item = part.entry is not None and part.entry.level == 0
    return part.entry.title.casefold() if is_item and part.entry else None


def _title_of_part(part: Part) -> Hashable:
    return part.entry.title.casefold() if part.entry and part.entry.level else None


def _same_stamps(base: Sequence[Part], side: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Give pairs of indexes of entries whose stamp no other entry of their version has.

    A date without a time of day is what the entries of a day have in common, and names none.
    """
    stamps = [_single((_naming_stamp(part), i) for i, part in enumerate(v)) for v in (base, side)]
    return ((stamps[0][stamp], stamps[1][stamp]) for stamp in stamps[0].keys() & stamps[1].keys())


def _naming_stamp(part: Part) -> str | None:
    stamp = part.entry.stamp if part.entry and part.entry.level else None
    is_day = stamp is not None and len(stated_date(stamp) or "") in _DAY_LENGTHS
    return None if stamp is None or is_day else stamp.casefold()


def _is_restamped(old: Part, new: Part) -> bool:
    """Return True if one of two entries has no stamp, or one that is the beginning of the other.

    So it is where a file gets time stamps, or longer ones: `2026-01-20` and `2026-01-20-120000`.
    """
    stamps = [part.entry.stamp or "" for part in (old, new) if part.entry]
    return stamps[0].startswith(stamps[1]) or stamps[1].startswith(stamps[0])


def _add_equal(
    pairs: PartPairs,
    base: Sequence[Part],
    side: Sequence[Part],
    key: Callable[[Part], Hashable],
    *,
    fits: Callable[[Part, Part], bool] = lambda _old, _new: True,
) -> None:
    """Add the pairs of parts that fit and have the same key, which no other part left over has."""
    used = set(pairs.values())
    old, new = (
        _single((key(part), index) for index, part in enumerate(parts) if index not in done)
        for parts, done in ((base, pairs), (side, used))
    )
    for value in old.keys() & new.keys():
        if fits(base[old[value]], side[new[value]]):
            pairs[old[value]] = new[value]


def _single(keys: Iterable[tuple[Hashable, int]]) -> dict[Hashable, int]:
    """Return the index by key, for keys that stand there once."""
    indexes: dict[Hashable, int | None] = {}
    for key, index in keys:
        indexes[key] = None if key in indexes else index
    return {key: index for key, index in indexes.items() if key is not None and index is not None}


def _same_positions(
    pairs: PartPairs, base: Sequence[Part], side: Sequence[Part]
) -> Iterator[tuple[range, range]]:
    """Give the indexes that are left over in base and side between the same two parts."""
    bounds = [(-1, -1), *sorted(pairs.items()), (len(base), len(side))]
    used = set(pairs.values())
    for (old_above, new_above), (old_below, new_below) in pairwise(bounds):
        region = range(new_above + 1, new_below)
        if old_below - old_above > 1 and region and not used.intersection(region):
            yield range(old_above + 1, old_below), region


def _left(parts: Sequence[Part], indexes: Iterable[int]) -> list[tuple[int, Entry]]:
    """Return the entries among some parts as they are compared: without heading, items whole."""
    entries = ((index, parts[index].entry) for index in sorted(indexes))
    return [
        (index, entry if entry.level else entry._replace(lines=("", *entry.lines)))
        for index, entry in entries
        if entry is not None
    ]


def _is_long(entry: Entry) -> bool:
    return len(entry.body.split()) >= _ENOUGH_WORDS


def _add_alike(
    pairs: PartPairs, old: Sequence[tuple[int, Entry]], new: Sequence[tuple[int, Entry]]
) -> None:
    old_indexes = {entry: index for index, entry in old}
    new_indexes = {entry: index for index, entry in new}
    for before, after in pair_by_body(list(old_indexes), list(new_indexes)):
        pairs[old_indexes[before]] = new_indexes[after]


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
    sides = (ours, theirs), (theirs, ours)
    from_base = [_numbers_of_parts(base, side, other) for side, other in sides]
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


def _numbers_of_parts(
    base: Sequence[Part], side: Sequence[Part], other: Sequence[Part]
) -> dict[int, int]:
    """Return the index in the base by the index in a side, for the parts that both have.

    What the other side has word for word, and the base has not, is no rewording.
    """
    pairs = dict(_same_keys(base, side))
    twins = {(part.kind, part.key, part.content) for part in other}
    paired = set(pairs.values())
    left = [
        index
        for index, part in enumerate(side)
        if index in paired or (part.kind, part.key, part.content) not in twins
    ]
    places = {index: place for place, index in enumerate(left)}
    found = {old: places[new] for old, new in pairs.items()}
    add_reworded(found, base, [side[index] for index in left])
    return {left[place]: old for old, place in found.items()}


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
