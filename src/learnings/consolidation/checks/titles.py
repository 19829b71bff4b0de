"""Words of titles, by which two texts have one subject."""

from __future__ import annotations

import re
from collections.abc import Mapping

from learnings.consolidation.text.keywords import keywords_of, words
from learnings.core.patterns import lazy_pattern

SHARED = 0.5
"""Two titles have one subject when more than this share of their keywords is in both: the rule as
it is documented, measured in benchmarks/README.md, Pre-checks."""

# What a title says about its entry and not about its subject: `(consolidated)`, a tag, a date.
_NO_SUBJECT = lazy_pattern(
    r"\(consolidated\)|`?(?<![\w/])#[^\W\d][\w:./-]*`?|\b\d{4}-\d{2}(?:-\d{2})?\b", re.IGNORECASE
)
# A name of one or two characters, too short for a keyword: `F1`, `D`, `CI`, `Go`.
_SHORT_NAME = lazy_pattern(r"[A-Z][A-Za-z0-9]?|[a-z][0-9]")
_WORDS_OF_TITLES = "A An As At Be By Do He I If In Is It Me My No Of On Or So To Up Us We"
_NO_NAMES = frozenset(_WORDS_OF_TITLES.split())

Words = Mapping[str, str]
"""The keywords of a title: the word as it is written by what is compared."""


def title_words(title: str) -> Words:
    """Return the keywords of a title and the short names in it."""
    title_words: dict[str, str] = {}
    for word in words(_NO_SUBJECT.sub(" ", title)):
        title_words |= {keyword.key: keyword.word for keyword in keywords_of(word)}
        if _SHORT_NAME.fullmatch(word) and word not in _NO_NAMES:
            title_words[word] = word
    return title_words


def shared_part(one: Words, other: Words) -> float:
    """Return the share of the words of two titles that both have, 0 to 1."""
    total = len(one) + len(other)
    return 2 * len(one.keys() & other.keys()) / total if total else 0.0
