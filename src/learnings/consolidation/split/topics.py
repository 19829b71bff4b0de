"""Which pieces of a file make a topic: those that refer to each other, then those most alike.

Pieces refer to each other by links and by the words of their headings.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from learnings.consolidation.split.links import LinkLocations
from learnings.consolidation.split.pieces import Piece, Sizes
from learnings.consolidation.split.source import SplitSource
from learnings.consolidation.text.keywords import keywords
from learnings.core.markdown.link_targets import targets_in

# What a heading of one word has to stand in to be meant: quotes, emphasis, code or brackets.
_MARKED = r"[\"“”„«'‘’*_`\[]{mark}[\"“”»'‘’*_`\]]"
# The same behind these words: `see Retries`, `as in Retries`.
_BEHIND = r"\b(?:see(?:\s+also)?|as\s+(?:in|under|described\s+in)|cf\.)\s+(?:the\s+)?{mark}(?!\w)"
_MANY_WORDS = 2


class PieceReference(NamedTuple):
    """A piece, by its number, that refers to another one; the smaller number is the first."""

    first: int
    second: int


def references_of(
    source: SplitSource, pieces: Sequence[Piece], whereabouts: LinkLocations
) -> Mapping[PieceReference, int]:
    """Return how often two pieces refer to each other.

    By links to a heading, and by its words: one of several words as it is written, any one in
    quotes, emphasis, code or brackets, or behind `see`. What several pieces call a heading of
    theirs counts for none.
    """
    numbers = {line: number for number, piece in enumerate(pieces) for line in _lines(piece)}
    patterns = list(_patterns(source, numbers))
    references: Counter[PieceReference] = Counter()
    for number, piece in enumerate(pieces):
        text = source.text(piece.first, piece.last)
        others = [numbers.get(line) for line in _linked(text, whereabouts)]
        others += [other for pattern, other in patterns if other != number and pattern.search(text)]
        for other in others:
            if other is not None and other != number:
                references[PieceReference(*sorted((number, other)))] += 1
    return references


def _lines(piece: Piece) -> range:
    return range(piece.first, piece.last + 1)


def _linked(text: str, whereabouts: LinkLocations) -> Iterator[int]:
    """Give the lines of the source that links in a text of it lead to."""
    for line in text.splitlines():
        for target in targets_in(line) if "#" in line else ():
            number = whereabouts.line_of(target, whereabouts.path)
            if number is not None:
                yield number


def _patterns(
    source: SplitSource, numbers: Mapping[int, int]
) -> Iterator[tuple[re.Pattern[str], int]]:
    """Give what matches the words of each heading, with the number of its piece."""
    titles: dict[str, set[int]] = {}
    for heading in source.headings:
        if heading.first in numbers and heading.title:
            titles.setdefault(heading.title, set()).add(numbers[heading.first])
    for title, pieces in titles.items():
        words = re.findall(r"\w+", title)
        if len(pieces) == 1 and words:
            yield re.compile(_pattern(title, len(words))), next(iter(pieces))


def _pattern(title: str, words: int) -> str:
    mark = re.escape(title)
    marked = "(?i:" + "|".join(form.replace("{mark}", mark) for form in (_MARKED, _BEHIND)) + ")"
    plain = rf"(?<!\w){mark}(?!\w)"
    return f"{marked}|{plain}" if words >= _MANY_WORDS else marked


NEIGHBOURS = 0.10
"""What two pieces gain that follow each other. Chosen while reading the divisions of five real
target files of 401 to 1,700 lines: without it neighbours of one subject in other words went to
different files."""
ALIKE = 0.30
"""From this similarity on two topics become one, though each is large enough for a file. As above:
from 0.2 on everything came together that has room."""
_TITLE = 3  # times a word of the title counts

Size = Callable[[Sequence[int]], int]
"""The lines of a file of some pieces, by their numbers."""


def topics_of(
    numbers: Collection[int],
    references: Mapping[PieceReference, int],
    similarities: Mapping[tuple[int, int], float],
    size: Size,
    sizes: Sizes,
) -> list[tuple[int, ...]]:
    """Return pieces by topic, as their numbers, in the order of the file.

    None is larger than the sizes allow unless one piece is. First those come together that refer to
    each other most often, then of those that are too small the most similar. The same
    file gives the same topics.
    """
    clusters = _Clusters(similarities, size, sizes, [(number,) for number in numbers])
    for reference, _ in sorted(references.items(), key=lambda item: (-item[1], item[0])):
        if reference.first in numbers and reference.second in numbers:
            clusters.join(*reference)
    while (pair := clusters.next_pair()) is not None:
        clusters.join(*pair)
    return sorted(clusters.members)


def similarities_of(source: SplitSource, pieces: Sequence[Piece]) -> dict[tuple[int, int], float]:
    """Return the similarity of each two pieces, from 0 to 1 and what neighbours gain."""
    vectors = _vectors(source, pieces)
    return {
        (one, other): sum(
            value * vectors[other].get(key, 0.0) for key, value in vectors[one].items()
        )
        + NEIGHBOURS * (other - one == 1 and pieces[one].parent == pieces[other].parent)
        for one, other in combinations(range(len(pieces)), 2)
    }


class _Clusters:
    """Pieces in clusters, which are joined one by one."""

    def __init__(
        self,
        similarities: Mapping[tuple[int, int], float],
        size: Size,
        sizes: Sizes,
        members: list[tuple[int, ...]],
    ) -> None:
        self.members = members
        self._similarities = similarities
        self._size = size
        self._limits = sizes
        self._sizes = {cluster: size(cluster) for cluster in members}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], float] = {}

    def join(self, one: int, other: int) -> None:
        """Join the clusters of two pieces, unless they are too large for one file."""
        first, second = (self._cluster_of(number) for number in (one, other))
        both = tuple(sorted((*first, *second)))
        if first == second or self._size_of(both) > self._limits.largest:
            return
        self.members = [m for m in self.members if m not in (first, second)]
        self.members.append(both)

    def next_pair(self) -> tuple[int, int] | None:
        """Return a piece of each of the two clusters that come together next; None for no more."""
        best, pair = 0.0, None
        for one, other in combinations(sorted(self.members), 2):
            is_small = min(self._size_of(one), self._size_of(other)) < self._limits.smallest
            similarity = self._similarity(one, other)
            level = 0.0 if is_small else ALIKE
            # Small topics first: they have to go somewhere.
            rank = similarity + is_small
            if similarity >= level and rank > best and self._fits(one, other):
                best, pair = rank, (one[0], other[0])
        return pair

    def _cluster_of(self, number: int) -> tuple[int, ...]:
        return next(cluster for cluster in self.members if number in cluster)

    def _fits(self, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        if self._size_of(one) + self._size_of(other) > 2 * self._limits.largest:
            return False
        return self._size_of(tuple(sorted((*one, *other)))) <= self._limits.largest

    def _size_of(self, cluster: tuple[int, ...]) -> int:
        if cluster not in self._sizes:
            self._sizes[cluster] = self._size(cluster)
        return self._sizes[cluster]

    def _similarity(self, one: tuple[int, ...], other: tuple[int, ...]) -> float:
        """Return the mean similarity of the members of two clusters."""
        if (one, other) not in self._known:
            pairs = [(min(a, b), max(a, b)) for a in one for b in other]
            total = math.fsum(self._similarities[pair] for pair in pairs)
            self._known[one, other] = total / len(pairs)
        return self._known[one, other]


def _vectors(source: SplitSource, pieces: Sequence[Piece]) -> list[dict[str, float]]:
    """Return the keywords of each piece with their weights, as a vector of length 1."""
    counts = []
    for piece in pieces:
        words = Counter(k.key for k in keywords(source.text(piece.first, piece.last)))
        for keyword in keywords(piece.title):
            words[keyword.key] += _TITLE
        counts.append(words)
    spread = Counter(key for words in counts for key in words)
    return [_unit(words, spread, len(pieces)) for words in counts]


def _unit(words: Mapping[str, int], spread: Mapping[str, int], count: int) -> dict[str, float]:
    vector = {
        key: (1 + math.log(words[key])) * math.log((count + 1) / spread[key])
        for key in sorted(words)
    }
    length = math.hypot(*vector.values())
    return {key: value / length for key, value in vector.items()} if length else {}
