"""Which sections of a file refer to each other: by links, and by the words of their headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.split.links import targets_in
from learnings.consolidation.split.pieces import Piece
from learnings.consolidation.split.source import Source
from learnings.consolidation.split.whereabouts import Whereabouts

# What a heading of one word has to stand in to be meant: quotes, emphasis, code or brackets.
_MARKED = r"[\"“”„«'‘’*_`\[]{mark}[\"“”»'‘’*_`\]]"
# The same behind these words: `see Retries`, `as in Retries`.
_BEHIND = r"\b(?:see(?:\s+also)?|as\s+(?:in|under|described\s+in)|cf\.)\s+(?:the\s+)?{mark}(?!\w)"
_MANY_WORDS = 2


class Reference(NamedTuple):
    """A piece, by its number, that refers to another one; the smaller number is the first."""

    first: int
    second: int


def references_of(
    source: Source, pieces: Sequence[Piece], whereabouts: Whereabouts
) -> Mapping[Reference, int]:
    """Return how often two pieces refer to each other.

    By links to a heading, and by its words: one of several words as it is written, any one in
    quotes, emphasis, code or brackets, or behind `see`. What several pieces call a heading of
    theirs counts for none.
    """
    numbers = {line: number for number, piece in enumerate(pieces) for line in _lines(piece)}
    patterns = list(_patterns(source, numbers))
    references: Counter[Reference] = Counter()
    for number, piece in enumerate(pieces):
        text = source.text(piece.first, piece.last)
        others = [numbers.get(line) for line in _linked(text, whereabouts)]
        others += [other for pattern, other in patterns if other != number and pattern.search(text)]
        for other in others:
            if other is not None and other != number:
                references[Reference(*sorted((number, other)))] += 1
    return references


def _lines(piece: Piece) -> range:
    return range(piece.first, piece.last + 1)


def _linked(text: str, whereabouts: Whereabouts) -> Iterator[int]:
    """Give the lines of the source that links in a text of it lead to."""
    for line in text.splitlines():
        for target in targets_in(line) if "#" in line else ():
            number = whereabouts.line_of(target, whereabouts.path)
            if number is not None:
                yield number


def _patterns(source: Source, numbers: Mapping[int, int]) -> Iterator[tuple[re.Pattern[str], int]]:
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
