"""Ids that both sides gave to different entries: `LRN-20260301-001`, `L-003`.

Two sessions continue from the same number. Their entry gets the next free number if nothing refers
to it and the ids count entries. An id such as `PROJ-77` may belong to an issue that both entries
are about.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import MergedPart
from learnings.consolidation.merge.parts import Aligned, Part, PartedVersion
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


def renumbered(
    versions: Iterable[PartedVersion],
    aligned: Aligned,
    merged: Mapping[int, MergedPart],
    is_referred: IsReferred,
) -> tuple[Mapping[int, MergedPart], tuple[SharedId, ...]]:
    """Assign the next free number to each new entry of theirs that shares an id with ours.

    Return the parts that got another id, by number, and all shared ids.
    """
    all_parts = [part for version in versions for part in version.all]
    ids = set(filter(None, map(_id_of, all_parts)))
    is_mentioned = _mentions(all_parts)
    parts, shared = {}, []
    for number, old, title in _clashing(aligned, merged):
        new = None
        if not is_mentioned(old) and not is_referred(old):
            new = next((one for one in _following(old, ids) if not is_referred(one)), None)
        if new is not None:
            ids.add(new)
            line = merged[number].lines[0].replace(old, new, 1)
            lines = (line, *merged[number].lines[1:])
            parts[number] = merged[number]._replace(lines=lines)
        shared.append(SharedId(old, title, new))
    return parts, tuple(shared)


def _clashing(aligned: Aligned, merged: Mapping[int, MergedPart]) -> Iterator[tuple[int, str, str]]:
    """Yield number, id and title of their new entries that share only the id with one of ours."""
    base, ours, theirs = aligned
    new = {_id_of(part): part for number, part in ours.items() if number not in base}
    names = [Counter(filter(None, map(_id_of, version.values()))) for version in aligned]
    if any(count > 1 for version in names for count in version.values()):
        return  # these ids do not name entries
    for number, part in theirs.items():
        name = _id_of(part)
        is_new = number not in base and number not in ours and number in merged
        if name is None or not is_new or merged[number].is_conflict or name not in new:
            continue
        if part.entry and part.key != new[name].key and _counts_on(name, *names):
            yield number, name, part.entry.title


def _id_of(part: Part) -> str | None:
    stamp = part.entry.stamp if part.entry else None
    if stamp is None or is_timestamp_like(stamp) or not _COUNTED.fullmatch(stamp):
        return None
    return stamp


def _split(name: str) -> tuple[str, int]:
    match = _COUNTED.fullmatch(name)
    assert match is not None
    return match[1], int(match[2])


def _counts_on(name: str, base: Counter[str], ours: Counter[str], theirs: Counter[str]) -> bool:
    """Return True if both sides have counted on from the base up to an id."""
    prefix, number = _split(name)
    if _OF_A_DAY.fullmatch(prefix):
        return True
    in_base, *sides = (
        {_split(one)[1] for one in names if _split(one)[0] == prefix}
        for names in (base, ours, theirs)
    )
    passed = set(range(max(in_base, default=0) + 1, number))
    return all(passed <= side for side in sides)


def _following(name: str, ids: Iterable[str]) -> Iterator[str]:
    """Yield ids with the next numbers that no entry has."""
    prefix, number = _split(name)
    width = len(name) - len(prefix)
    taken = [_split(one)[1] for one in ids if _split(one)[0] == prefix]
    first = max([number, *taken]) + 1
    return (f"{prefix}{free:0{width}}" for free in range(first, first + _MOST_TRIED))


def _mentions(parts: Iterable[Part]) -> Callable[[str], bool]:
    """Return a test whether a text mentions an id, except in first lines of its own entries.

    The text of its own entries counts, because it may be read elsewhere.
    """
    texts = [
        (_id_of(part), index, line) for part in parts for index, line in enumerate(part.content)
    ]

    def is_mentioned(name: str) -> bool:
        word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w])", re.IGNORECASE)
        return any(
            word.search(line.replace(name, "", 1) if own == name and index == 0 else line)
            for own, index, line in texts
        )

    return is_mentioned
