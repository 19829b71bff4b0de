"""Average linkage: the two clusters whose members are most similar on average become one."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator
from itertools import compress

MAX_MEMBERS = 8
"""Members of a group at most: what fits into one merged entry, as the documentation promises."""


def linked(rows: list[array[int]], *, level: int) -> Iterator[list[int]]:
    """Yield clusters of indices, singles too; equally similar ones are joined in the order given.

    rows are the similarities of each index to all, 0 to itself; they are used up. level (above 0)
    is the average similarity that joins two clusters.
    """
    clusters = {index: [index] for index in range(len(rows))}
    # For each size the clusters that have room for one of that size, as flags.
    room = [bytearray([1]) * len(rows) for _ in range(MAX_MEMBERS + 1)]
    # What a cluster was joined at is no less than its similarity to any other: an average is never
    # above the larger one of the two that it is made of. So what was queued is an upper bound.
    queue = [(-max(row), index) for index, row in enumerate(rows)]
    heapq.heapify(queue)
    while queue:
        bound, one = heapq.heappop(queue)
        if one not in clusters or -bound < level:
            continue
        similarity, other = _nearest(rows[one], room[len(clusters[one])])
        if similarity == -bound:
            _join(one, other, rows, clusters)
            _count(one, other, len(clusters[one]), room)
            if len(clusters[one]) == MAX_MEMBERS:
                yield clusters.pop(one)
        heapq.heappush(queue, (-similarity, one))
    yield from clusters.values()


def _nearest(row: array[int], has_room: bytearray) -> tuple[int, int]:
    """Return the largest similarity to a cluster that has room for this one, and that cluster."""
    similarity = max(compress(row, has_room), default=0)
    if not similarity:
        return 0, 0
    other = row.index(similarity)
    while not has_room[other]:
        other = row.index(similarity, has_room.find(1, other))
    return similarity, other


def _join(one: int, other: int, rows: list[array[int]], clusters: dict[int, list[int]]) -> None:
    size, other_size = len(clusters[one]), len(clusters[other])
    both = size + other_size
    pairs = zip(rows[one], rows[other], strict=True)
    row = array("I", [(size * a + other_size * b) // both for a, b in pairs])
    row[one] = 0
    rows[one] = row
    clusters[one] += clusters.pop(other)
    for index in clusters:
        rows[index][one] = row[index]


def _count(one: int, other: int, size: int, room: list[bytearray]) -> None:
    """Note that a cluster has reached a size, and that the other one is part of it now."""
    for smaller, has_room in enumerate(room):
        has_room[other] = 0
        has_room[one] = smaller + size <= MAX_MEMBERS
