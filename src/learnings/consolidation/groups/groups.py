"""Proposals of entries to merge: groups, ungrouped entries, and the nearest of each entry."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.closeness import Weights, closeness
from learnings.consolidation.groups.evidence import Shared, evidence
from learnings.consolidation.groups.linkage import Thresholds
from learnings.consolidation.groups.partition import keys_in_common, partition, words_in_common
from learnings.consolidation.groups.profiles import Profile, idf_by_key, is_consolidated, profiles
from learnings.consolidation.groups.spelling import spellings
from learnings.consolidation.groups.topics import topic
from learnings.core.entries.document import Entry

NEAREST = 5
"""Entries that are named as the nearest of another one at most: 89 % of the merged entries of the
six passes at hand had one of their group among the first three (benchmarks/README.md, Groups)."""


class Member(NamedTuple):
    """A member of a group with the words that it shares with the others."""

    entry: Entry
    shared: tuple[str, ...]


class Group(NamedTuple):
    """Entries that may become one: score is their mean closeness, from 0 to 1."""

    topic: str
    score: float
    members: tuple[Member, ...]
    shared: tuple[Shared, ...]

    @property
    def keywords(self) -> tuple[str, ...]:
        """The words that the members share, strongest first."""
        return tuple(shared.word for shared in self.shared)


class Neighbours(NamedTuple):
    """An entry and those closest to it, with their closeness; closest first."""

    entry: Entry
    nearest: tuple[tuple[Entry, float], ...]


class Grouping(NamedTuple):
    """The proposal for a file; ungrouped and neighbours are in the order of the file."""

    groups: tuple[Group, ...]
    ungrouped: tuple[Entry, ...]
    neighbours: tuple[Neighbours, ...]


class Subject(NamedTuple):
    """The entries in an order that does not depend on the file's, with their closeness.

    rows are the closeness of each entry to all; candidates are the indices of the entries that may
    be grouped; idf is how rare a keyword is in the file.
    """

    entries: tuple[Entry, ...]
    profiles: tuple[Profile, ...]
    rows: tuple[array[float], ...]
    candidates: tuple[int, ...]
    idf: Mapping[str, float]


def propose(
    entries: Sequence[Entry],
    *,
    include_consolidated: bool = False,
    weights: Weights = Weights(),  # noqa: B008  (immutable)
    thresholds: Thresholds = Thresholds(),  # noqa: B008  (immutable)
) -> Grouping:
    """Propose groups among the entries of one file.

    Entries that are the product of a consolidation are left ungrouped unless they are included.
    The order of the entries has no influence on which of them belong together.
    """
    subject = subject_of(entries, weights, include_consolidated=include_consolidated)
    groups = [_group(subject, cluster) for cluster in clusters_of(subject, thresholds)]
    groups.sort(key=lambda group: (-len(group.members), -group.score, group.members[0].entry.first))
    grouped = {member.entry.first for group in groups for member in group.members}
    return Grouping(
        tuple(groups),
        tuple(entry for entry in entries if entry.first not in grouped),
        tuple(sorted(_neighbours(subject), key=lambda neighbours: neighbours.entry.first)),
    )


def clusters_of(subject: Subject, thresholds: Thresholds) -> list[list[int]]:
    """Return the clusters among the candidates, as indices of the subject's entries."""
    candidates = subject.candidates
    profiled = [subject.profiles[index] for index in candidates]
    if len(candidates) == len(subject.rows):
        return partition(profiled, subject.rows, thresholds)
    rows = [
        array("d", [subject.rows[index][other_index] for other_index in candidates])
        for index in candidates
    ]
    clusters = partition(profiled, rows, thresholds)
    return [[candidates[index] for index in cluster] for cluster in clusters]


def subject_of(
    entries: Sequence[Entry], weights: Weights, *, include_consolidated: bool = False
) -> Subject:
    """Return the entries of a file with their closeness to each other."""
    ordered = tuple(sorted(entries, key=lambda entry: (entry.stated or "", entry.text)))
    profiled = tuple(profiles(ordered))
    return Subject(
        ordered,
        profiled,
        tuple(closeness(profiled, weights)),
        tuple(
            index
            for index, entry in enumerate(ordered)
            if include_consolidated or not is_consolidated(entry)
        ),
        idf_by_key(profiled),
    )


def _group(subject: Subject, cluster: Sequence[int]) -> Group:
    members = sorted(cluster, key=lambda index: subject.entries[index].first)
    entries = [subject.entries[index] for index in members]
    profiled = [subject.profiles[index] for index in members]
    spelled = spellings(entries, keys_in_common(profiled))
    shared = evidence(entries, profiled, spelled)
    in_common = [words_in_common(index, members, subject.profiles) for index in members]
    return Group(
        topic(entries, spelled, subject.idf),
        _mean([subject.rows[a][b] for a in members for b in members if a < b]),
        tuple(
            Member(entry, tuple(keyword.word for keyword in shared if keyword.key in keys))
            for entry, keys in zip(entries, in_common, strict=True)
        ),
        shared,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _neighbours(subject: Subject) -> list[Neighbours]:
    excluded = sorted(set(range(len(subject.rows))).difference(subject.candidates))
    return [
        Neighbours(
            entry,
            tuple(
                (subject.entries[other_index], row[other_index])
                for other_index in _nearest(row, (index, *excluded))
            ),
        )
        for index, (entry, row) in enumerate(zip(subject.entries, subject.rows, strict=True))
    ]


def _nearest(row: Sequence[float], excluded: Sequence[int]) -> list[int]:
    """Return the indices of the closest in a row, closest first; none that are not close at all."""
    values = list(row)
    for index in excluded:
        values[index] = 0.0
    # Picking the bare numbers first is several times as fast as ranking the indices.
    last = heapq.nlargest(NEAREST, values)[-1]
    near = [index for index, value in enumerate(values) if value >= last and value > 0]
    return sorted(near, key=lambda index: (-values[index], index))[:NEAREST]
