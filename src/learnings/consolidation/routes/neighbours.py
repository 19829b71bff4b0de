"""Which entries of a file are near each other in their words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import nsmallest
from math import log, sqrt

from learnings.consolidation.text.bm25 import Bag

MOST_HAVING = 150
"""A word that more entries have says little and costs most of the time."""


class Likeness:
    """The likeness of any entry to the others, as the cosine of weighted words."""

    def __init__(self, bags: Sequence[Bag]) -> None:
        having: dict[str, int] = defaultdict(int)
        for bag in bags:
            for word in bag:
                having[word] += 1
        self._vectors = [_vector(bag, having, len(bags)) for bag in bags]
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, vector in enumerate(self._vectors):
            for word, weight in vector.items():
                self._postings[word].append((place, weight))

    def nearest(self, place: int, most: int) -> list[tuple[float, int]]:
        """Return the entries most like one, with their likeness from 0 to 1, the nearest first."""
        found: dict[int, float] = {}
        for word, weight in self._vectors[place].items():
            for other, its in self._postings[word]:
                if other != place:
                    found[other] = found.get(other, 0.0) + weight * its
        order = nsmallest(most, ((-likeness, other) for other, likeness in found.items()))
        return [(-likeness, other) for likeness, other in order]


def _vector(bag: Bag, having: dict[str, int], count: int) -> dict[str, float]:
    weights = {
        word: (1 + log(1 + weight)) * log(count / having[word]) for word, weight in bag.items()
    }
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {
        word: weight / length for word, weight in weights.items() if 1 < having[word] <= MOST_HAVING
    }
