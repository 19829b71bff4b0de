"""A match that may be none: words that are compared do not show a `not`."""

from __future__ import annotations

from learnings.confidence.overlap import Limit, are_near, content_words
from learnings.consolidation.checks.corrections import denied_in, denies
from learnings.consolidation.checks.sentences import Sentence

NEARLY_THE_SAME = Limit(7, 10)
"""Above it texts differ in little else than the negation. Of 10 made-up pairs of opposites 9 are
seen, of 44 pairs that say the same in other words 5 (benchmarks/README.md, Confidence memory)."""


def may_be_opposites(one: str, other: str) -> bool:
    """Return True if one of two texts of almost the same words denies what the other says."""
    first, second = Sentence(one, 1, content_words(one)), Sentence(other, 1, content_words(other))
    if not are_near(first.words, second.words, NEARLY_THE_SAME):
        return False
    return denies(first, second, denied_in([second])) or denies(second, first, denied_in([first]))
