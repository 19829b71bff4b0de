"""Which entries of a file have similar words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from heapq import nsmallest
from math import log, sqrt

from learnings.consolidation.text.bm25 import Bag

MAX_ENTRIES_WITH_WORD = 150
"""A word that more entries have says little and costs most of the time: a bound on time, chosen
without a measurement of quality."""


class Likeness:
    """The likeness of any entry to the others, as the cosine of weighted words."""

    def __init__(self, bags: Sequence[Bag]) -> None:
        document_counts: dict[str, int] = defaultdict(int)
        for bag in bags:
            for word in bag:
                document_counts[word] += 1
        self._vectors = [_vector(bag, document_counts, len(bags)) for bag in bags]
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for index, vector in enumerate(self._vectors):
            for word, weight in vector.items():
                self._postings[word].append((index, weight))

    def nearest(self, index: int, limit: int) -> list[tuple[float, int]]:
        """Return likeness, 0 to 1, and index of the entries most like one, the nearest first."""
        likeness_by_entry: dict[int, float] = {}
        for word, weight in self._vectors[index].items():
            for other, other_weight in self._postings[word]:
                if other != index:
                    likeness = likeness_by_entry.get(other, 0.0) + weight * other_weight
                    likeness_by_entry[other] = likeness
        order = nsmallest(limit, ((-value, other) for other, value in likeness_by_entry.items()))
        return [(-likeness, other) for likeness, other in order]


def _vector(bag: Bag, document_counts: dict[str, int], count: int) -> dict[str, float]:
    weights = {
        word: (1 + log(1 + weight)) * log(count / document_counts[word])
        for word, weight in bag.items()
    }
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {
        word: weight / length
        for word, weight in weights.items()
        if 1 < document_counts[word] <= MAX_ENTRIES_WITH_WORD
    }
