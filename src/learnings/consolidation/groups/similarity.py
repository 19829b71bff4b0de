"""How similar entries are: the words they share, and how near in time they were written."""

from __future__ import annotations

import math
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

ONE = 1 << 30
"""A similarity of 1. Whole numbers come out the same in whatever order they are added."""

_UNIT = 1 << 15  # a weight of 1; the product of two is at most ONE
# A word of more entries than one in so many is multiplied for all entries at once, as one large
# number with a field of 32 bits for each; for rarer ones that takes longer than one by one.
_DENSE = 80


class Nearness(NamedTuple):
    """What entries gain that were written near each other: share · exp(-days / fade).

    Over the six passes at hand F1 falls from 0.39 to 0.27 without it, and to 0.36 with levels
    chosen anew on other dates (benchmarks/README.md, Groups); it also helped on five others.
    """

    share: float = 0.10
    fade: float = 5.0


NEARNESS = Nearness()


def similarities(
    vectors: Sequence[Mapping[str, float]],
    days: Sequence[int | None],
    nearness: Nearness = NEARNESS,
) -> Iterator[array[int]]:
    """Yield the similarity of each vector to all, in parts of ONE; 0 to itself.

    Vectors have the length 1 or are empty. days are ordinals of dates.
    """
    count = len(vectors)
    weights = [_weights(vector) for vector in vectors]
    postings = _postings(weights)
    packed = {
        key: _packed(dict(posted), count)
        for key, posted in postings.items()
        if len(posted) * _DENSE > count
    }
    near = {day: _packed(_near(day, days, nearness), count) for day in dict.fromkeys(days)}
    for index, vector_weights in enumerate(weights):
        total, rare = near[days[index]], []
        for key, weight in vector_weights.items():
            if key in packed:
                total += weight * packed[key]
            elif key in postings:
                rare.append((weight, postings[key]))
        row = _unpacked(total, count)
        for weight, posted in rare:
            for other, other_weight in posted:
                row[other] += weight * other_weight
        row[index] = 0
        yield row


def similarity(
    one: tuple[Mapping[str, float], int | None],
    other: tuple[Mapping[str, float], int | None],
    nearness: Nearness = NEARNESS,
) -> float:
    """Return the similarity of two vectors with their days."""
    (vector, day), (other_vector, other_day) = one, other
    words = sum(value * other_vector.get(key, 0.0) for key, value in vector.items())
    return words + (_near(day, [other_day], nearness).get(0, 0) / ONE)


def _weights(vector: Mapping[str, float]) -> dict[str, int]:
    return {key: round(value * _UNIT) for key, value in vector.items()}


def _postings(weights: Sequence[Mapping[str, int]]) -> dict[str, list[tuple[int, int]]]:
    """Return the vectors that have each key, with its weight; none for a key of one vector."""
    postings: dict[str, list[tuple[int, int]]] = {}
    for index, vector_weights in enumerate(weights):
        for key, weight in vector_weights.items():
            postings.setdefault(key, []).append((index, weight))
    return {key: posted for key, posted in postings.items() if len(posted) > 1}


def _near(day: int | None, days: Sequence[int | None], nearness: Nearness) -> dict[int, int]:
    if day is None:
        return {}
    return {
        index: round(ONE * nearness.share * math.exp(-abs(day - other) / nearness.fade))
        for index, other in enumerate(days)
        if other is not None
    }


def _packed(values: Mapping[int, int], count: int) -> int:
    fields = array("I", bytes(4 * count))
    for index, value in values.items():
        fields[index] = value
    return int.from_bytes(fields.tobytes(), sys.byteorder)


def _unpacked(number: int, count: int) -> array[int]:
    return array("I", number.to_bytes(4 * count, sys.byteorder))
