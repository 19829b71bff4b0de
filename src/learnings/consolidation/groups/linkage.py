"""Average linkage: the two clusters whose members are most similar on average become one."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator

MAX_MEMBERS = 8
"""Members of a group at most: what fits into one merged entry, as the documentation promises."""


def linked(rows: list[array[int]], *, level: int) -> Iterator[list[int]]:
    """Yield clusters of indices, singles too; equally similar ones are joined in the order given.

    rows are the similarities of each index to all, 0 to itself; they are used up. level (above 0)
    is the average similarity that joins two clusters.
    """
    clusters = {index: [index] for index in range(len(rows))}
    # What a cluster was joined at is no less than its similarity to any other: an average is never
    # above the larger one of the two that it is made of. So what was queued is an upper bound.
    queue = [(-max(row), index) for index, row in enumerate(rows)]
    heapq.heapify(queue)
    while queue:
        bound, one = heapq.heappop(queue)
        if one not in clusters or -bound < level:
            continue
        similarity, other = _nearest(one, rows, clusters)
        if similarity == -bound:
            _join(one, other, rows, clusters)
            if len(clusters[one]) == MAX_MEMBERS:
                yield clusters.pop(one)
                for row in rows:
                    row[one] = 0
        heapq.heappush(queue, (-similarity, one))
    yield from clusters.values()


def _nearest(one: int, rows: list[array[int]], clusters: dict[int, list[int]]) -> tuple[int, int]:
    """Return the largest similarity to a cluster that has room for this one, and that cluster."""
    row = rows[one]
    while similarity := max(row):
        other = row.index(similarity)
        if len(clusters[one]) + len(clusters[other]) <= MAX_MEMBERS:
            return similarity, other
        row[other] = rows[other][one] = 0
    return 0, one


def _join(one: int, other: int, rows: list[array[int]], clusters: dict[int, list[int]]) -> None:
    size, other_size = len(clusters[one]), len(clusters[other])
    both = size + other_size
    row = array(
        "I",
        [(size * a + other_size * b) // both for a, b in zip(rows[one], rows[other], strict=True)],
    )
    row[one] = row[other] = 0
    rows[one] = row
    clusters[one] += clusters.pop(other)
    for index in clusters:
        rows[index][one] = row[index]
        rows[index][other] = 0
