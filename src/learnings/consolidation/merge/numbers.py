"""Ids that both sides gave to different entries: `LRN-20260301-001`, `L-003`.

Two sessions continue from the same number. Their entry gets the next free number if nothing refers
to it and the ids count entries. An id such as `PROJ-77` may belong to an issue that both entries
are about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from learnings.consolidation.merge.trios import Trio
from learnings.consolidation.merge.versions import Part
from learnings.core.entries.titles import is_timestamp_like
from learnings.core.patterns import lazy_pattern

IsReferred = Callable[[str], bool]
"""Tells whether a text other than the three versions mentions an id."""

# An id that counts: group 1 is the common part of its numbers, group 2 the number.
_COUNTED = lazy_pattern(r"(.*?)(\d+)")
# An id that starts again from one each day.
_OF_A_DAY = lazy_pattern(r".*[-_]?\d{4}-?\d{2}-?\d{2}[-_]")
# Numbers to try if others are taken; chosen, not measured.
_MOST_TRIED = 20


class SharedId(NamedTuple):
    """An id that both sides used; title is the title of their entry.

    new_id is the entry's new id, None if it keeps the id because something refers to it.
    """

    id: str
    title: str
    new_id: str | None


def shared_ids(
    versions: Sequence[Sequence[Part]], trios: Sequence[Trio], is_referred: IsReferred
) -> dict[int, SharedId]:
    """Return the ids of new entries of theirs that share only the id with a new one of ours.

    The keys are indexes of trios. The new id is the next free one.
    """
    ids = [Counter(filter(None, map(_id_of, version))) for version in versions]
    if any(count > 1 for version in ids for count in version.values()):
        return {}  # these ids do not name entries
    parts, taken = [*chain(*versions)], set(chain(*ids))
    ours = {_id_of(trio.ours): trio.ours.entry for trio in trios if trio.ours and not trio.base}
    shared = {}
    for index, trio in enumerate(trios):
        old = _id_of(trio.part) if trio.theirs and not trio.base and not trio.ours else None
        is_shared = old in ours and ours[old].key != trio.part.entry.key
        if old is None or not is_shared or not _counts_on(old, *ids):
            continue
        new = None
        if not _is_mentioned(old, parts) and not is_referred(old):
            new = next((one for one in _following(old, taken) if not is_referred(one)), None)
        taken |= {new} if new else set()
        shared[index] = SharedId(old, trio.part.entry.title, new)
    return shared


def _id_of(part: Part) -> str | None:
    stamp = part.entry.stamp
    if stamp is None or is_timestamp_like(stamp) or not _COUNTED.fullmatch(stamp):
        return None
    return stamp


def _split(name: str) -> tuple[str, int]:
    match = _COUNTED.fullmatch(name)
    assert match is not None
    return match[1], int(match[2])


def _counts_on(name: str, base: Iterable[str], ours: Iterable[str], theirs: Iterable[str]) -> bool:
    """Return True if both sides have counted on from the base up to an id."""
    prefix, number = _split(name)
    if _OF_A_DAY.fullmatch(prefix):
        return True
    in_base, *sides = (
        {_split(one)[1] for one in ids if _split(one)[0] == prefix} for ids in (base, ours, theirs)
    )
    passed = set(range(max(in_base, default=0) + 1, number))
    return all(passed <= side for side in sides)


def _following(name: str, ids: Iterable[str]) -> Iterator[str]:
    """Yield ids with the next numbers that no entry has."""
    prefix, number = _split(name)
    width = len(name) - len(prefix)
    first = max([number, *(_split(one)[1] for one in ids if _split(one)[0] == prefix)]) + 1
    return (f"{prefix}{free:0{width}}" for free in range(first, first + _MOST_TRIED))


def _is_mentioned(name: str, parts: Iterable[Part]) -> bool:
    """Return True if a text mentions an id, except in the first line of its own entry.

    The text of its own entry counts, because it may be read elsewhere.
    """
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w])", re.IGNORECASE)
    for part in parts:
        first, *others = part.content or ("",)
        if _id_of(part) == name:
            first = first.replace(name, "", 1)
        if any(map(word.search, (first, *others))):
            return True
    return False
