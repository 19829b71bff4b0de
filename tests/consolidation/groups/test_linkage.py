from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.groups.partition import MAX_MEMBERS, linked

Rows: TypeAlias = "list[array[int]]"


def rows_of(count: int, pairs: Mapping[tuple[int, int], int]) -> Rows:
    rows = [array("I", [0] * count) for _ in range(count)]
    for (one, other), value in pairs.items():
        rows[one][other] = rows[other][one] = value
    return rows


def clusters(rows: Rows, level: int) -> list[list[int]]:
    return sorted(sorted(cluster) for cluster in linked(rows, level=level))


def test_the_most_similar_come_first() -> None:
    pairs = {(0, 1): 50, (1, 2): 90, (2, 3): 50}
    assert clusters(rows_of(4, pairs), 50) == [[0], [1, 2], [3]]


def test_the_average_decides() -> None:
    pairs = {(0, 1): 90, (1, 2): 50}
    assert clusters(rows_of(3, pairs), 26) == [[0, 1], [2]]
    assert clusters(rows_of(3, pairs), 25) == [[0, 1, 2]]


def test_a_full_cluster_leaves_the_rest_to_each_other() -> None:
    alike = rows_of(19, {(a, b): 70 for a in range(19) for b in range(a)})
    assert sorted(map(len, linked(alike, level=30))) == [3, 8, 8]


def test_equally_similar_ones_are_joined_in_the_order_given() -> None:
    alike = rows_of(10, {(a, b): 70 for a in range(10) for b in range(a)})
    assert clusters(alike, 30) == [list(range(8)), [8, 9]]


def textbook(rows: Rows, level: int) -> set[frozenset[int]]:
    """Return the clusters of a textbook implementation."""
    clusters = [frozenset([one]) for one in range(len(rows))]
    while True:
        candidates = []
        for at, one in enumerate(clusters):
            for other in clusters[at + 1 :]:
                value = sum(rows[a][b] for a in one for b in other) / (len(one) * len(other))
                if value >= level and len(one | other) <= MAX_MEMBERS:
                    candidates.append((value, one, other))
        if not candidates:
            return set(clusters)
        _, one, other = max(candidates, key=lambda candidate: candidate[0])
        clusters = [c for c in clusters if c not in (one, other)] + [one | other]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(2, 14), st.randoms(use_true_random=False), st.integers(1, 9))
def test_as_the_textbook(count: int, random: object, tenths: int) -> None:
    # Far apart, so that rounding an average to a whole number decides nothing.
    values = [n * n * 9_973 for n in range(1, 200)]
    random.shuffle(values)  # type: ignore[attr-defined]
    pairs = {(a, b): values.pop() for a in range(count) for b in range(a)}
    level = tenths * 30_000_001
    ours = {frozenset(cluster) for cluster in linked(rows_of(count, pairs), level=level)}
    assert ours == textbook(rows_of(count, pairs), level)
