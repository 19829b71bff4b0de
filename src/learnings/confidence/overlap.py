"""How much two texts, or two lists of names, overlap: exact fractions from 0 to 1."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys


class Limit(NamedTuple):
    """A fraction that is compared more often than Fraction is quick enough for."""

    numerator: int
    denominator: int


SIGNIFICANT = Limit(60, 100)
"""A criterion of a match holds above it. This and the next are those of the source procedure."""

SAME = Limit(80, 100)
"""Two entries say the same above it."""

LEAST_WORDS = 3
"""Content words that a text has at least to be compared: two common words are no statement."""

NOTHING = Fraction(0)


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
    """Return the share of the content words of a text that another text has as well."""
    words, others = content_words(part), content_words(whole)
    if min(len(words), len(others)) < LEAST_WORDS:
        return NOTHING
    return Fraction(len(words & others), len(words))


def containment(one: str, other: str) -> Fraction:
    """Return how much of the text with fewer content words the other one has as well."""
    words, others = content_words(one), content_words(other)
    least = min(len(words), len(others))
    return Fraction(len(words & others), least) if least >= LEAST_WORDS else NOTHING


def jaccard(one: AbstractSet[str], other: AbstractSet[str]) -> Fraction:
    """Return how many of all names two sets share; 0 where one of them is empty."""
    return Fraction(len(one & other), len(one | other)) if one and other else NOTHING


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
    """Return the largest overlap, 0 without one."""
    return max(overlaps, default=NOTHING)


@lru_cache(maxsize=8_192)  # the tags of an observation are compared as often
def names(tags: tuple[str, ...]) -> frozenset[str]:
    """Return tags as they are compared: `Error Handling` is `error-handling`."""
    return frozenset(name for name in map(as_name, tags) if name)


@lru_cache(maxsize=8_192)
def as_name(tag: str) -> str:
    """Return one tag, category or type as it is compared."""
    return "-".join(tag.casefold().replace("_", " ").replace("-", " ").split())
