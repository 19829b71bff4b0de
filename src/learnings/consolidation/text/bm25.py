"""Okapi BM25 over bags of weighted words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import log

Bag = Mapping[str, float]
"""Words with their weights, in an order that the text gives, so that sums come out the same."""


class Bm25:
    """An index of documents, each a bag of words.

    saturation and by_length are what the literature calls k1 and b.
    """

    def __init__(self, bags: Sequence[Bag], *, k1: float = 1.2, b: float = 0.75) -> None:
        lengths = [sum(bag.values()) for bag in bags]
        mean = sum(lengths) / len(bags) if bags else 0.0
        self._saturation = k1
        self._bags = bags
        self._damping = [k1 * (1 - b + (b * length / mean if mean else 0.0)) for length in lengths]
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, bag in enumerate(bags):
            for word, weight in bag.items():
                self._postings[word].append((place, self._value(weight, place)))
        self._rarity = {word: self._rarity_of(len(each)) for word, each in self._postings.items()}

    def _value(self, weight: float, place: int) -> float:
        return weight * (self._saturation + 1) / (weight + self._damping[place])

    def _rarity_of(self, having: int) -> float:
        return log(1 + (len(self._bags) - having + 0.5) / (having + 0.5))

    def idf(self, word: str) -> float:
        """Return how much a word tells: the fewer documents have it, the more."""
        return self._rarity[word] if word in self._rarity else self._rarity_of(0)

    def scores(self, query: Bag) -> dict[int, float]:
        """Return the score of each document that shares a word with the query, by its place."""
        return {place: score for place, score in enumerate(self.row(query)) if score}

    def row(self, query: Bag) -> list[float]:
        """Return the scores of all documents in their order, 0 where no word is shared."""
        found = [0.0] * len(self._bags)
        for word, weight in query.items():
            factor = weight * self.idf(word)
            for place, value in self._postings.get(word, ()):
                found[place] += factor * value
        return found

    def most(self, query: Bag) -> float:
        """Return what no document can reach: each word of the query in it without end."""
        found = (weight * self.idf(word) for word, weight in query.items())
        return sum(found) * (self._saturation + 1)

    def shares(self, query: Bag, place: int) -> list[tuple[float, str]]:
        """Return what each word adds to the score of one document, the most first."""
        bag = self._bags[place]
        found = [
            (weight * self.idf(word) * self._value(bag[word], place), word)
            for word, weight in query.items()
            if word in bag
        ]
        return sorted(found, key=lambda share: (-share[0], share[1]))
