"""How well the text of target files fits the entries of a learnings file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.bags import bag_of_entry, bag_of_section
from learnings.consolidation.bm25 import Bm25
from learnings.consolidation.keywords import keywords
from learnings.consolidation.neighbours import Likeness
from learnings.consolidation.sections import Section
from learnings.core.document import Entry


class Pull(NamedTuple):
    """How texts count: a file by its best sections, and an entry by those near to it.

    best weighs the best sections of a file, by_length is the b of BM25. neighbours weighs the fits
    of the nearest entries by their words, beside those of the entries before and after.
    """

    best: tuple[float, ...]
    by_length: float
    neighbours: float
    nearest: int
    beside: float


class Fit(NamedTuple):
    """How well a file fits an entry, 1 for the best one, and its best section.

    section is a place in the list of sections, score what that section has by itself.
    """

    fit: float
    section: int
    score: float


class Fits:
    """The fits of all files for the entries of one learnings file, by their places in it."""

    def __init__(self, entries: Sequence[Entry], sections: Sequence[Section], pull: Pull) -> None:
        self._entries = entries
        self._sections = sections
        self._pull = pull
        self._index = Bm25(
            [bag_of_section(section) for section in sections], by_length=pull.by_length
        )
        self._bags = [bag_of_entry(entry) for entry in entries]
        self._likeness = Likeness(self._bags) if pull.neighbours else None
        self._known: dict[int, dict[str, Fit]] = {}

    def of(self, place: int) -> Mapping[str, Fit]:
        """Return the fit of each file that shares a word with an entry, by path."""
        if place not in self._known:
            scores = self._index.scores(self._bags[place])
            self._known[place] = _by_file(scores, self._sections, self._pull.best)
        return self._known[place]

    def around(self, place: int) -> Mapping[str, float]:
        """Return what the entries near to one add to the fit of each file."""
        added: dict[str, float] = {}
        for weight, other in self._others(place):
            for path, found in self.of(other).items():
                added[path] = added.get(path, 0.0) + weight * found.fit
        return added

    def strength(self, place: int) -> float:
        """Return how much of an entry's words the best section of all has, from 0 to 1."""
        best = max((found.score for found in self.of(place).values()), default=0.0)
        return best / (self._index.most(self._bags[place]) or 1.0)

    def shared_words(self, place: int, section: int, most: int) -> list[str]:
        """Return the words that make a section fit, as the entry writes them, the best first."""
        written: dict[str, str] = {}
        for keyword in keywords(self._entries[place].text):
            written.setdefault(keyword.key, keyword.word)
        shares = self._index.shares(self._bags[place], section)
        return [written.get(key, key) for _, key in shares[:most]]

    def _others(self, place: int) -> Iterator[tuple[float, int]]:
        if self._likeness is not None:
            for likeness, other in self._likeness.nearest(place, self._pull.nearest):
                yield self._pull.neighbours * likeness, other
        for other in (place - 1, place + 1):
            if self._pull.beside and 0 <= other < len(self._entries):
                yield self._pull.beside, other


def _by_file(
    scores: Mapping[int, float], sections: Sequence[Section], best: Sequence[float]
) -> dict[str, Fit]:
    ranked: dict[str, list[tuple[float, int]]] = {}
    for place, score in scores.items():
        ranked.setdefault(sections[place].path, []).append((-score, place))
    found = {}
    for path, places in sorted(ranked.items()):
        places.sort()
        fit = sum(-score * weight for (score, _), weight in zip(places, best, strict=False))
        found[path] = Fit(fit, places[0][1], -places[0][0])
    most = max((each.fit for each in found.values()), default=0.0) or 1.0
    return {path: each._replace(fit=each.fit / most) for path, each in found.items()}
