"""Entries as vectors of their keywords."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from learnings.consolidation.text.keywords import (
    is_label,
    keywords,
    recurring_labels,
    without_comments,
    without_labels,
    words,
)
from learnings.consolidation.text.languages import foreign_stop_words
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import CONSOLIDATED, item_text
from learnings.core.patterns import lazy_pattern

FEW_ENTRIES = 8
"""With fewer entries, no word is too common, as documented: shares mean little."""

# `**Consolidated from` at the start of a line, also in a list or quote.
_CONSOLIDATED = lazy_pattern(r"^[ \t>*+-]*\*\*Consolidated from\b", re.MULTILINE | re.IGNORECASE)
# A tag in brackets (`[infra]`, not a link or a box), `#tag`, and an id as in `LRN-20260206-001`.
_TAG = lazy_pattern(
    r"(?<!\])\[[^\W\d][\w :/-]{0,30}\](?![(\[:])|(?<![\w/])#[\w:/-]+|\b[A-Z][A-Z]+-\d[\w-]*"
)


TITLE_BONUS, OTHER_ENTRIES, CHANCE = 0.8, 30, 0.5
"""The constants of the weight of a word, from a table of eleven passes, six of them at hand.

The bonus is for words in titles: with the present levels, F1 falls from 0.39 to 0.26 without it
over the six passes, and fell from 0.335 to 0.25 over the five others. The other entries are those
of an imagined other file, so that a word of the whole file still counts (1 instead of 30: 0.35).
Chance is the discount of a word in one entry, half of it in two entries, because few entries may
share it by chance (0: 0.28). benchmarks/README.md, Groups, has them with levels chosen anew, where
they are worth less.
"""


class Profile(NamedTuple):
    """An entry prepared for comparison.

    words is a vector of length 1 of all its keywords; parts has vectors of its title and its body,
    each of weight one half; both are empty if there are no words. discriminative are the keys that
    are not all over the file. day is its stated date, as an ordinal, if any. title are the keys of
    its title.
    """

    words: Mapping[str, float]
    parts: Mapping[str, float]
    discriminative: frozenset[str]
    day: int | None
    title: frozenset[str] = frozenset()


def is_consolidated(entry: Entry) -> bool:
    """Return True if an entry is itself the product of a consolidation."""
    return CONSOLIDATED in entry.title.casefold() or bool(_CONSOLIDATED.search(entry.body))


def title_and_text(entry: Entry) -> tuple[str, str]:
    """Return the title of an entry and all the text below and after it.

    A title that is only a label, as in `## [LRN-20260206-001] correction`, is returned as empty.
    """
    if entry.level:
        return "" if is_label(entry.title) else entry.title, entry.body
    before, after = item_text(entry.lines[0]), ""
    if entry.title:  # an item can be empty
        before, _, after = before.partition(entry.title)
    return entry.title, f"{before} {after}\n{entry.body}"


def profiles(entries: Sequence[Entry], *, strip_common: bool = True) -> list[Profile]:
    """Return the profile of each entry of a file, in the given order.

    Without strip_common, words all over the file are discriminative as well.
    """
    texts = [title_and_text(entry) for entry in entries]
    labels = recurring_labels([body for _, body in texts])
    plain = [
        [without_labels(_TAG.sub(" ", without_comments(text)), labels) for text in pair]
        for pair in texts
    ]
    stop_words = foreign_stop_words(
        [word.casefold() for pair in plain for text in pair for word in words(text)]
    )
    counts = [
        [Counter(k.key for k in keywords(t) if k.word.casefold() not in stop_words) for t in pair]
        for pair in plain
    ]
    spread = Counter(key for title, body in counts for key in title.keys() | body.keys())
    titles = Counter(key for title, _ in counts for key in title)
    weights = {key: _weight(len(entries), n, titles[key]) for key, n in spread.items()}
    # A word in more than half of the entries, not because of titles.
    too_common = {
        key
        for key, n in (spread.items() if strip_common and len(entries) >= FEW_ENTRIES else ())
        if 2 * n > len(entries) and 4 * titles[key] < n
    }
    profiled = []
    for entry, (title, body) in zip(entries, counts, strict=True):
        # No key begins with a space.
        parts = {f" {key}": value for key, value in _unit(title, weights).items()}
        parts |= _unit(body, weights)
        halves = {key: value * math.sqrt(0.5) for key, value in parts.items()}
        telling = frozenset((*title, *body)) - too_common
        whole = _unit(title + body, weights)
        profiled.append(Profile(whole, halves, telling, _day(entry), frozenset(title)))
    return profiled


def _weight(entries: int, spread: int, titles: int) -> float:
    """Return the weight of a word: rare words and title words weigh more."""
    rarity = math.log((entries + OTHER_ENTRIES) / spread) * (1 - CHANCE / spread)
    return rarity * (1 + TITLE_BONUS * math.log1p(titles))


def _unit(counts: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    """Return a vector of length 1, in the order of its keys."""
    vector = {key: (1 + math.log(counts[key])) * weights[key] for key in sorted(counts)}
    length = math.hypot(*vector.values())
    return {key: value / length for key, value in vector.items() if value}


def _day(entry: Entry) -> int | None:
    try:
        return date.fromisoformat((entry.stated or "")[:10]).toordinal()
    except ValueError:
        return None
