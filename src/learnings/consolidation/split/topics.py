"""Groups the pieces of a file by topic: by references first, then by similarity.

Pieces refer to each other by links and by the words of their headings.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import chain, combinations
from typing import NamedTuple

from learnings.consolidation.split.source import Section, Source, new_file
from learnings.consolidation.text.keywords import keywords
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.setting_values import Settings

# Marks that a one-word heading needs to count: quotes, emphasis, code or brackets.
_OPENING, _CLOSING = frozenset("\"“”„«'‘’*_`["), frozenset("\"“”»'‘’*_`]")
# The same after these words: `see Retries`, `as in Retries`.
_BEHIND = lazy_pattern(
    r"(?i)\b(?:see(?:\s+also)?|as\s+(?:in|under|described\s+in)|cf\.)\s+(?:the\s+)?\Z"
)
_LONGEST_BEHIND = 40  # characters
# A text in parts, which headings begin and end with: letters and digits, or a sign.
_PART = lazy_pattern(r"[^\W_]+|[\W_]")
_WORD = lazy_pattern(r"\w+")
_MANY_WORDS = 2
_LONGEST_TITLE = 200  # characters; nobody writes out a longer one in a text

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

References = Mapping[Section, Counter[Section]]
"""How often a piece refers to each other one, or that one to it."""
Topic = tuple[Section, ...]
"""Pieces in the order of the file."""


class Sizes(NamedTuple):
    """Lines that a new file should have: fewer are no topic, more would soon be full again."""

    smallest: int
    largest: int


def sizes_for(settings: Settings) -> Sizes:
    """Return the configured sizes; defaults shrink with `line-limit`.

    Then `split-min` is a quarter of the limit, and `split-max` three quarters.
    """
    limit = settings.line_limit
    smallest, largest = settings.split_min, min(settings.split_max, limit)
    if "split-min" not in settings.origins:
        smallest = min(smallest, max(1, limit // 4))
    if "split-max" not in settings.origins:
        largest = min(largest, max(1, 3 * limit // 4))
    return Sizes(min(smallest, largest), largest)


def references_of(source: Source, pieces: Sequence[Section]) -> References:
    """Return how often two pieces refer to each other.

    References are links to a heading, and its words: several words as they are written, any single
    word in quotes, emphasis, code or brackets, or after `see`. A title that several pieces have
    counts for none.
    """
    owners = {line: piece for piece in pieces for line in piece.numbers}
    titles: dict[str, set[Section]] = defaultdict(set)
    for heading in source.headings:
        if heading.first in owners and len(heading.title) <= _LONGEST_TITLE:
            titles[heading.title].add(owners[heading.first])
    by_words: dict[str, list[str]] = defaultdict(list)
    lengths: dict[str, set[int]] = defaultdict(set)
    for title, found in titles.items():
        if len(found) == 1 and _WORD.search(title):
            by_words[title.lower()].append(title)
            lengths[_PART.findall(title.lower())[0]].add(len(title))
    linked: dict[Section, list[Section]] = defaultdict(list)
    for link in source.links:
        piece, line = owners.get(link.place.line), source.line_of(link, source.path)
        if piece is not None and line is not None:
            linked[piece].append(owners.get(line, piece))
    references: dict[Section, Counter[Section]] = defaultdict(Counter)
    for piece in pieces:
        text = source.text(piece.numbers)
        others = linked[piece] + [
            min(titles[title]) for title in _meant_in(text, by_words, lengths)
        ]
        for other in others:
            if other != piece:
                references[piece][other] += 1
                references[other][piece] += 1
    return references


def _meant_in(
    text: str, by_words: Mapping[str, Sequence[str]], lengths: Mapping[str, Collection[int]]
) -> set[str]:
    """Return the titles that a text means; the text is read once for all titles.

    by_words are the titles by their text in lower case, lengths those of the titles that begin with
    a part.
    """
    return {
        title
        for match in _PART.finditer(text)
        for length in lengths.get(match[0].lower(), ())
        for title in by_words.get(text[match.start() : match.start() + length].lower(), ())
        if _is_meant(title, text, match.start())
    }


def _is_meant(title: str, text: str, first: int) -> bool:
    """Return True if the words of a title that begin there refer to it; case is ignored."""
    last = first + len(title)
    before, after = text[max(0, first - _LONGEST_BEHIND) : first], text[last : last + 1]
    if before[-1:] in _OPENING and after in _CLOSING:
        return True
    is_written = text[first:last] == title and not _is_word(before[-1:])
    is_long = len(_WORD.findall(title)) >= _MANY_WORDS
    is_behind = _BEHIND.search(before) is not None
    return not _is_word(after) and (is_behind or (is_written and is_long))


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def topics_of(
    source: Source,
    pieces: Sequence[Section],
    taken: Collection[Section],
    references: References,
    sizes: Sizes,
) -> list[Topic]:
    """Return the pieces that are not taken by topic; those that are left stay.

    No topic is larger than the sizes allow unless one piece is, and none is smaller. First, pieces
    that refer to each other most often are joined; then the most similar of those that are too
    small. The same file gives the same topics.
    """

    def size(topic: Topic) -> int:
        # A file has at least one line for each of its pieces; composing it takes much longer.
        least = sum(len(piece.numbers) for piece in topic)
        return least if least > sizes.largest else len(new_file(source, "title", topic))

    topics: dict[Section, Topic] = {piece: (piece,) for piece in pieces if piece not in taken}
    pairs = ((-n, one, other) for one in references for other, n in references[one].items())
    for _, one, other in sorted(pair for pair in pairs if pair[1] < pair[2]):
        if one in topics and other in topics and topics[one] != topics[other]:
            both = tuple(sorted((*topics[one], *topics[other])))
            if size(both) <= sizes.largest:
                topics.update(dict.fromkeys(both, both))
    vectors = _vectors(source, pieces)
    members = sorted(set(topics.values()))
    runs = (members[start : start + _RUN] for start in range(0, len(members), _RUN))
    joined = chain.from_iterable(_joined(run, vectors, size, sizes) for run in runs)
    return [topic for topic in joined if size(topic) >= sizes.smallest]


Vector = dict[Hashable, float]
"""The weight of each keyword of some pieces. Neighbours have one element in common, too."""


def _vectors(source: Source, pieces: Sequence[Section]) -> dict[Section, Vector]:
    """Return the vector of each piece; the keywords have length 1."""
    counts = {}
    for piece in pieces:
        text = keywords(source.text(piece.numbers))
        counts[piece] = Counter(word.key for word in (*text, *keywords(piece.title) * _TITLE))
    spread = Counter(key for words in counts.values() for key in words)
    vectors: dict[Section, Vector] = {}
    for number, (piece, words) in enumerate(counts.items()):
        weights = {
            key: (1 + math.log(words[key])) * math.log((len(pieces) + 1) / spread[key])
            for key in sorted(words)
        }
        length = math.hypot(*weights.values())
        vectors[piece] = {key: weight / length for key, weight in weights.items() if length}
        for place in (number, number + 1):
            vectors[piece][piece.intro, place] = NEIGHBOURS**0.5
    return vectors


def _joined(
    run: Sequence[Topic],
    vectors: Mapping[Section, Vector],
    size: Callable[[Topic], int],
    sizes: Sizes,
) -> Collection[Topic]:
    """Return topics joined pairwise, the most similar first."""
    sums: dict[Topic, Vector] = {topic: defaultdict(float) for topic in run}
    for topic, vector in sums.items():
        for key, value in chain.from_iterable(vectors[piece].items() for piece in topic):
            vector[key] += value
    small = {topic: size(topic) < sizes.smallest for topic in run}
    # The sums of the similarities between the pieces of each two topics.
    totals: dict[Topic, dict[Topic, float]] = {topic: {} for topic in run}
    pairs: list[tuple[float, Topic, Topic]] = []  # the best first, of equal ones the first

    def push(one: Topic, other: Topic, total: float) -> None:
        totals[one][other] = totals[other][one] = total
        similarity = round(total / (len(one) * len(other)), _PLACES)
        has_small = small[one] or small[other]
        if has_small or similarity >= ALIKE:
            # Small topics first, because they must be joined.
            heappush(pairs, (-(similarity + has_small), min(one, other), max(one, other)))

    for one, other in combinations(run, 2):
        few, many = sorted((sums[one], sums[other]), key=len)
        push(one, other, sum(value * many[key] for key, value in few.items() if key in many))
    while pairs:
        _, one, other = heappop(pairs)
        both = tuple(sorted((*one, *other)))
        if one in totals and other in totals and size(both) <= sizes.largest:
            parts = totals.pop(one), totals.pop(other)
            totals[both] = {}
            small[both] = size(both) < sizes.smallest
            for third in totals.keys() - {both}:
                push(both, third, sum(part[third] for part in parts))
    return totals
