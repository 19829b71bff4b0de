"""Okapi BM25 over bags of weighted words."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from math import log

Bag = Mapping[str, float]
"""Words with their weights, in an order that the text gives, so that sums come out the same."""

# Words that more documents than both have are packed, see _Packed: below, a loop is as fast.
_MANY_DOCUMENTS, _SHARE_OF_DOCUMENTS = 50, 1 / 16


class Bm25:
    """An index of documents, each a bag of words.

    k1 and b have the usual values of the literature (Robertson and Zaragoza, The Probabilistic
    Relevance Framework, 2009).
    """

    def __init__(self, bags: Sequence[Bag], *, k1: float = 1.2, b: float = 0.75) -> None:
        lengths = [sum(bag.values()) for bag in bags]
        mean = sum(lengths) / len(bags) if bags else 0.0
        self._k1 = k1
        self._bags = bags
        self._damping = [k1 * (1 - b + (b * length / mean if mean else 0.0)) for length in lengths]
        # Documents and values of a word apart: lists of pairs take three times as long in row().
        self._postings: dict[str, tuple[list[int], list[float]]] = {}
        for index, bag in enumerate(bags):
            for word, weight in bag.items():
                documents, values = self._postings.setdefault(word, ([], []))
                documents.append(index)
                values.append(self._value(weight, index))
        self._counts = {word: len(documents) for word, (documents, _) in self._postings.items()}
        self._idf = {word: self._idf_of(count) for word, count in self._counts.items()}
        many = max(_MANY_DOCUMENTS, _SHARE_OF_DOCUMENTS * len(bags))
        self._packed = _Packed(len(bags))
        for word, count in self._counts.items():
            if count > many:
                self._packed.add(word, *self._postings.pop(word))

    def _value(self, weight: float, index: int) -> float:
        return weight * (self._k1 + 1) / (weight + self._damping[index])

    def _idf_of(self, count: int) -> float:
        return log(1 + (len(self._bags) - count + 0.5) / (count + 0.5))

    def idf(self, word: str) -> float:
        """Return the inverse document frequency of a word."""
        return self._idf[word] if word in self._idf else self._idf_of(0)

    def count(self, word: str) -> int:
        """Return the number of documents that have a word."""
        return self._counts.get(word, 0)

    def scores(self, query: Bag) -> dict[int, float]:
        """Return the score of each document that shares a word with the query, by its index."""
        return {index: score for index, score in enumerate(self.row(query)) if score}

    def row(self, query: Bag) -> list[float]:
        """Return the scores of all documents in their order, 0 where no word is shared."""
        factors = {word: weight * self.idf(word) for word, weight in query.items()}
        scores = self._packed.row(factors)
        for word, factor in factors.items():
            if word in self._postings:
                # Of equal length; to check that costs a tenth of the time.
                for index, value in zip(*self._postings[word], strict=False):
                    scores[index] += factor * value
        return scores

    def upper_bound(self, query: Bag) -> float:
        """Return the score that no document can reach: each word of the query in it endlessly."""
        weights = (weight * self.idf(word) for word, weight in query.items())
        return sum(weights) * (self._k1 + 1)

    def contributions(self, query: Bag, index: int) -> list[tuple[float, str]]:
        """Return what each word adds to the score of one document, the most first."""
        bag = self._bags[index]
        contributions = [
            (weight * self.idf(word) * self._value(bag[word], index), word)
            for word, weight in query.items()
            if word in bag
        ]
        return sorted(contributions, key=lambda pair: (-pair[0], pair[1]))


class _Packed:
    """The values of words that many documents have, those of one word as one large number.

    Each document has 64 bits of it. To multiply and to add such numbers takes a tenth of the time
    of a loop over documents. Values and factors are rounded to 16 binary places; 32 bits are left
    for sums.
    """

    def __init__(self, documents: int) -> None:
        self._fields = struct.Struct(f"<{documents}Q")
        self._numbers: dict[str, int] = {}

    def add(self, word: str, documents: Sequence[int], values: Sequence[float]) -> None:
        fields = [0] * (self._fields.size // 8)
        for index, value in zip(documents, values, strict=True):
            fields[index] = _fixed(value)
        self._numbers[word] = int.from_bytes(self._fields.pack(*fields), "little")

    def row(self, factors: Mapping[str, float]) -> list[float]:
        """Return the sum of factor x value for all documents."""
        words = self._numbers.keys() & factors.keys()
        total = sum(_fixed(factors[word]) * self._numbers[word] for word in words)
        fields = self._fields.unpack(total.to_bytes(self._fields.size, "little"))
        return [field / (1 << 32) for field in fields]


def _fixed(value: float) -> int:
    return round(value * (1 << 16))
