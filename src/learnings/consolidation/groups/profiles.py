"""What an entry is about, as numbers: its keywords and themes, each with a weight."""

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
"""Below that many entries nothing is boilerplate."""

_BOILERPLATE = 0.5  # of the entries
_CROWD, _CROWD_SHARE = 100, 0.05  # entries, and of the entries
_TITLE_BONUS = 0.8
_TITLE_THEME = 4
_THEMES = 4  # of an entry
# Documents of an imagined other file, so that a word of the whole file still counts for something.
_ELSEWHERE = 29
_CHANCE = 0.5
_CONSOLIDATED = re.compile(r"^[ \t>*+-]*\*\*Consolidated from\b", re.MULTILINE | re.IGNORECASE)


class Profile(NamedTuple):
    """An entry as it is compared.

    words and themes are vectors of length 1 (empty where there is nothing); telling are the keys
    of all its keywords that can tell entries apart; day is the ISO date it states, if any.
    """

    words: Mapping[str, float]
    themes: Mapping[str, float]
    telling: frozenset[str]
    day: str | None


class Reading(NamedTuple):
    """The keywords of one entry, counted: all of it and its title alone."""

    all: Counter[str]
    title: Counter[str]


def is_consolidated(entry: Entry) -> bool:
    """Say whether an entry is itself the product of a consolidation."""
    return "(consolidated)" in entry.title.casefold() or bool(_CONSOLIDATED.search(entry.body))


def title_and_text(entry: Entry) -> tuple[str, str]:
    """Return the title of an entry and all the text below and behind it.

    A title that is a mere label, as in `## [LRN-20260206-001] correction`, is none.
    """
    if entry.level:
        return "" if is_label(entry.title) else entry.title, entry.body
    before, _, behind = item_text(entry.lines[0]).partition(entry.title)
    return entry.title, f"{before} {behind}\n{entry.body}"


def profiles(entries: Sequence[Entry]) -> list[Profile]:
    """Return what each entry of a file is about, in the order given.

    What is rare in the file weighs more, and so does what stands in titles.
    """
    readings = [_reading(entry) for entry in entries]
    weights = _weights(readings)
    theme_weights = _theme_weights(readings)
    return [
        Profile(
            _unit({key: _dampened(n) * weights.get(key, 0.0) for key, n in reading.all.items()}),
            _unit({key: math.log1p(n) * theme_weights[key] for key, n in _themes(reading).items()}),
            frozenset(key for key in reading.all if key in weights),
            entry.stated[:10] if entry.stated and len(entry.stated) >= 10 else None,
        )
        for entry, reading in zip(entries, readings, strict=True)
    ]


def rarities(profiles: Sequence[Profile]) -> dict[str, float]:
    """Return for each telling key how rare it is among the profiles, 0 for one of all."""
    spread = Counter(key for profile in profiles for key in profile.telling)
    return {key: math.log((len(profiles) + 1) / count) for key, count in spread.items()}


def _reading(entry: Entry) -> Reading:
    title, text = title_and_text(entry)
    in_title = Counter(keyword.key for keyword in keywords(title))
    return Reading(in_title + Counter(keyword.key for keyword in keywords(text)), in_title)


def _weights(readings: Sequence[Reading]) -> dict[str, float]:
    """Return the weight of each keyword; boilerplate has none."""
    count = len(readings)
    spread = _spread(reading.all for reading in readings)
    titles = _spread(reading.title for reading in readings)
    return {
        key: math.log((count + 1 + _ELSEWHERE) / spread[key])
        * (1 - _CHANCE / spread[key])
        * (1 + _TITLE_BONUS * math.log1p(titles[key]))
        for key in spread
        if not _is_boilerplate(spread[key], titles[key], count)
    }


def _is_boilerplate(spread: int, titles: int, count: int) -> bool:
    """Say whether a word recurs in most entries and is not what their titles are about.

    In files of hundreds a word of very many entries tells nothing, whatever the titles say.
    """
    crowd = _CROWD + _CROWD_SHARE * count
    recurs = spread > _BOILERPLATE * count and 4 * titles < spread
    return count >= FEW_ENTRIES and (recurs or spread > crowd)


def _theme_weights(readings: Sequence[Reading]) -> dict[str, float]:
    spread = _spread(_themes(reading) for reading in readings)
    return {key: math.sqrt(math.log((len(readings) + 1) / n)) for key, n in spread.items()}


def _themes(reading: Reading) -> dict[str, float]:
    found: dict[str, float] = {}
    for key, count in reading.all.items():
        in_title = reading.title.get(key, 0)
        share = count + (_TITLE_THEME - 1) * in_title
        themes = themes_of(key)
        for theme in themes:
            found[theme] = found.get(theme, 0.0) + share / len(themes)
    strongest = sorted(found, key=lambda theme: (-found[theme], theme))[:_THEMES]
    return {theme: found[theme] for theme in strongest}


def _spread(counted: Iterable[Mapping[str, float]]) -> Counter[str]:
    """Return in how many of the entries each key stands."""
    return Counter(key for keys in counted for key in keys)


def _dampened(count: int) -> float:
    return 1 + math.log(count)


def _unit(vector: dict[str, float]) -> dict[str, float]:
    """Return a vector at length 1, without its zeros, in the order of its keys."""
    length = math.sqrt(math.fsum(value * value for value in vector.values()))
    return {key: vector[key] / length for key in sorted(vector) if vector[key]} if length else {}
