"""Groups the pieces of a file by topic: by references first, then by similarity.

Pieces refer to each other by links and by the words of their headings.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import Any, NamedTuple

from learnings.consolidation.split.links import LinkLocations
from learnings.consolidation.split.pieces import Piece, Sizes, SplitSource
from learnings.consolidation.text.keywords import keywords
from learnings.core.markdown.links import targets_in
from learnings.core.patterns import lazy_pattern

# Marks that a one-word heading needs to count: quotes, emphasis, code or brackets.
_OPENING, _CLOSING = frozenset("\"“”„«'‘’*_`["), frozenset("\"“”»'‘’*_`]")
# The same after these words: `see Retries`, `as in Retries`.
_BEHIND = lazy_pattern(
    r"(?i)\b(?:see(?:\s+also)?|as\s+(?:in|under|described\s+in)|cf\.)\s+(?:(the)\s+)?"
)
# A text in parts, which headings begin and end with: letters and digits, or a sign.
_PART = lazy_pattern(r"[^\W_]+|[\W_]")
_WORD = lazy_pattern(r"\w+")
_MANY_WORDS = 2
_LONGEST_TITLE = 200  # characters; nobody writes out a longer one in a text


References = Mapping[tuple[int, int], int]
"""How often two pieces refer to each other, by their numbers, the smaller one first."""


def references_of(
    source: SplitSource, pieces: Sequence[Piece], whereabouts: LinkLocations
) -> References:
    """Return how often two pieces refer to each other.

    References are links to a heading, and its words: several words as they are written, any single
    word in quotes, emphasis, code or brackets, or after `see`. A title that several pieces have
    counts for none.
    """
    numbers = {
        line: number
        for number, piece in enumerate(pieces)
        for line in range(piece.first, piece.last + 1)
    }
    titles = _HeadingParts(source, numbers)
    references: Counter[tuple[int, int]] = Counter()
    for number, piece in enumerate(pieces):
        text = source.text(piece.first, piece.last)
        targets = (t for line in text.splitlines() if "#" in line for t in targets_in(line))
        linked = (whereabouts.line_of(target, whereabouts.path) for target in targets)
        others = [numbers.get(line) for line in linked if line is not None]
        for other in (*others, *titles.meant_in(text)):
            if other is not None and other != number:
                references[min(number, other), max(number, other)] += 1
    return references


class _HeadingParts:
    """The headings of a file by their parts, so that a text is read once for all of them."""

    def __init__(self, source: SplitSource, numbers: Mapping[int, int]) -> None:
        titles: dict[str, set[int]] = {}
        for heading in source.headings:
            if heading.first in numbers and len(heading.title) <= _LONGEST_TITLE:
                titles.setdefault(heading.title, set()).add(numbers[heading.first])
        self._tree: dict[str, Any] = {}
        for title, pieces in titles.items():
            if len(pieces) == 1 and _WORD.search(title):
                node = self._tree
                for part in _PART.findall(title.lower()):
                    node = node.setdefault(part, {})
                node.setdefault("", []).append((title, next(iter(pieces))))

    def meant_in(self, text: str) -> Iterator[int]:
        """Yield the pieces whose headings a text means, once for each heading."""
        found = set()
        behind = set()
        for match in _BEHIND.finditer(text):
            behind |= {match.end(), match.start(1) if match[1] else match.end()}
        for first, last, titles in self._occurrences(text):
            is_marked = text[first - 1 : first] in _OPENING and text[last : last + 1] in _CLOSING
            is_whole = not _is_word(text[last : last + 1])
            is_meant = is_marked or (first in behind and is_whole)
            is_whole = is_whole and not _is_word(text[first - 1 : first])
            for title, number in titles:
                is_written = is_whole and text[first:last] == title
                if is_meant or (is_written and len(_WORD.findall(title)) >= _MANY_WORDS):
                    found.add((title, number))
        return (number for _, number in sorted(found))

    def _occurrences(self, text: str) -> Iterator[tuple[int, int, list[tuple[str, int]]]]:
        """Yield the offsets around each heading in a text in any case, and the headings."""
        parts = [(match.start(), match.end(), match[0].lower()) for match in _PART.finditer(text)]
        for index, (first, _, start) in enumerate(parts):
            node = self._tree.get(start)
            following = index + 1
            while node is not None:
                if "" in node:
                    yield first, parts[following - 1][1], node[""]
                node = node.get(parts[following][2]) if following < len(parts) else None
                following += 1


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


NEIGHBOURS = 0.10
"""Bonus for two pieces that follow each other.

Chosen while reading the divisions of five real target files of 401 to 1,700 lines: without it,
neighbours on one subject in other words went to different files.
"""
ALIKE = 0.30
"""From this similarity on two topics become one, even if each is large enough for a file.

Chosen like the bonus: from 0.2 on, everything that had room was joined.
"""
_TITLE = 3  # weight of a word of the title

_RUN = 250
"""Most topics to compare pairwise.

More are divided in file order, so that the time grows with the sections and not with their square.
"""
_PLACES = 9  # decimals of a similarity; further ones depend on the order of a sum

Topic = tuple[int, ...]
"""Pieces by their numbers, in the order of the file."""
Size = Callable[[Topic], int]
"""The lines of a file of some pieces."""


def topics_of(
    numbers: Collection[int],
    references: References,
    alike: Alikeness,
    size: Size,
    sizes: Sizes,
) -> list[Topic]:
    """Return pieces by topic, as their numbers, in the order of the file.

    No topic is larger than the sizes allow unless one piece is. First, pieces that refer to each
    other most often are joined; then the most similar of those that are too small. The same file
    gives the same topics.
    """
    limits = _Limits(alike.pieces, size, sizes)
    topics: dict[int, Topic] = {number: (number,) for number in numbers}
    for pair, _ in sorted(references.items(), key=lambda item: (-item[1], item[0])):
        if topics.keys() >= {*pair}:
            one, other = (topics[number] for number in pair)
            both = tuple(sorted((*one, *other)))
            if one != other and limits.fits(both):
                topics.update(dict.fromkeys(both, both))
    members = sorted(set(topics.values()))
    runs = (members[start : start + _RUN] for start in range(0, len(members), _RUN))
    return sorted(topic for run in runs for topic in _Clusters(run, alike, limits).joined())


class Alikeness(NamedTuple):
    """Pieces of a file with their keywords, weighted, as vectors of length 1."""

    pieces: Sequence[Piece]
    vectors: Sequence[Mapping[str, float]]

    def totals(self, topics: Sequence[Topic]) -> dict[int, dict[int, float]]:
        """Return the sum of the similarities between the pieces of each two topics.

        Topics are named by their first pieces. A similarity is 0 to 1, plus the bonus for
        neighbours.
        """
        vectors = {topic[0]: self._vector(topic) for topic in topics}
        totals: dict[int, dict[int, float]] = {topic[0]: {} for topic in topics}
        for one, other in combinations(vectors, 2):
            few, many = sorted((vectors[one], vectors[other]), key=len)
            total = sum(value * many.get(key, 0.0) for key, value in few.items())
            totals[one][other] = totals[other][one] = total
        owners = {number: topic[0] for topic in topics for number in topic}
        for number, one in owners.items():
            other = owners.get(number + 1, one)
            if other != one and self.pieces[number].parent == self.pieces[number + 1].parent:
                totals[one][other] += NEIGHBOURS
                totals[other][one] += NEIGHBOURS
        return totals

    def _vector(self, topic: Topic) -> Mapping[str, float]:
        vector: dict[str, float] = {}
        for number in topic:
            for key, value in self.vectors[number].items():
                vector[key] = vector.get(key, 0.0) + value
        return vector


class _Limits(NamedTuple):
    """The size limits of topics for a file of their own."""

    pieces: Sequence[Piece]
    size: Size
    sizes: Sizes

    def fits(self, topic: Topic) -> bool:
        """Return True if one file has room for a topic."""
        # A file has at least one line for each of its pieces; composing it takes much longer.
        least = sum(self.pieces[number].lines for number in topic)
        return least <= self.sizes.largest and self.size(topic) <= self.sizes.largest

    def is_small(self, topic: Topic) -> bool:
        """Return True if a topic is too small for a file."""
        return self.size(topic) < self.sizes.smallest


class _Clusters:
    """Topics that are joined pairwise, the most similar first."""

    def __init__(self, topics: Sequence[Topic], alike: Alikeness, limits: _Limits) -> None:
        self._limits = limits
        self._topics = {topic[0]: topic for topic in topics}
        self._is_small = {topic[0]: limits.is_small(topic) for topic in topics}
        self._totals = alike.totals(topics)
        # The best pair first, of equal ones the first in the file. The number of pieces shows that
        # a topic has grown since.
        self._pairs: list[tuple[float, int, int, int]] = []

    def joined(self) -> Collection[Topic]:
        """Return the topics after all possible joins."""
        self._pairs = [*filter(None, (self._pair(*pair) for pair in combinations(self._topics, 2)))]
        heapify(self._pairs)
        while self._pairs:
            _, one, other, count = heappop(self._pairs)
            if one not in self._topics or other not in self._topics:
                continue
            both = tuple(sorted((*self._topics[one], *self._topics[other])))
            if len(both) == count and self._limits.fits(both):
                self._join(one, other, both)
        return self._topics.values()

    def _join(self, one: int, other: int, both: Topic) -> None:
        del self._topics[other]
        self._topics[one] = both
        self._is_small[one] = self._limits.is_small(both)
        for third in self._topics:
            if third != one:
                self._totals[one][third] += self._totals[other][third]
                self._totals[third][one] = self._totals[one][third]
                pair = self._pair(*sorted((one, third)))
                if pair is not None:
                    heappush(self._pairs, pair)

    def _pair(self, one: int, other: int) -> tuple[float, int, int, int] | None:
        """Return the rank of two topics, None if they may not be joined."""
        first, second = len(self._topics[one]), len(self._topics[other])
        similarity = round(self._totals[one][other] / (first * second), _PLACES)
        is_small = self._is_small[one] or self._is_small[other]
        if similarity < (0.0 if is_small else ALIKE):
            return None
        # Small topics first, because they must be joined.
        return -(similarity + is_small), one, other, first + second


def alikeness_of(source: SplitSource, pieces: Sequence[Piece]) -> Alikeness:
    """Return the pieces of a file with their keywords."""
    counts = []
    for piece in pieces:
        words = Counter(k.key for k in keywords(source.text(piece.first, piece.last)))
        for keyword in keywords(piece.title):
            words[keyword.key] += _TITLE
        counts.append(words)
    spread = Counter(key for words in counts for key in words)
    return Alikeness(pieces, [_unit(words, spread, len(pieces)) for words in counts])


def _unit(words: Mapping[str, int], spread: Mapping[str, int], count: int) -> dict[str, float]:
    vector = {
        key: (1 + math.log(words[key])) * math.log((count + 1) / spread[key])
        for key in sorted(words)
    }
    length = math.hypot(*vector.values())
    return {key: value / length for key, value in vector.items()} if length else {}
