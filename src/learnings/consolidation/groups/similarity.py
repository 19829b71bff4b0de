"""How similar entries are: the words they share, and how near in time they were written."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence

from learnings.consolidation.text.rows import Rows

ONE = 1 << 30
"""A similarity of 1."""

_UNIT = 1 << 15  # a weight of 1; the product of two is at most ONE

NEAR_IN_TIME, FADE = 0.10, 5.0
"""What entries gain that were written near each other: NEAR_IN_TIME · exp(-days / FADE).

Over the six passes at hand F1 falls from 0.39 to 0.27 without it, and to 0.36 with levels chosen
anew on other dates (benchmarks/README.md, Groups); it also helped on five others.
"""


def similarities(
    vectors: Sequence[Mapping[str, float]], days: Sequence[int | None]
) -> Iterator[array[int]]:
    """Yield the similarity of each vector to all, in parts of ONE; 0 to itself.

    Vectors have the length 1 or are empty. days are ordinals of dates.
    """
    weights = [{key: round(value * _UNIT) for key, value in vector.items()} for vector in vectors]
    rows = Rows(weights, len(weights), "I")
    near = {
        day: rows.packed({n: round(ONE * _nearness(day, other)) for n, other in enumerate(days)})
        for day in dict.fromkeys(days)
    }
    for index, (factors, day) in enumerate(zip(weights, days, strict=True)):
        row = rows.sums(factors, near[day])
        row[index] = 0
        yield row


def similarity(
    one: tuple[Mapping[str, float], int | None], other: tuple[Mapping[str, float], int | None]
) -> float:
    """Return the similarity of two vectors with their days."""
    (vector, day), (other_vector, other_day) = one, other
    words = sum(value * other_vector.get(key, 0.0) for key, value in vector.items())
    return words + _nearness(day, other_day)


def _nearness(day: int | None, other: int | None) -> float:
    if day is None or other is None:
        return 0.0
    return NEAR_IN_TIME * math.exp(-abs(day - other) / FADE)
