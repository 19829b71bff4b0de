"""How well the text of target files fits the entries of a learnings file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.routes.neighbours import Likeness
from learnings.consolidation.text.bags import bag_of_entry, bag_of_section
from learnings.consolidation.text.bm25 import Bm25
from learnings.consolidation.text.keywords import Keyword, keywords
from learnings.consolidation.text.sections import Section
from learnings.core.entries.document import Entry


class FitWeights(NamedTuple):
    """How texts count: a file by its best sections, and an entry by those near to it.

    best weighs the best sections of a file, by_length is the b of BM25. neighbours weighs the fits
    of the nearest entries by their words, beside those of the entries before and after.
    """

    best: tuple[float, ...]
    b: float
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

    def __init__(
        self, entries: Sequence[Entry], sections: Sequence[Section], pull: FitWeights
    ) -> None:
        self._entries = entries
        self._sections = sections
        self._pull = pull
        self._index = Bm25([bag_of_section(section) for section in sections], b=pull.b)
        self._bags = [bag_of_entry(entry) for entry in entries]
        self._places: dict[str, list[int]] = {}
        for place, section in enumerate(sections):
            self._places.setdefault(section.path, []).append(place)
        self._likeness = Likeness(self._bags) if pull.neighbours else None
        self._known: dict[int, dict[str, Fit]] = {}
        self._spoken: tuple[int, list[Keyword]] = (-1, [])

    def of(self, place: int) -> Mapping[str, Fit]:
        """Return the fit of each file that shares a word with an entry, by path."""
        if place not in self._known:
            row = self._index.row(self._bags[place])
            self._known[place] = _by_file(row, self._places, self._pull.best)
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
        shares = self._index.shares(self._bags[place], section)[:most]
        wanted = {key: key for _, key in shares}
        for keyword in reversed(self._keywords(place)):
            if keyword.key in wanted:
                wanted[keyword.key] = keyword.word
        return list(wanted.values())

    def _keywords(self, place: int) -> list[Keyword]:
        # Asked for once for each file of an entry, one after the other.
        if self._spoken[0] != place:
            self._spoken = (place, keywords(self._entries[place].text))
        return self._spoken[1]

    def _others(self, place: int) -> Iterator[tuple[float, int]]:
        if self._likeness is not None:
            for likeness, other in self._likeness.nearest(place, self._pull.nearest):
                yield self._pull.neighbours * likeness, other
        for other in (place - 1, place + 1):
            if self._pull.beside and 0 <= other < len(self._entries):
                yield self._pull.beside, other


def _by_file(
    row: Sequence[float], files: Mapping[str, Sequence[int]], best: Sequence[float]
) -> dict[str, Fit]:
    found = {}
    for path, places in files.items():
        scores = [row[place] for place in places]
        ranked = sorted(scores, reverse=True)
        if ranked[0]:
            fit = sum(score * weight for score, weight in zip(ranked, best, strict=False))
            found[path] = Fit(fit, places[scores.index(ranked[0])], ranked[0])
    most = max((each.fit for each in found.values()), default=0.0) or 1.0
    return {path: each._replace(fit=each.fit / most) for path, each in found.items()}
