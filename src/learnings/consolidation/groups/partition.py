"""Which entries belong together: every entry in one cluster at most, of 2 to 8 members."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from learnings.consolidation.groups.linkage import linked
from learnings.consolidation.groups.profiles import FEW_ENTRIES, Profile
from learnings.consolidation.groups.similarity import ONE, similarities, similarity

IN_COMMON = 2
"""Keywords that a member shares with the rest of its group at least, as the documentation says."""


class Levels(NamedTuple):
    """The similarity that joins two clusters, and the one that a group of two needs."""

    group: float
    pair: float


def levels_of(eagerness: float) -> Levels:
    """Return the levels for an eagerness from 0 to 1: 0.25 and 0.375 for 0.5.

    These two are the recipe's; chosen on other dates than those judged, the six passes at hand
    give the same or a neighbouring step (benchmarks/README.md, Groups). What a person merges on a
    day, a fifth of the entries or two thirds, cannot be read from the text: hence a setting.
    """
    group = (1 - eagerness) / 2
    return Levels(group, 1.5 * group)


def clusters_of(profiles: Sequence[Profile], levels: Levels) -> list[list[int]]:
    """Return the clusters of 2 to 8 profiles, as sorted lists of their indices.

    The result depends on the order of profiles only where pairs are equally similar.
    """
    if len(profiles) < FEW_ENTRIES:
        return sorted(sorted(chain) for chain in _chains(profiles) if len(chain) > 1)
    words, days = [profile.words for profile in profiles], [profile.day for profile in profiles]
    rows = list(similarities(words, days))
    clusters = (
        _with_words_in_common(cluster, profiles)
        for cluster in linked(rows, level=max(round(ONE * levels.group), 1))
    )
    return sorted(
        cluster
        for cluster in clusters
        if len(cluster) > 2
        or (
            len(cluster) == 2
            and mean_similarity([profiles[index] for index in cluster]) >= levels.pair
        )
    )


def mean_similarity(profiles: Sequence[Profile]) -> float:
    """Return the mean similarity of the pairs of profiles, two or more."""
    pairs = [
        similarity((one.words, one.day), (other.words, other.day))
        for one, other in combinations(profiles, 2)
    ]
    return sum(pairs) / len(pairs)


def _chains(profiles: Sequence[Profile]) -> list[list[int]]:
    """Return the chains of profiles whose neighbours share enough keywords."""
    chains: list[list[int]] = []
    for index, profile in enumerate(profiles):
        near = [
            chain
            for chain in chains
            if any(len(_common(profile, profiles[other])) >= IN_COMMON for other in chain)
        ]
        chains = [chain for chain in chains if chain not in near]
        chains.append([index, *(other for chain in near for other in chain)])
    return chains


def _with_words_in_common(cluster: Sequence[int], profiles: Sequence[Profile]) -> list[int]:
    """Return the members that share enough with the rest, repeatedly leaving out the others."""
    members = sorted(cluster)
    while True:
        kept = []
        for one in members:
            common = (_common(profiles[one], profiles[o]) for o in members if o != one)
            if len(frozenset[str]().union(*common)) >= IN_COMMON:
                kept.append(one)
        if kept == members:
            return members
        members = kept


def _common(one: Profile, other: Profile) -> frozenset[str]:
    return one.discriminative & other.discriminative
