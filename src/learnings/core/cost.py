"""What a text costs the agent that reads it: words, and about how many tokens they are."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern

# Three words are some four tokens. A rule of thumb for English prose, no count: code and
# identifiers come to more. It is what the budget of a theme file is measured with, too.
WORDS_PER_TOKEN = 0.75
# A character of a script that puts no spaces between words: Han and kana. Each is a word here,
# since tokenizers make one token or two of it.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
# Such a character, or a run of others between two blanks.
_WORD = lazy_pattern(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")


class Cost(NamedTuple):
    """What a text costs: its words, and the estimated tokens."""

    words: int

    @property
    def tokens(self) -> int:
        """About how many tokens these words are, rounded up."""
        return ceil(self.words / WORDS_PER_TOKEN)


NOTHING = Cost(0)


def cost_of(text: str) -> Cost:
    """Return the cost of a text."""
    if text.isascii():
        return Cost(len(text.split()))
    return Cost(sum(1 for _ in _WORD.finditer(text)))


def total(costs: Iterable[Cost]) -> Cost:
    """Return the cost of several texts together."""
    return Cost(sum(cost.words for cost in costs))
