"""Average linkage on the excess of closeness, and the levels of a file."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.groups.linkage import Clusters, Thresholds, excess, levels


def rows_of(count: int, pairs: Mapping[tuple[int, int], float]) -> list[array[float]]:
    rows = [array("d", [0.0] * count) for _ in range(count)]
    for (one, other), value in pairs.items():
        rows[one][other] = rows[other][one] = value
    return rows


def linked(
    count: int,
    pairs: Mapping[tuple[int, int], float],
    *,
    group: float,
    pair: float,
    largest: int = 8,
) -> list[list[int]]:
    clusters = Clusters(excess(rows_of(count, pairs), 0.0), group=group, pair=pair)
    clusters.link(largest)
    return sorted(sorted(cluster) for cluster in clusters.members.values())


def test_the_closest_come_first() -> None:
    pairs = {(0, 1): 0.5, (1, 2): 0.9, (2, 3): 0.5}
    assert linked(4, pairs, group=0.3, pair=0.3, largest=2) == [[0], [1, 2], [3]]


def test_the_average_decides() -> None:
    pairs = {(0, 1): 0.9, (1, 2): 0.5}
    assert linked(3, pairs, group=0.3, pair=0.3) == [[0, 1], [2]]
    assert linked(3, pairs, group=0.25, pair=0.3) == [[0, 1, 2]]


def test_a_pair_needs_more_to_begin_than_a_third_to_join() -> None:
    pairs = {(0, 1): 0.4, (0, 2): 0.4, (1, 2): 0.4}
    assert linked(3, pairs, group=0.3, pair=0.5) == [[0], [1], [2]]
    pairs[0, 1] = 0.5
    assert linked(3, pairs, group=0.3, pair=0.5) == [[0, 1, 2]]


def test_only_what_exceeds_the_level_counts() -> None:
    assert excess(rows_of(3, {(0, 1): 0.5, (1, 2): 0.2}), 0.2) == [{1: 0.3}, {0: 0.3}, {}]


def textbook(
    rows: list[array[float]], group: float, pair: float, largest: int
) -> set[frozenset[int]]:
    """Return the clusters of a textbook implementation."""
    clusters = [frozenset([one]) for one in range(len(rows))]
    while True:
        candidates = []
        for at, one in enumerate(clusters):
            for other in clusters[at + 1 :]:
                value = sum(rows[a][b] for a in one for b in other) / (len(one) * len(other))
                needed = pair if len(one) == len(other) == 1 else group
                if 0 < value >= needed and len(one | other) <= largest:
                    candidates.append((value, one, other))
        if not candidates:
            return set(clusters)
        _, one, other = max(candidates, key=lambda candidate: candidate[0])
        clusters = [c for c in clusters if c not in (one, other)] + [one | other]


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.randoms(use_true_random=False), st.integers(2, 8))
def test_as_the_textbook(count: int, random: object, largest: int) -> None:
    values = [n / 997 for n in range(1, 997)]
    random.shuffle(values)  # type: ignore[attr-defined]
    pairs = {(a, b): values.pop() for a in range(count) for b in range(a)}
    ours = linked(count, pairs, group=0.3, pair=0.5, largest=largest)
    rows = rows_of(count, pairs)
    assert {frozenset(cluster) for cluster in ours} == textbook(rows, 0.3, 0.5, largest)


def test_levels_are_those_of_the_closest_pairs() -> None:
    values = iter(n / 1000 for n in range(1, 191))  # 20 entries have 190 pairs
    rows = rows_of(20, {(a, b): next(values) for a in range(20) for b in range(a)})
    assert levels(rows, Thresholds(group=0.05, pair=0.6, far=0.2)) == (0.152, 0.181, 0.185)


def test_levels_of_a_file_about_one_thing() -> None:
    alike = rows_of(9, {(a, b): 0.9 for a in range(9) for b in range(a)})
    assert max(levels(alike, Thresholds())) < 0.5


@pytest.mark.parametrize(("count", "share"), [(40, 0.05), (400, 0.015)])
def test_pairs_of_an_entry_are_limited_in_large_files(count: int, share: float) -> None:
    total = count * (count - 1) // 2
    values = iter(0.3 * n / total for n in range(total))
    rows = rows_of(count, {(a, b): next(values) for a in range(count) for b in range(a)})
    assert levels(rows, Thresholds()).group == pytest.approx(0.3 * (1 - share), abs=0.003)
