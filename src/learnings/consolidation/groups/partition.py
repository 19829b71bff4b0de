"""Which entries belong together: every entry in one cluster at most, of 2 to 8 members."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence

from learnings.consolidation.groups.linkage import MAX_MEMBERS, Clusters, Thresholds, excess, levels
from learnings.consolidation.groups.profiles import FEW_ENTRIES, Profile

IN_COMMON = 2
"""Keywords that a member shares with the rest of its group at least, as the documentation says."""


def partition(
    profiles: Sequence[Profile], rows: Sequence[array[float]], thresholds: Thresholds
) -> list[list[int]]:
    """Return the clusters of 2 to 8 profiles, as sorted lists of their indices.

    rows are their closeness; the result depends on the order of profiles only where pairs are
    equally close.
    """
    clusters = _chains(profiles) if len(profiles) < FEW_ENTRIES else _by_closeness(rows, thresholds)
    kept = (_with_words_in_common(cluster, profiles) for cluster in clusters)
    return sorted(sorted(cluster) for cluster in kept if len(cluster) > 1)


def _chains(profiles: Sequence[Profile]) -> list[list[int]]:
    """Return the chains of profiles whose neighbours share enough keywords."""
    near = [
        {
            other: 1.0
            for other, theirs in enumerate(profiles)
            if other != one and len(profile.discriminative & theirs.discriminative) >= IN_COMMON
        }
        for one, profile in enumerate(profiles)
    ]
    clusters = Clusters(near, group=0.0, pair=0.0)
    clusters.link(MAX_MEMBERS)
    return list(clusters.members.values())


def _by_closeness(rows: Sequence[array[float]], thresholds: Thresholds) -> list[list[int]]:
    level = levels(rows, thresholds)
    near = excess(rows, level.far)
    group = level.group - level.far
    clusters = Clusters(near, group=group, pair=level.pair - level.far)
    clusters.link(MAX_MEMBERS)
    return _with_left_over(list(clusters.members.values()), near, group)


def _with_left_over(
    clusters: list[list[int]], near: Sequence[dict[int, float]], group: float
) -> list[list[int]]:
    """Add the entries that found their cluster full to it, and split it in two halves."""
    joined = [cluster for cluster in clusters if len(cluster) > 1]
    home = {member: index for index, cluster in enumerate(joined) for member in cluster}
    for (one,) in (cluster for cluster in clusters if len(cluster) == 1):
        sums: dict[int, float] = {}
        for other, value in near[one].items():
            if other in home:
                sums[home[other]] = sums.get(home[other], 0.0) + value
        ranked = [(-total / len(joined[index]), index) for index, total in sums.items()]
        distance, index = min(ranked, default=(0.0, 0))
        if not distance or -distance < group:
            continue
        joined[index].append(one)
        home[one] = index
        if len(joined[index]) > MAX_MEMBERS:
            joined[index], other_half = _halves(joined[index], near)
            home |= dict.fromkeys(other_half, len(joined))
            joined.append(other_half)
    return joined


def _halves(
    cluster: Sequence[int], near: Sequence[dict[int, float]]
) -> tuple[list[int], list[int]]:
    """Split a cluster in two of equal size, each around one of the two members farthest apart."""
    ordered = sorted(cluster)
    pairs = [
        (near[one].get(other, 0.0), one, other)
        for one in ordered
        for other in ordered
        if one < other
    ]
    _, left, right = min(pairs)
    leaning = sorted(
        (other for other in ordered if other not in (left, right)),
        key=lambda other: near[right].get(other, 0.0) - near[left].get(other, 0.0),
    )
    half = len(leaning) // 2
    return [left, *leaning[:half]], [right, *leaning[half:]]


def _with_words_in_common(cluster: Sequence[int], profiles: Sequence[Profile]) -> list[int]:
    """Return the members that share enough with the rest, repeatedly leaving out the others."""
    members = sorted(cluster)
    while True:
        kept = [one for one in members if len(words_in_common(one, members, profiles)) >= IN_COMMON]
        if len(kept) == len(members):
            return members
        members = kept


def words_in_common(
    one: int, cluster: Sequence[int], profiles: Sequence[Profile]
) -> frozenset[str]:
    """Return the keys that one member shares with at least one other member of its cluster."""
    others = (profiles[other].discriminative for other in cluster if other != one)
    return profiles[one].discriminative & frozenset().union(*others)


def keys_in_common(profiles: Sequence[Profile]) -> frozenset[str]:
    """Return the discriminative keys of two profiles or more."""
    spread = Counter(key for profile in profiles for key in profile.discriminative)
    return frozenset(key for key, count in spread.items() if count > 1)
