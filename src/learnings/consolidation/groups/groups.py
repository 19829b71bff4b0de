"""Proposals of entries to merge: groups, ungrouped entries, and the nearest of each entry."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.partition import Levels, clusters_of, levels_of, mean_similarity
from learnings.consolidation.groups.profiles import Profile, is_consolidated, profiles
from learnings.consolidation.groups.reasons import Shared, WordCounts, reasons, topic
from learnings.consolidation.groups.similarity import ONE, similarities
from learnings.core.entries.document import Entry

NEAREST = 5
"""Entries that are named as the nearest of another one at most: 82 % of the merged entries of the
six passes at hand had one of their group among the first three (benchmarks/README.md, Groups)."""

MAX_ENTRIES = 5000
"""Entries of a file at most: time and memory grow as the square of their number, to 100 MB for
these, and no memory that is read has so many."""


class Member(NamedTuple):
    """A member of a group with the words that it shares with the others."""

    entry: Entry
    shared: tuple[str, ...]


class Group(NamedTuple):
    """Entries that may become one: score is their mean similarity, from 0 to 1."""

    topic: str
    score: float
    members: tuple[Member, ...]
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


class _Subject(NamedTuple):
    """The entries of a file in an order that does not depend on the file's.

    candidates are the indices of the entries that may be grouped.
    """

    entries: tuple[Entry, ...]
    profiles: tuple[Profile, ...]
    candidates: tuple[int, ...]


def propose(
    entries: Sequence[Entry],
    *,
    include_consolidated: bool = False,
    with_neighbours: bool = True,
    levels: Levels = levels_of(0.5),  # noqa: B008  (immutable)
) -> Grouping:
    """Propose groups among the entries of one file.

    Entries that are the product of a consolidation are left ungrouped unless they are included.
    The order of the entries has no influence on which of them belong together. Without neighbours
    it takes half the time. Of more than MAX_ENTRIES none are
    proposed.
    """
    if len(entries) > MAX_ENTRIES:
        return Grouping((), tuple(entries), ())
    subject = _subject(entries, include_consolidated=include_consolidated)
    profiled = [subject.profiles[index] for index in subject.candidates]
    words = WordCounts.of(subject.profiles)
    groups = [
        _group(subject, [subject.candidates[index] for index in cluster], words)
        for cluster in clusters_of(profiled, levels)
    ]
    groups.sort(key=lambda group: (-len(group.members), -group.score, group.members[0].entry.first))
    grouped = {member.entry.first for group in groups for member in group.members}
    return Grouping(
        tuple(groups),
        tuple(entry for entry in entries if entry.first not in grouped),
        tuple(sorted(_neighbours(subject), key=lambda neighbours: neighbours.entry.first))
        if with_neighbours
        else (),
    )


def _subject(entries: Sequence[Entry], *, include_consolidated: bool) -> _Subject:
    ordered = tuple(sorted(entries, key=lambda entry: (entry.stated or "", entry.text)))
    candidates = (
        index
        for index, entry in enumerate(ordered)
        if include_consolidated or not is_consolidated(entry)
    )
    return _Subject(ordered, tuple(profiles(ordered)), tuple(candidates))


def _group(subject: _Subject, cluster: Sequence[int], words: WordCounts) -> Group:
    members = sorted(cluster, key=lambda index: subject.entries[index].first)
    entries = [subject.entries[index] for index in members]
    profiled = [subject.profiles[index] for index in members]
    shared, shared_by_member = reasons(entries, profiled, words)
    return Group(
        topic(shared),
        min(mean_similarity(profiled), 1.0),
        tuple(map(Member, entries, shared_by_member)),
        shared,
    )


def _neighbours(subject: _Subject) -> Iterator[Neighbours]:
    rows = similarities(
        [profile.parts for profile in subject.profiles],
        [profile.day for profile in subject.profiles],
    )
    excluded = set(range(len(subject.entries))).difference(subject.candidates)
    for entry, row in zip(subject.entries, rows, strict=True):
        for index in excluded:
            row[index] = 0
        nearest = (
            (subject.entries[index], min(similarity / ONE, 1.0))
            for index, similarity in _nearest(row)
        )
        yield Neighbours(entry, tuple(nearest))


def _nearest(row: array[int]) -> Iterator[tuple[int, int]]:
    """Yield the nearest in a row with their similarity; none that have nothing in common."""
    for _ in range(NEAREST):
        similarity = max(row)
        if not similarity:
            return
        index = row.index(similarity)
        row[index] = 0
        yield index, similarity
