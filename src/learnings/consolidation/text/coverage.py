"""How much of an entry another text contains as well: the share of its pairs of near words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.consolidation.text.bags import content_of
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry

Pair = tuple[str, str]

REACH = 2
"""How far apart the keywords of a pair may be: neighbours, or with one keyword between them.

Either order counts, since condensing a text turns its words around. Chosen with the development
half of the made-up cases in view (benchmarks/README.md, Pre-checks).
"""


class Covered(NamedTuple):
    """The text that covers an entry best, by its index among the texts.

    score is the share of the entry's distinct pairs of near keywords that the text has too, from
    0 to 1. shared and missing are those pairs, in the order of the entry, as `one other` in the
    words that the entry uses.
    """

    text_index: int
    score: float
    shared: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def new_words(self) -> tuple[str, ...]:
        """The words of the entry that are only in missing pairs, in its order."""
        known = {word for pair in self.shared for word in pair.split(" ")}
        words = (word for pair in self.missing for word in pair.split(" "))
        return tuple(dict.fromkeys(word for word in words if word not in known))


class Texts:
    """Texts that entries are compared with; their indices are in the order given."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_pair: dict[Pair, list[int]] = defaultdict(list)
        for index, text in enumerate(texts):
            for pair in dict.fromkeys(_pairs(text)):
                self._by_pair[pair].append(index)

    def best(self, entry: Entry) -> Covered | None:
        """Return the text that covers an entry best, the first of equals; None without a match."""
        return self.best_of_text(f"{entry.title}\n{content_of(entry)}")

    def best_of_text(self, text: str) -> Covered | None:
        """Do the same for any text."""
        wanted = _written(text)
        counts: dict[int, int] = defaultdict(int)
        for pair in wanted:
            for index in self._by_pair.get(pair, ()):
                counts[index] += 1
        if not counts:
            return None
        best = min(counts, key=lambda index: (-counts[index], index))
        has = {pair for pair in wanted if best in self._by_pair.get(pair, ())}
        return Covered(
            best,
            counts[best] / len(wanted),
            tuple(words for pair, words in wanted.items() if pair in has),
            tuple(words for pair, words in wanted.items() if pair not in has),
        )


def texts_of(sections: Sequence[Section]) -> Texts:
    """Return the sections of target files as texts, each with its heading."""
    return Texts(f"{section.title}\n{section.text}" for section in sections)


def _written(text: str) -> dict[Pair, str]:
    """Return the distinct pairs of a text with their words as written, in its order."""
    all_keywords = keywords(text)
    written: dict[Pair, str] = {}
    for index, one in enumerate(all_keywords):
        for other in all_keywords[index + 1 : index + 1 + REACH]:
            if one.key != other.key:
                written.setdefault(_pair(one.key, other.key), f"{one.word} {other.word}")
    return written


def _pairs(text: str) -> Iterable[Pair]:
    keys = [keyword.key for keyword in keywords(text)]
    return (
        _pair(one, other)
        for index, one in enumerate(keys)
        for other in keys[index + 1 : index + 1 + REACH]
        if one != other
    )


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)
