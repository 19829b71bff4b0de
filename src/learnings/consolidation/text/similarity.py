"""The similarity of texts: Okapi BM25, and the share of an entry that another text contains."""

from __future__ import annotations

import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
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

    def __init__(self, documents: Sequence[Mapping[str, int]], field: str) -> None:
        self._zeros = array(field, bytes(array(field).itemsize * len(documents)))
        self.spread = Counter(chain.from_iterable(documents))  # number of documents by word
        least = _MANY * len(documents)
        many = {word: self._zeros[:] for word, n in self.spread.items() if n > least}
        self._few: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for index, values in enumerate(documents):
            for word, value in values.items():
                if word in many:
                    many[word][index] = value
                else:
                    self._few[word].append((index, value))
        self._packed = {word: packed(values) for word, values in many.items()}

    def sums(self, factors: Mapping[str, int], start: int = 0) -> array[int]:
        """Return for each document the sum of factor x value over the words of both.

        start are packed() values to begin the sums with.
        """
        for word in factors.keys() & self._packed.keys():
            start += factors[word] * self._packed[word]
        sums = self._zeros[:0]
        sums.frombytes(start.to_bytes(len(self._zeros) * sums.itemsize, sys.byteorder))
        for word in factors.keys() & self._few.keys():
            factor = factors[word]
            for index, value in self._few[word]:
                sums[index] += factor * value
        return sums


def packed(values: array[int]) -> int:
    """Return values as one large number with a field for each of them."""
    return int.from_bytes(values.tobytes(), sys.byteorder)


Bag = Mapping[str, float]
"""Words with their weights, in text order, so that sums are reproducible."""

_UNIT = 1 << 18
"""Parts of 1 to which weights and values are rounded; 28 of 64 bits are left for sums."""

_K1, _B = 1.2, 0.75
"""The usual values (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)."""


class Bm25:
    """An index of documents, each a bag of words."""

    def __init__(self, bags: Sequence[Bag]) -> None:
        lengths = [sum(bag.values()) for bag in bags]
        mean = sum(lengths) / (len(bags) or 1) or 1.0
        self._bags = bags
        self._norms = [_K1 * (1 - _B + _B * length / mean) for length in lengths]
        rounded = []
        for bag, norm in zip(bags, self._norms, strict=True):
            parts = {weight: round(_UNIT * _saturated(weight, norm)) for weight in {*bag.values()}}
            rounded.append({word: parts[weight] for word, weight in bag.items()})
        self._rows = WordSums(rounded, "Q")

    def idf(self, word: str) -> float:
        """Return the inverse document frequency of a word."""
        count = self.count(word)
        return log(1 + (len(self._bags) - count + 0.5) / (count + 0.5))

    def count(self, word: str) -> int:
        """Return the number of documents that have a word."""
        return self._rows.spread[word]

    def row(self, query: Bag) -> list[float]:
        """Return the scores of all documents in their order, 0 if no word is shared."""
        factors = {word: round(_UNIT * weight * self.idf(word)) for word, weight in query.items()}
        scale = 1 / _UNIT**2  # a power of two, so that nothing is rounded
        return [total * scale for total in self._rows.sums(factors)]

    def limit(self, query: Bag) -> float:
        """Return the limit of all scores: each word of the query, infinitely often."""
        weights = (weight * self.idf(word) for word, weight in query.items())
        return sum(weights) * (_K1 + 1)

    def shared(self, query: Bag, index: int) -> list[str]:
        """Return the words that a document shares with a query, largest part of its score first."""
        bag, norm = self._bags[index], self._norms[index]
        parts = {
            word: weight * self.idf(word) * _saturated(bag[word], norm)
            for word, weight in query.items()
            if word in bag
        }
        return sorted(parts, key=lambda word: (-parts[word], word))


def _saturated(weight: float, norm: float) -> float:
    """Return the value of a word in a document whose length gives the norm."""
    return weight * (_K1 + 1) / (weight + norm)


class WordIndex:
    """Texts, each as its words, by these words; a word that more than `most` have is skipped."""

    def __init__(self, texts: Iterable[Iterable[str]], most: int = sys.maxsize) -> None:
        self._most = most
        self._with_word = defaultdict[str, list[int]](list)
        for position, text in enumerate(texts):
            for word in text:
                self._with_word[word].append(position)

    def sharing(self, words: Iterable[str]) -> list[tuple[int, int]]:
        """Return the positions of the texts with some of the words, and the number of these."""
        found = (self._with_word.get(word, ()) for word in words)
        counts = Counter(chain.from_iterable(some for some in found if len(some) <= self._most))
        return sorted(counts.items())


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

    shared are the entry's distinct pairs of near keywords that the text also has, missing are the
    others, in the order of the entry, as `one other` in the entry's words.
    """

    text_index: int
    shared: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def score(self) -> float:
        """The share of the entry's pairs that the text also has, from 0 to 1."""
        return len(self.shared) / self.pairs

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
    """Texts to compare entries with; their indices are in the given order.

    asked are all texts that will be compared, None if they are not known yet.
    """

    def __init__(self, texts: Iterable[str], asked: Iterable[str] | None = None) -> None:
        wanted = set[Pair]().union(*map(pairs_of, asked or ()))
        wanted |= {(other, one) for one, other in wanted}
        self._by_pair: dict[Pair, list[int]] = defaultdict(list)
        for index, text in enumerate(texts):
            words = keys(text)
            near = chain(*(zip(words, words[n:], strict=False) for n in range(1, REACH + 1)))
            found = {*(near if asked is None else filter(wanted.__contains__, near))}
            for pair in {(a, b) if a < b else (b, a) for a, b in found if a != b}:
                self._by_pair[pair].append(index)

    def best(self, entry: Entry) -> Covered | None:
        """Return the text that covers an entry best, the first of equals; None without a match."""
        return self.best_of_text(text_of(entry))

    def best_of_text(self, text: str, shared: Container[Pair] = ()) -> Covered | None:
        """Do the same for any text; pairs that it shares with others don't count."""
        wanted = pairs_of(text)
        own = {pair: words for pair, words in wanted.items() if pair not in shared}
        wanted = own if len(own) >= FEW_PAIRS else wanted
        counts = Counter(chain.from_iterable(self._by_pair.get(pair, ()) for pair in wanted))
        if not counts:
            return None
        best = min(counts, key=lambda index: (-counts[index], index))
        is_shared = {pair: best in self._by_pair.get(pair, ()) for pair in wanted}
        return Covered(
            best,
            tuple(words for pair, words in wanted.items() if is_shared[pair]),
            tuple(words for pair, words in wanted.items() if not is_shared[pair]),
        )


def text_of(entry: Entry) -> str:
    """Return an entry as a text to compare; its title stands there once."""
    return f"{entry.title}\n{content_of(entry)}"


def texts_of(sections: Sequence[TargetSection], asked: Iterable[str] | None = None) -> Texts:
    """Return the sections of target files as texts, each with its heading."""
    return Texts((f"{section.title}\n{section.text}" for section in sections), asked)


@lru_cache(maxsize=4096)  # of the entries of a file, which several questions are about
def pairs_of(text: str) -> Mapping[Pair, str]:
    """Return the distinct pairs of a text with their words as written, in its order."""
    all_keywords = keywords(text)
    pairs: dict[Pair, str] = {}
    for index, one in enumerate(all_keywords):
        for other in all_keywords[index + 1 : index + 1 + REACH]:
            if one.key != other.key:
                pair = (one.key, other.key) if one.key < other.key else (other.key, one.key)
                pairs.setdefault(pair, f"{one.word} {other.word}")
    return pairs
