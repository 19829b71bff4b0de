"""The cost of a text to the agent that reads it, in words and estimated tokens."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import encode

# Mean UTF-8 bytes per token. For 36 of 44 memory files the estimate is within 15 % of a real
# tokenizer; an estimate from words (four tokens for three words) is too low for all 44, by a third
# in the median.
BYTES_PER_TOKEN = 3.8
# A character of a script without spaces between words: Han and kana. Each counts as a word, since
# tokenizers make one or two tokens of it.
_UNSPACED = lazy_pattern("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


class Cost(NamedTuple):
    """The words and UTF-8 bytes of a text."""

    words: int
    size: int

    @property
    def tokens(self) -> int:
        return ceil(self.size / BYTES_PER_TOKEN)


def cost_of(text: str) -> Cost:
    spaced = text if text.isascii() else _UNSPACED.sub(" x ", text)
    return Cost(len(spaced.split()), len(encode(text)))


def total(costs: Iterable[Cost]) -> Cost:
    known = tuple(costs)
    return Cost(sum(cost.words for cost in known), sum(cost.size for cost in known))
