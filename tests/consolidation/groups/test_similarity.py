from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.groups.partition import ONE, Profile, similarities, similarity

VECTORS = st.lists(
    st.dictionaries(st.sampled_from("abcdefghij"), st.floats(0.1, 9), max_size=6), max_size=90
)
DAYS = st.lists(st.none() | st.integers(1, 40), min_size=90, max_size=90)


def unit(vector: dict[str, float]) -> dict[str, float]:
    length = math.hypot(*vector.values())
    return {key: value / length for key, value in vector.items()}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(VECTORS, DAYS)
def test_all_pairs(vectors: list[dict[str, float]], days: list[int | None]) -> None:
    texts = [
        Profile(unit(vector), {}, frozenset(), day)
        for vector, day in zip(vectors, days, strict=False)
    ]
    rows = list(similarities([text.words for text in texts], [text.day for text in texts]))
    for index, row in enumerate(rows):
        expected = [similarity(texts[index], text) for text in texts]
        expected[index] = 0
        assert [value / ONE for value in row] == pytest.approx(expected, abs=2e-4)


def test_rare_words_count_as_common_ones_do() -> None:
    # A word of two among two hundred is added one by one.
    vectors = [
        unit({f"own{n}": 1.0, "all": 1.0, **({"rare": 2.0} if n < 2 else {})}) for n in range(200)
    ]
    row = next(similarities(vectors, [None] * 200))
    assert row[1] / ONE == pytest.approx(5 / 6, abs=1e-3)
    assert row[2] / ONE == pytest.approx(1 / math.sqrt(12), abs=1e-3)


def test_near_in_time_is_more_similar() -> None:
    row = next(similarities([{"a": 1.0}] * 4, [100, 100, 95, None]))
    assert [round(value / ONE, 3) for value in row] == [0, 1.1, 1 + round(0.1 / math.e, 3), 1]
