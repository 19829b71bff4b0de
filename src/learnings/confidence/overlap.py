"""The overlap of texts and tags, and candidates for comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys


class Limit(NamedTuple):
    """A fraction for so many comparisons that Fraction would be too slow."""

    numerator: int
    denominator: int


SIGNIFICANT = Limit(60, 100)
"""Overlap above which a criterion is met. This and the next come from the source procedure."""

SAME = Limit(80, 100)
"""Overlap above which two entries have the same meaning."""

LEAST_WORDS = 3
"""Minimum content words of a text to compare: two common words are not a statement."""

NO_OVERLAP = Fraction(0)


# An observation is compared with many entries: the texts of a large run fit (10,000 observations).
@lru_cache(maxsize=32_768)
def content_words(text: str) -> frozenset[str]:
    """Return the distinct content words of a text, as stems."""
    return frozenset(keys(text))


def exceeds(shared: int, total: int, limit: Limit) -> bool:
    """Return True if a share is strictly above a limit."""
    return shared * limit.denominator > total * limit.numerator


def is_above(share: Fraction, limit: Limit) -> bool:
    """Return True if an overlap is strictly above a limit."""
    return exceeds(*share.as_integer_ratio(), limit)


def contained(part: str, whole: str) -> Fraction:
    """Return the share of a text's content words that another text also has."""
    words, others = content_words(part), content_words(whole)
    if min(len(words), len(others)) < LEAST_WORDS:
        return NO_OVERLAP
    return Fraction(len(words & others), len(words))


def containment(one: str, other: str) -> Fraction:
    """Return the share of the shorter text's content words that the other one also has."""
    words, others = content_words(one), content_words(other)
    least = min(len(words), len(others))
    return Fraction(len(words & others), least) if least >= LEAST_WORDS else NO_OVERLAP


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> Fraction:
    """Return the share of all names that two sets have in common; 0 if one is empty."""
    return Fraction(len(one & other), len(one | other)) if one and other else NO_OVERLAP


def are_near(one: AbstractSet[str], other: AbstractSet[str], limit: Limit) -> bool:
    """Return True if the Jaccard overlap of two sets is strictly above a limit."""
    least, most = len(one), len(other)
    if least > most:
        least, most = most, least
    if not exceeds(least, most, limit):  # the most that they can share
        return False
    shared = len(one & other)
    return exceeds(shared, least + most - shared, limit)


def best(overlaps: Iterable[Fraction]) -> Fraction:
    """Return the largest overlap, 0 if there is none."""
    return max(overlaps, default=NO_OVERLAP)


@lru_cache(maxsize=8_192)  # the tags of an observation are compared as often
def names(tags: tuple[str, ...]) -> frozenset[str]:
    """Return tags for comparison: `Error Handling` is `error-handling`."""
    return frozenset(name for name in map(as_name, tags) if name)


@lru_cache(maxsize=8_192)
def as_name(tag: str) -> str:
    """Return one tag, category or type for comparison."""
    return "-".join(tag.casefold().replace("_", " ").replace("-", " ").split())


class TextIndex:
    """The texts of items, which are numbers, by their words.

    A match and likeness need an overlap of texts, so 10,000 observations need not be compared with
    every entry and with each other.
    """

    def __init__(self) -> None:
        self._items: list[int] = []  # of each text
        self._sizes: list[int] = []  # its number of words
        self._largest = 0
        self._by_word: dict[str, set[int]] = {}
        self._texts_of: dict[int, list[tuple[int, frozenset[str]]]] = {}

    def add(self, item: int, texts: Iterable[str]) -> None:
        """Add an item with its texts."""
        self._texts_of[item] = []
        for words in map(content_words, texts):
            text = len(self._items)
            self._items.append(item)
            self._sizes.append(len(words))
            self._largest = max(self._largest, len(words))
            self._texts_of[item].append((text, words))
            for word in words:
                self._by_word.setdefault(word, set()).add(text)

    def remove(self, item: int) -> None:
        """Remove an item, if it exists."""
        for text, words in self._texts_of.pop(item, ()):
            for word in words:
                self._by_word[word].discard(text)

    def candidates(self, words: frozenset[str]) -> set[int]:
        """Return the items that an observation with these words could match."""
        postings = (self._by_word.get(word, ()) for word in words)
        counts = Counter(chain.from_iterable(postings))
        sizes, least = self._sizes, _least_shared(len(words), self._largest)
        texts = [text for text, shared in counts.items() if shared >= least[sizes[text]]]
        return {*map(self._items.__getitem__, texts)}


@lru_cache(maxsize=1_024)
def _least_shared(words: int, largest: int) -> tuple[int, ...]:
    """Return, by text size, the least words to share with a text of this size.

    The smaller of two texts is the largest divisor of a criterion.
    """
    limit = SIGNIFICANT
    return tuple(
        min(size, words) * limit.numerator // limit.denominator + 1 for size in range(largest + 1)
    )
