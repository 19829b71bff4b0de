"""How much of an entry another text says as well: the share of its pairs of near words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.consolidation.text.bags import matter_of
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry

Pair = tuple[str, str]

REACH = 2
"""How far apart the keywords of a pair may be: neighbours, or with one keyword between them.

Either order counts, since who condenses a text turns its words around.
"""


class Covered(NamedTuple):
    """The place among the texts that covers an entry best.

    score is the share of the entry's distinct pairs of near keywords that the text has too, from
    0 to 1. shared and missing are those pairs, in the order of the entry, as `one other` in the
    words that the entry uses.
    """

    place: int
    score: float
    shared: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def new_words(self) -> tuple[str, ...]:
        """The words of the entry that are in missing pairs only, in its order."""
        known = {word for pair in self.shared for word in pair.split(" ")}
        words = (word for pair in self.missing for word in pair.split(" "))
        return tuple(dict.fromkeys(word for word in words if word not in known))


class Texts:
    """Texts that entries are held against; their places count from 0 in the order given."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._having: dict[Pair, list[int]] = defaultdict(list)
        for place, text in enumerate(texts):
            for pair in dict.fromkeys(_pairs(text)):
                self._having[pair].append(place)

    def best(self, entry: Entry) -> Covered | None:
        """Return what covers an entry best, the first of equals; None where nothing is shared."""
        return self.best_of_text(f"{entry.title}\n{matter_of(entry)}")

    def best_of_text(self, text: str) -> Covered | None:
        """Return what covers a text best; the same for any text."""
        wanted = _written(text)
        counts: dict[int, int] = defaultdict(int)
        for pair in wanted:
            for place in self._having.get(pair, ()):
                counts[place] += 1
        if not counts:
            return None
        place = min(counts, key=lambda each: (-counts[each], each))
        has = {pair for pair in wanted if place in self._having.get(pair, ())}
        return Covered(
            place,
            counts[place] / len(wanted),
            tuple(words for pair, words in wanted.items() if pair in has),
            tuple(words for pair, words in wanted.items() if pair not in has),
        )


def texts_of(sections: Sequence[Section]) -> Texts:
    """Return the sections of target files as texts, each with its heading."""
    return Texts(f"{section.title}\n{section.text}" for section in sections)


def _written(text: str) -> dict[Pair, str]:
    """Return the distinct pairs of a text with the words they stand for, in its order."""
    found = keywords(text)
    written: dict[Pair, str] = {}
    for place, one in enumerate(found):
        for other in found[place + 1 : place + 1 + REACH]:
            if one.key != other.key:
                written.setdefault(_pair(one.key, other.key), f"{one.word} {other.word}")
    return written


def _pairs(text: str) -> Iterable[Pair]:
    keys = [keyword.key for keyword in keywords(text)]
    return (
        _pair(one, other)
        for place, one in enumerate(keys)
        for other in keys[place + 1 : place + 1 + REACH]
        if one != other
    )


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)
