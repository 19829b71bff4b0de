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

    best weighs the best sections of a file, b is that of BM25. neighbours weighs the fits of the
    nearest entries by their words, nearest is how many of them; beside weighs the fits of the
    entries before and after.
    """

    best: tuple[float, ...]
    b: float
    neighbours: float
    nearest: int
    beside: float


class Fit(NamedTuple):
    """How well a file fits an entry, 1 for the best one, and its best section.

    section is an index in the list of sections, score that of this section alone.
    """

    fit: float
    section: int
    score: float


class Fits:
    """The fits of all files for the entries of one learnings file, by index of the entry."""

    def __init__(
        self, entries: Sequence[Entry], sections: Sequence[Section], fit_weights: FitWeights
    ) -> None:
        self._entries = entries
        self._sections = sections
        self._weights = fit_weights
        self._bm25 = Bm25([bag_of_section(section) for section in sections], b=fit_weights.b)
        self._bags = [bag_of_entry(entry) for entry in entries]
        self._sections_of: dict[str, list[int]] = {}
        for index, section in enumerate(sections):
            self._sections_of.setdefault(section.path, []).append(index)
        self._likeness = Likeness(self._bags) if fit_weights.neighbours else None
        self._known: dict[int, dict[str, Fit]] = {}
        self._last_keywords: tuple[int, list[Keyword]] = (-1, [])

    def of(self, index: int) -> Mapping[str, Fit]:
        """Return the fit of each file that shares a word with an entry, by path."""
        if index not in self._known:
            row = self._bm25.row(self._bags[index])
            self._known[index] = _by_file(row, self._sections_of, self._weights.best)
        return self._known[index]

    def around(self, index: int) -> Mapping[str, float]:
        """Return what the entries near one add to the fit of each file, by path."""
        added: dict[str, float] = {}
        for weight, other in self._others(index):
            for path, fit in self.of(other).items():
                added[path] = added.get(path, 0.0) + weight * fit.fit
        return added

    def strength(self, index: int) -> float:
        """Return the share of an entry's words in the best section of all, from 0 to 1."""
        best = max((fit.score for fit in self.of(index).values()), default=0.0)
        return best / (self._bm25.upper_bound(self._bags[index]) or 1.0)

    def shared_words(self, index: int, section: int, limit: int) -> list[str]:
        """Return the words that make a section fit, as written in the entry, the best first."""
        contributions = self._bm25.contributions(self._bags[index], section)[:limit]
        wanted = {key: key for _, key in contributions}
        for keyword in reversed(self._keywords(index)):
            if keyword.key in wanted:
                wanted[keyword.key] = keyword.word
        return list(wanted.values())

    def _keywords(self, index: int) -> list[Keyword]:
        # Called once for each file of an entry, one after the other.
        if self._last_keywords[0] != index:
            self._last_keywords = (index, keywords(self._entries[index].text))
        return self._last_keywords[1]

    def _others(self, index: int) -> Iterator[tuple[float, int]]:
        if self._likeness is not None:
            for likeness, other in self._likeness.nearest(index, self._weights.nearest):
                yield self._weights.neighbours * likeness, other
        for other in (index - 1, index + 1):
            if self._weights.beside and 0 <= other < len(self._entries):
                yield self._weights.beside, other


def _by_file(
    row: Sequence[float], files: Mapping[str, Sequence[int]], best: Sequence[float]
) -> dict[str, Fit]:
    fits = {}
    for path, sections in files.items():
        scores = [row[index] for index in sections]
        ranked = sorted(scores, reverse=True)
        if ranked[0]:
            total = sum(score * weight for score, weight in zip(ranked, best, strict=False))
            fits[path] = Fit(total, sections[scores.index(ranked[0])], ranked[0])
    highest = max((fit.fit for fit in fits.values()), default=0.0) or 1.0
    return {path: fit._replace(fit=fit.fit / highest) for path, fit in fits.items()}
