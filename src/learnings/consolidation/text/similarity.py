"""The similarity of texts: Okapi BM25, and the share of an entry that another text contains."""

from __future__ import annotations

import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain
from math import log
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys, keywords
from learnings.consolidation.text.sections import TargetSection, content_of
from learnings.core.entries.document import Entry

_MANY = 1 / 32
"""Share of documents from which to pack a word; below it a loop is as fast."""


class WordSums:
    """Documents as whole-number values of their words.

    A word of many documents is kept as one large number with a field for each of them: to multiply
    and add such numbers takes a tenth of the time of a loop. Sums of whole numbers do not depend on
    their order. field is the type code of an array that holds the largest sum.
    """

    def __init__(self, documents: Iterable[Mapping[str, int]], count: int, field: str) -> None:
        self._field, self._count = field, count
        # Documents and values in separate arrays: a list of pairs takes three times as much memory.
        self._postings: dict[str, tuple[array[int], array[int]]] = defaultdict(
            lambda: (array("I"), array(field))
        )
        for index, values in enumerate(documents):
            for word, value in values.items():
                indices, posted = self._postings[word]
                indices.append(index)
                posted.append(value)
        many = [word for word, (at, _) in self._postings.items() if len(at) > _MANY * count]
        self._packed = {
            word: self.packed(dict(zip(*self._postings.pop(word), strict=True))) for word in many
        }

    def packed(self, values: Mapping[int, int]) -> int:
        """Return values by document as one number, to begin sums with."""
        fields = array(self._field, bytes(array(self._field).itemsize * self._count))
        for index, value in values.items():
            fields[index] = value
        return int.from_bytes(fields.tobytes(), sys.byteorder)

    def sums(self, factors: Mapping[str, int], start: int = 0) -> array[int]:
        """Return for each document the sum of factor x value over the words of both."""
        few = []
        for word, factor in factors.items():
            if word in self._packed:
                start += factor * self._packed[word]
            elif word in self._postings:
                few.append((factor, *self._postings[word]))
        size = array(self._field).itemsize * self._count
        sums = array(self._field, start.to_bytes(size, sys.byteorder))
        for factor, indices, values in few:
            # They have equal length; to check that costs a tenth of the time.
            for index, value in zip(indices, values, strict=False):
                sums[index] += factor * value
        return sums


Bag = Mapping[str, float]
"""Words with their weights, in text order, so that sums are reproducible."""

_UNIT = 1 << 18
"""Parts of 1 to which weights and values are rounded; 28 of 64 bits are left for sums."""


class Bm25:
    """An index of documents, each a bag of words.

    k1 and b have the usual values of the literature (Robertson and Zaragoza, The Probabilistic
    Relevance Framework, 2009).
    """

    def __init__(self, bags: Sequence[Bag], *, k1: float = 1.2, b: float = 0.75) -> None:
        lengths = [sum(bag.values()) for bag in bags]
        mean = sum(lengths) / (len(bags) or 1) or 1.0
        self._k1, self._bags = k1, bags
        self._damping = [k1 * (1 - b + b * length / mean) for length in lengths]
        self._counts = Counter(word for bag in bags for word in bag)
        values = (
            {word: round(_UNIT * self._value(weight, index)) for word, weight in bag.items()}
            for index, bag in enumerate(bags)
        )
        self._rows = WordSums(values, len(bags), "Q")

    def _value(self, weight: float, index: int) -> float:
        return weight * (self._k1 + 1) / (weight + self._damping[index])

    def idf(self, word: str) -> float:
        """Return the inverse document frequency of a word."""
        count = self._counts[word]
        return log(1 + (len(self._bags) - count + 0.5) / (count + 0.5))

    def count(self, word: str) -> int:
        """Return the number of documents that have a word."""
        return self._counts[word]

    def row(self, query: Bag) -> list[float]:
        """Return the scores of all documents in their order, 0 if no word is shared."""
        factors = {word: round(_UNIT * weight * self.idf(word)) for word, weight in query.items()}
        scale = 1 / _UNIT**2  # a power of two, so that nothing is rounded
        return [total * scale for total in self._rows.sums(factors)]

    def upper_bound(self, query: Bag) -> float:
        """Return the limit of all scores: each word of the query, infinitely often."""
        weights = (weight * self.idf(word) for word, weight in query.items())
        return sum(weights) * (self._k1 + 1)

    def contributions(self, query: Bag, index: int) -> list[tuple[float, str]]:
        """Return each word's contribution to the score of one document, largest first."""
        bag = self._bags[index]
        contributions = [
            (weight * self.idf(word) * self._value(bag[word], index), word)
            for word, weight in query.items()
            if word in bag
        ]
        return sorted(contributions, key=lambda pair: (-pair[0], pair[1]))


Pair = tuple[str, str]

REACH = 2
"""Largest distance of a pair's keywords: neighbours, or with one keyword between them.

Either order counts, because a condensed text reorders its words. Chosen with the development half
of the made-up cases in view (benchmarks/README.md, Pre-checks).
"""


FEW_PAIRS = 6
"""Least pairs of a text that represent it; chosen, about two sentences."""


class Covered(NamedTuple):
    """The text that covers an entry best, by its index among the texts.

    score is the share of the entry's distinct pairs of near keywords that the text also has, from 0
    to 1. shared and missing are those pairs, in the order of the entry, as `one other` in the
    entry's words.
    """

    text_index: int
    score: float
    shared: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def new_words(self) -> tuple[str, ...]:
        """The words of the entry that are only in missing pairs, in its order."""
        known = {word for pair in self.shared for word in pair.split(" ")}
        words = (word for pair in self.missing for word in pair.split(" "))
        return tuple(dict.fromkeys(word for word in words if word not in known))

    @property
    def pairs(self) -> int:
        """The number of distinct pairs of the entry."""
        return len(self.shared) + len(self.missing)

    def __str__(self) -> str:
        return f"{len(self.shared)} of {self.pairs} word pairs"


class Texts:
    """Texts to compare entries with; their indices are in the given order."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_pair: dict[Pair, list[int]] = defaultdict(list)
        for index, text in enumerate(texts):
            words = keys(text)
            near = (zip(words, words[n:], strict=False) for n in range(1, REACH + 1))
            pairs = {(a, b) if a < b else (b, a) for a, b in chain(*near) if a != b}
            for pair in pairs:
                self._by_pair[pair].append(index)

    def best(self, entry: Entry) -> Covered | None:
        """Return the text that covers an entry best, the first of equals; None without a match."""
        return self.best_of_text(f"{entry.title}\n{content_of(entry)}")

    def best_of_text(self, text: str, shared: Container[Pair] = ()) -> Covered | None:
        """Do the same for any text; pairs that it shares with others don't count."""
        wanted = pairs_of(text)
        own = {pair: words for pair, words in wanted.items() if pair not in shared}
        wanted = own if len(own) >= FEW_PAIRS else wanted
        texts_with = {pair: self._by_pair[pair] for pair in wanted if pair in self._by_pair}
        counts = Counter(chain.from_iterable(texts_with.values()))
        if not counts:
            return None
        most = max(counts.values())
        best = min(index for index, count in counts.items() if count == most)
        shared = {pair for pair, texts in texts_with.items() if best in texts}
        return Covered(
            best,
            most / len(wanted),
            tuple(words for pair, words in wanted.items() if pair in shared),
            tuple(words for pair, words in wanted.items() if pair not in shared),
        )


def texts_of(sections: Sequence[TargetSection]) -> Texts:
    """Return the sections of target files as texts, each with its heading."""
    return Texts(f"{section.title}\n{section.text}" for section in sections)


def pairs_of(text: str) -> dict[Pair, str]:
    """Return the distinct pairs of a text with their words as written, in its order."""
    all_keywords = keywords(text)
    pairs: dict[Pair, str] = {}
    for index, one in enumerate(all_keywords):
        for other in all_keywords[index + 1 : index + 1 + REACH]:
            if one.key != other.key:
                pair = (one.key, other.key) if one.key < other.key else (other.key, one.key)
                pairs.setdefault(pair, f"{one.word} {other.word}")
    return pairs
