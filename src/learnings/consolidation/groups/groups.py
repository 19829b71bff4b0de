"""Proposals of entries to merge: groups, ungrouped entries, and the nearest of each entry."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import NamedTuple

from learnings.consolidation.groups.partition import (
    ONE,
    Levels,
    clusters_of,
    levels_of,
    mean_similarity,
    similarities,
)
from learnings.consolidation.groups.profiles import Profile, is_consolidated, profiles
from learnings.consolidation.groups.reasons import Shared, WordCounts, reasons, topic
from learnings.core.entries.document import Entry

NEAREST = 5
"""Entries that are named as the nearest of another one at most: 82 % of the merged entries of the
six passes at hand had one of their group among the first three (benchmarks/README.md, Groups)."""

MAX_ENTRIES = 5000
"""Entries of a file at most: time and memory grow as the square of their number, to 100 MB for
these, and no memory that is read has so many."""


class GroupMember(NamedTuple):
    """A member of a group with the words that it shares with the others."""

    entry: Entry
    shared: tuple[str, ...]


class Group(NamedTuple):
    """Entries that may become one: score is their mean similarity, from 0 to 1."""

    topic: str
    score: float
    members: tuple[GroupMember, ...]
    shared: tuple[Shared, ...]

    @property
    def keywords(self) -> tuple[str, ...]:
        """The words that say best what the members share, strongest first."""
        return tuple(shared.word for shared in self.shared)


class Neighbours(NamedTuple):
    """An entry and those most similar to it, with their similarity from 0 to 1; nearest first."""

    entry: Entry
    nearest: tuple[tuple[Entry, float], ...]


class Grouping(NamedTuple):
    """The proposal for a file; ungrouped and neighbours are in the order of the file."""

    groups: tuple[Group, ...]
    ungrouped: tuple[Entry, ...]
    neighbours: tuple[Neighbours, ...]


def propose(
    entries: Sequence[Entry],
    *,
    include_consolidated: bool = False,
    with_neighbours: bool = True,
    strip_common: bool = True,
    levels: Levels = levels_of(0.5),  # noqa: B008  (immutable)
) -> Grouping:
    """Propose groups among the entries of one file.

    Entries that are the product of a consolidation are left ungrouped unless they are included.
    The order of the entries has no influence on which of them belong together. Without neighbours
    it takes half the time. Words all over the file count as shared ones only without strip_common.
    Of more than MAX_ENTRIES none are proposed.
    """
    if len(entries) > MAX_ENTRIES:
        return Grouping((), tuple(entries), ())
    ordered = sorted(entries, key=lambda entry: (entry.stated or "", entry.text))
    profiled = profiles(ordered, strip_common=strip_common)
    candidates = [
        n for n, e in enumerate(ordered) if include_consolidated or not is_consolidated(e)
    ]
    words = WordCounts.of(profiled)
    groups = []
    for cluster in clusters_of([profiled[index] for index in candidates], levels):
        members = sorted((candidates[n] for n in cluster), key=lambda n: ordered[n].first)
        groups.append(_group([ordered[n] for n in members], [profiled[n] for n in members], words))
    groups.sort(key=lambda group: (-len(group.members), -group.score, group.members[0].entry.first))
    grouped = {member.entry.first for group in groups for member in group.members}
    neighbours = _neighbours(ordered, profiled, candidates) if with_neighbours else ()
    return Grouping(
        tuple(groups),
        tuple(entry for entry in entries if entry.first not in grouped),
        tuple(sorted(neighbours, key=lambda neighbours: neighbours.entry.first)),
    )


def _group(entries: Sequence[Entry], profiles: Sequence[Profile], words: WordCounts) -> Group:
    shared, shared_by_member = reasons(entries, profiles, words)
    members = tuple(map(GroupMember, entries, shared_by_member))
    return Group(topic(shared), min(mean_similarity(profiles), 1.0), members, shared)


def _neighbours(
    entries: Sequence[Entry], profiles: Sequence[Profile], candidates: Sequence[int]
) -> Iterator[Neighbours]:
    rows = similarities([one.parts for one in profiles], [one.day for one in profiles])
    excluded = set(range(len(entries))).difference(candidates)
    for entry, row in zip(entries, rows, strict=True):
        for index in excluded:
            row[index] = 0
        nearest = ((entries[index], min(value / ONE, 1.0)) for index, value in _nearest(row))
        yield Neighbours(entry, tuple(nearest))


def _nearest(row: array[int]) -> list[tuple[int, int]]:
    """Return the nearest in a row with their similarity; none that have nothing in common."""
    least = max(min(nlargest(NEAREST, row)), 1)
    near = [(index, value) for index, value in enumerate(row) if value >= least]
    return sorted(near, key=lambda pair: -pair[1])[:NEAREST]
