"""Average linkage: the two clusters whose members are closest on average become one."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.closeness import pair_scores

MAX_MEMBERS = 8
"""Members of a group at most: what fits into one merged entry, as the documentation promises."""

# Bounds on time and memory, not on quality: a file of 600 entries has fewer pairs, and a group
# needs far fewer neighbours.
_MAX_SAMPLED_PAIRS = 200_000
_MAX_NEIGHBOURS = 128


class Thresholds(NamedTuple):
    """Which share of all pairs of a file is close enough.

    group: the closest pairs, whose level a cluster has to reach on average. pair: the share of
    those that may start a cluster. far: the closest pairs that count at all, all others are taken
    as unrelated. group and pair were chosen over the six passes at hand, each left out in turn
    (benchmarks/README.md, Groups), far with all six in view.
    """

    group: float = 0.05
    pair: float = 0.6
    far: float = 0.2


class Levels(NamedTuple):
    """The closeness from which two entries count, a cluster may grow, a pair may start one."""

    far: float
    group: float
    pair: float


# A file of one topic alone has no unrelated pairs, so that shares of its pairs would be too strict:
# levels are never above these. Chosen with the six passes at hand in view.
_MAX_LEVELS = Levels(0.17, 0.31, 0.41)
# A file of thousands of entries has no more related pairs for each entry than one of a hundred, so
# the shares are also limited to this many. Chosen with the six passes at hand in view.
_PAIRS_PER_ENTRY = Levels(50.0, 3.0, 0.0)


def levels(rows: Sequence[array[float]], thresholds: Thresholds) -> Levels:
    """Return the levels of a file from the closeness of all its pairs (2 entries or more)."""
    pairs = len(rows) * (len(rows) - 1) // 2
    step = pairs // _MAX_SAMPLED_PAIRS + 1
    ranked = sorted(pair_scores(rows)[::step], reverse=True)

    def level(share: float, per_entry: float) -> float:
        rank = min(share, 2 * per_entry / len(rows)) * len(ranked)
        return ranked[min(int(rank), len(ranked) - 1)]

    return Levels(
        min(level(thresholds.far, _PAIRS_PER_ENTRY.far), _MAX_LEVELS.far),
        min(level(thresholds.group, _PAIRS_PER_ENTRY.group), _MAX_LEVELS.group),
        min(
            level(thresholds.group * thresholds.pair, _PAIRS_PER_ENTRY.group * thresholds.pair),
            _MAX_LEVELS.pair,
        ),
    )


def excess(rows: Sequence[array[float]], level: float) -> list[dict[int, float]]:
    """Return for each entry the others that are closer than the level (0 at least), by how much.

    Of very many only the closest, so that a file of copies takes no more time than another.
    """
    near: list[dict[int, float]] = [{} for _ in rows]
    for one, row in enumerate(rows):
        others = [other for other, score in enumerate(row) if score > level]
        if len(others) > _MAX_NEIGHBOURS:
            # Several times as fast as heapq.nlargest; of equals the first ones stay first.
            others.sort(key=row.__getitem__, reverse=True)
        for other in others[:_MAX_NEIGHBOURS]:
            near[one][other] = near[other][one] = row[other] - level
    return near


class Clusters:
    """Clusters that grow; each knows the sum of the excess of its members over its neighbours."""

    def __init__(self, near: Sequence[dict[int, float]], *, group: float, pair: float) -> None:
        self.members = {one: [one] for one in range(len(near))}
        self._sums = {one: dict(others) for one, others in enumerate(near)}
        self._group, self._pair = group, pair

    def link(self, largest: int) -> None:
        """Join clusters until none are close enough; equally close ones in the order given."""
        queue = [pair for one in self.members for pair in self._candidates(one, largest)]
        heapq.heapify(queue)
        following = len(self.members)
        while queue:
            _, one, other = heapq.heappop(queue)
            if one in self.members and other in self.members:
                self._join(one, other, following)
                for pair in self._candidates(following, largest):
                    heapq.heappush(queue, pair)
                following += 1

    def _join(self, one: int, other: int, joined: int) -> None:
        self.members[joined] = self.members.pop(one) + self.members.pop(other)
        sums = self._sums.pop(one)
        for cluster, value in self._sums.pop(other).items():
            sums[cluster] = sums.get(cluster, 0.0) + value
        sums.pop(one, None)
        sums.pop(other, None)
        self._sums[joined] = sums
        for cluster, value in sums.items():
            row = self._sums[cluster]
            row.pop(one, None)
            row.pop(other, None)
            row[joined] = value

    def _candidates(self, one: int, largest: int) -> Iterator[tuple[float, int, int]]:
        size = len(self.members[one])
        for other, value in self._sums[one].items():
            others = len(self.members[other])
            needed = self._pair if size == others == 1 else self._group
            average = value / (size * others)
            if size + others <= largest and average >= needed:
                yield -average, min(one, other), max(one, other)
