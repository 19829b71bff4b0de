"""Entries as vectors: their keywords and themes, each with a weight."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.themes import themes_of
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.labels import is_label
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text

FEW_ENTRIES = 8
"""Below that many entries nothing is boilerplate, as the documentation says: shares mean little."""

# All chosen with the six passes at hand in view (benchmarks/README.md, Groups).
_BOILERPLATE = 0.5  # share of the entries that have a word
_CROWD, _CROWD_SHARE = 100, 0.05  # entries, and share of the entries, that have a word
# Without the bonus for words of titles F1 falls from 0.54 to 0.47, on five other passes from 0.335
# to 0.25.
_TITLE_BONUS = 0.8
_TITLE_THEME = 4  # how often a word in the title counts
_THEMES = 4  # themes of an entry at most
# Entries of an imagined other file, so that a word of the whole file still counts for something.
_OTHER_FILE_ENTRIES = 29
# A word of few entries may be shared by chance: one of two entries loses a quarter of its weight.
_CHANCE_DISCOUNT = 0.5
# `**Consolidated from` at the start of a line, also in a list or quote.
_CONSOLIDATED = re.compile(r"^[ \t>*+-]*\*\*Consolidated from\b", re.MULTILINE | re.IGNORECASE)


class Profile(NamedTuple):
    """An entry as it is compared.

    words and themes are vectors of length 1 (empty where there is nothing); discriminative are the
    keys of all its keywords that are not boilerplate; day is the ISO date it states, if any.
    """

    words: Mapping[str, float]
    themes: Mapping[str, float]
    discriminative: frozenset[str]
    day: str | None


class KeywordCounts(NamedTuple):
    """The keywords of one entry, counted: all of it and its title alone."""

    all: Counter[str]
    title: Counter[str]


def is_consolidated(entry: Entry) -> bool:
    """Return True if an entry is itself the product of a consolidation."""
    return "(consolidated)" in entry.title.casefold() or bool(_CONSOLIDATED.search(entry.body))


def title_and_text(entry: Entry) -> tuple[str, str]:
    """Return the title of an entry and all the text below and after it.

    A title that is only a label, as in `## [LRN-20260206-001] correction`, is returned as empty.
    """
    if entry.level:
        return "" if is_label(entry.title) else entry.title, entry.body
    before, _, after = item_text(entry.lines[0]).partition(entry.title)
    return entry.title, f"{before} {after}\n{entry.body}"


def profiles(entries: Sequence[Entry]) -> list[Profile]:
    """Return the profile of each entry of a file, in the order given.

    Words that are rare in the file weigh more, and so do those of titles.
    """
    all_counts = [_counts(entry) for entry in entries]
    weights = _weights(all_counts)
    theme_weights = _theme_weights(all_counts)
    return [
        Profile(
            _unit({key: _dampened(n) * weights.get(key, 0.0) for key, n in counts.all.items()}),
            _unit({key: math.log1p(n) * theme_weights[key] for key, n in _themes(counts).items()}),
            frozenset(key for key in counts.all if key in weights),
            entry.stated[:10] if entry.stated and len(entry.stated) >= 10 else None,
        )
        for entry, counts in zip(entries, all_counts, strict=True)
    ]


def idf_by_key(profiles: Sequence[Profile]) -> dict[str, float]:
    """Return the inverse document frequency of each discriminative key among the profiles."""
    spread = Counter(key for profile in profiles for key in profile.discriminative)
    return {key: math.log((len(profiles) + 1) / count) for key, count in spread.items()}


def _counts(entry: Entry) -> KeywordCounts:
    title, text = title_and_text(entry)
    in_title = Counter(keyword.key for keyword in keywords(title))
    return KeywordCounts(in_title + Counter(keyword.key for keyword in keywords(text)), in_title)


def _weights(all_counts: Sequence[KeywordCounts]) -> dict[str, float]:
    """Return the weight of each keyword; boilerplate has none."""
    count = len(all_counts)
    spread = _spread(counts.all for counts in all_counts)
    titles = _spread(counts.title for counts in all_counts)
    return {
        key: math.log((count + 1 + _OTHER_FILE_ENTRIES) / spread[key])
        * (1 - _CHANCE_DISCOUNT / spread[key])
        * (1 + _TITLE_BONUS * math.log1p(titles[key]))
        for key in spread
        if not _is_boilerplate(spread[key], titles[key], count)
    }


def _is_boilerplate(spread: int, titles: int, count: int) -> bool:
    """Return True if a word recurs in most entries and is not what their titles are about.

    In files of hundreds of entries a word of very many says nothing, whatever the titles say.
    """
    crowd = _CROWD + _CROWD_SHARE * count
    recurs = spread > _BOILERPLATE * count and 4 * titles < spread
    return count >= FEW_ENTRIES and (recurs or spread > crowd)


def _theme_weights(all_counts: Sequence[KeywordCounts]) -> dict[str, float]:
    spread = _spread(_themes(counts) for counts in all_counts)
    return {key: math.sqrt(math.log((len(all_counts) + 1) / n)) for key, n in spread.items()}


def _themes(counts: KeywordCounts) -> dict[str, float]:
    strength: dict[str, float] = {}
    for key, count in counts.all.items():
        in_title = counts.title.get(key, 0)
        share = count + (_TITLE_THEME - 1) * in_title
        themes = themes_of(key)
        for theme in themes:
            strength[theme] = strength.get(theme, 0.0) + share / len(themes)
    strongest = sorted(strength, key=lambda theme: (-strength[theme], theme))[:_THEMES]
    return {theme: strength[theme] for theme in strongest}


def _spread(entries: Iterable[Mapping[str, float]]) -> Counter[str]:
    """Return in how many of the entries each key occurs."""
    return Counter(key for keys in entries for key in keys)


def _dampened(count: int) -> float:
    return 1 + math.log(count)


def _unit(vector: dict[str, float]) -> dict[str, float]:
    """Return a vector at length 1, without its zeros, in the order of its keys."""
    length = math.sqrt(math.fsum(value * value for value in vector.values()))
    return {key: vector[key] / length for key in sorted(vector) if vector[key]} if length else {}
