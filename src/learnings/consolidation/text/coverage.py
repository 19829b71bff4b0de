"""The share of an entry's pairs of near words that another text contains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.sections import TargetSection, content_of
from learnings.core.entries.document import Entry

Pair = tuple[str, str]

REACH = 2
"""Largest distance of a pair's keywords: neighbours, or with one keyword between them.

Either order counts, because a condensed text reorders its words. Chosen with the development half
of the made-up cases in view (benchmarks/README.md, Pre-checks).
"""


FEW_PAIRS = 6
"""Least pairs of a text that represent it; chosen, about two sentences."""


class Covered(NamedTuple):
    """The text that covers an entry best, by its index among the texts.

    score is the share of the entry's distinct pairs of near keywords that the text also has, from 0
    to 1. shared and missing are those pairs, in the order of the entry, as `one other` in the
    entry's words.
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

    @property
    def pairs(self) -> int:
        """The number of distinct pairs of the entry."""
        return len(self.shared) + len(self.missing)

    def __str__(self) -> str:
        return f"{len(self.shared)} of {self.pairs} word pairs"


class Texts:
    """Texts to compare entries with; their indices are in the given order."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._by_pair: dict[Pair, list[int]] = defaultdict(list)
        for index, text in enumerate(texts):
            for pair in pairs_of(text):
                self._by_pair[pair].append(index)

    def best(self, entry: Entry) -> Covered | None:
        """Return the text that covers an entry best, the first of equals; None without a match."""
        return self.best_of_text(f"{entry.title}\n{content_of(entry)}")

    def best_of_text(self, text: str, shared: Container[Pair] = ()) -> Covered | None:
        """Do the same for any text; pairs that it shares with others don't count."""
        wanted = pairs_of(text)
        own = {pair: words for pair, words in wanted.items() if pair not in shared}
        wanted = own if len(own) >= FEW_PAIRS else wanted
        texts_with = {pair: self._by_pair[pair] for pair in wanted if pair in self._by_pair}
        counts = Counter(chain.from_iterable(texts_with.values()))
        if not counts:
            return None
        most = max(counts.values())
        best = min(index for index, count in counts.items() if count == most)
        shared = {pair for pair, texts in texts_with.items() if best in texts}
        return Covered(
            best,
            most / len(wanted),
            tuple(words for pair, words in wanted.items() if pair in shared),
            tuple(words for pair, words in wanted.items() if pair not in shared),
        )


def texts_of(sections: Sequence[TargetSection]) -> Texts:
    """Return the sections of target files as texts, each with its heading."""
    return Texts(f"{section.title}\n{section.text}" for section in sections)


def pairs_of(text: str) -> dict[Pair, str]:
    """Return the distinct pairs of a text with their words as written, in its order."""
    all_keywords = keywords(text)
    pairs: dict[Pair, str] = {}
    for index, one in enumerate(all_keywords):
        for other in all_keywords[index + 1 : index + 1 + REACH]:
            if one.key != other.key:
                pair = (one.key, other.key) if one.key < other.key else (other.key, one.key)
                pairs.setdefault(pair, f"{one.word} {other.word}")
    return pairs
