"""Observations as they stand in a theme: in their own words, in full or their rule alone."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable
from learnings.tiers.raw_files import Observation

FULL, SHORT = 60, 40
"""Words of an item in full, and of a short one: so that three in full fit a theme at the least. The
longest of 64 real observations have 57 words, the longest rules 19."""
# A sentence with its end; `e.g.` and `i.e.` end none.
_SENTENCE = lazy_pattern(r".+?(?:[.!?](?<!\be\.g\.)(?<!\bi\.e\.)[\"')\]`*_]*(?=\s|$)|[。！？]|$)")
_ENDS = tuple(".!?:;…。！？")


class Item(NamedTuple):
    """The two texts of an observation; they are equal where there is nothing to leave out."""

    full: str
    short: str


def item_of(observation: Observation) -> Item:
    """Return the texts of an observation: its rule and what was seen, and the rule alone."""
    rule, description = printable(observation.rule), printable(observation.description)
    short = _cut(rule or _first_sentence(description), SHORT)
    parts = [part for part in (rule, description) if part]
    full = " ".join([*(_with_end(part) for part in parts[:-1]), *parts[-1:]])
    return Item(full if len(full.split()) <= FULL else short, short)


def _first_sentence(text: str) -> str:
    match = _SENTENCE.match(text)
    return match[0] if match else text


def _with_end(text: str) -> str:
    return text if text.endswith(_ENDS) else f"{text}."


def _cut(text: str, most: int) -> str:
    words = text.split()
    return text if len(words) <= most else " ".join(words[:most]) + " …"
