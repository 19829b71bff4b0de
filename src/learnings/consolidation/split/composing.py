"""Composes the files after a split, line by line, and proves that it loses nothing.

Each line knows its line in the source. The new files must contain the same lines of text, parsed as
the same blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.split.links import LinkLocations, NewLinkLocations
from learnings.consolidation.split.pieces import (
    Definition,
    Piece,
    Pieces,
    SplitSource,
    read_source,
    used_labels,
)
from learnings.core.errors import FixRefused
from learnings.core.findings.finding import quoted
from learnings.core.markdown.line_edits import terminated
from learnings.core.markdown.links import anchors_of, without_targets
from learnings.core.text import chomp, decode, encode, newline_of, split_lines

LEAD = "In files of their own:"
"""The line above the cross-references that stay in the source."""


class SplitLine(NamedTuple):
    """A line with its terminator; origin is its number in the source, 0 for an added line."""

    text: str
    origin: int = 0


class SplitText(NamedTuple):
    """The lines of a file after the split, by its path."""

    path: str
    lines: tuple[SplitLine, ...]

    def to_bytes(self, bom: str = "") -> bytes:
        """Return the file."""
        return encode(bom + "".join(line.text for line in self.lines))


class Composer:
    """Writes the lines of the files into which a source is divided."""

    def __init__(self, source: SplitSource, definitions: Sequence[Definition]) -> None:
        self._source = source
        self._newline = newline_of("".join(source.lines))
        self._definitions = {definition.label: definition for definition in definitions}
        self._ends = {definition.last for definition in definitions}

    def new_file(self, path: str, title: str, pieces: Sequence[Piece]) -> SplitText:
        """Return a file of some pieces below a title; empty: the pieces have one."""
        lines = [*self._added([f"# {title}", ""])] if title else []
        for number, piece in enumerate(pieces):
            lines += self._added([""] * (number > 0))
            lines += self._kept(range(piece.first, piece.last + 1))
        return SplitText(path, tuple(self._with_definitions(lines)))

    def rest(self, moved: Iterable[Piece], references: Mapping[int, Sequence[str]]) -> SplitText:
        """Return the rest of the source, with its cross-references to new files.

        references are by the last line of the text that they go below.
        """
        missing = {number for piece in moved for number in range(piece.first, piece.last + 1)}
        lines: list[SplitLine] = []
        is_gap = False
        for number in range(len(self._source.lines) + 1):
            if number:
                is_blank = not self._source.lines[number - 1].strip()
                is_gap = number in missing or (is_gap and is_blank)
                lines += self._kept([] if is_gap else [number])
            if number in references:
                lines = self._with_references(lines, references[number])
        return SplitText(self._source.path, tuple(self._with_definitions(lines)))

    def size(self, pieces: Sequence[Piece]) -> int:
        """Return the number of lines of a file of some pieces."""
        if self._definitions:
            return len(self.new_file("", "title", pieces).lines)
        return 2 + sum(piece.lines for piece in pieces) + len(pieces) - 1  # as new_file() does

    def _kept(self, numbers: Iterable[int]) -> Iterator[SplitLine]:
        for number in numbers:
            lines = self._source.lines[number - 1 : number]
            yield from (SplitLine(t, number) for t in terminated(lines, self._newline))

    def _added(self, texts: Iterable[str]) -> Iterator[SplitLine]:
        return (SplitLine(text + self._newline) for text in texts)

    def _with_references(self, lines: list[SplitLine], texts: Sequence[str]) -> list[SplitLine]:
        """Return lines with cross-references below them, those of an earlier split above."""
        lines = _without_blank_end(lines)
        above = (chomp(line.text) for line in reversed(lines))
        last = next((text for text in above if text and not text.startswith("- [")), "")
        lead = [] if last == LEAD else [*[""] * bool(lines), LEAD, ""]
        return [*lines, *self._added([*lead, *texts, ""])]

    def _with_definitions(self, lines: Sequence[SplitLine]) -> list[SplitLine]:
        """Return lines followed by the definitions that they use and lack."""
        hidden, origins = self._source.hidden, {line.origin for line in lines}
        used = used_labels("".join(line.text for line in lines if line.origin not in hidden))
        known = (self._definitions[label] for label in used if label in self._definitions)
        missing = sorted((d for d in known if d.first not in origins), key=lambda d: d.first)
        result = _without_blank_end(lines)
        if missing and result[-1].origin not in self._ends:
            result += self._added([""])
        for definition in missing:
            result += self._added(
                map(chomp, self._source.lines[definition.first - 1 : definition.last])
            )
        return result


def _without_blank_end(lines: Sequence[SplitLine]) -> list[SplitLine]:
    end = len(lines)
    while end and not lines[end - 1].text.strip():
        end -= 1
    return list(lines[:end])


def locations_after(
    texts: Iterable[SplitText], source: SplitSource, old: LinkLocations
) -> NewLinkLocations:
    """Return the places of the source's lines in the files after the split."""
    titles = {heading.first: heading.title for heading in source.headings}
    places = dict.fromkeys(range(1, len(source.lines) + 1), source.path)
    anchors: dict[int, str] = {}
    for text in texts:
        places.update((line.origin, text.path) for line in text.lines if line.origin)
        anchors |= anchors_of(_anchored(text, titles))
    return NewLinkLocations(old, places, anchors)


def _anchored(text: SplitText, titles: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    for line in text.lines:
        if line.origin in titles:
            yield line.origin, titles[line.origin]
        elif not line.origin and line.text.startswith("# "):
            yield 0, chomp(line.text)[2:]


def with_links(text: SplitText, source: SplitSource, whereabouts: NewLinkLocations) -> SplitText:
    """Return a file with its links into the source changed to the new places of the headings."""
    lines = (
        line
        if line.origin in source.hidden
        else line._replace(text=whereabouts.relinked(line.text, source.path, text.path))
        for line in text.lines
    )
    return text._replace(lines=tuple(lines))


def intro_of(pieces: Pieces, group: Sequence[Piece]) -> int:
    """Return the line below which the cross-reference of a group of pieces goes."""
    parents = {piece.parent for piece in group}
    parent = next(iter(parents))
    if len(parents) > 1 or parent is None:
        return pieces.intro
    return pieces.intros[parent.first]


def refuse_loss(
    source: SplitSource, texts: Sequence[SplitText], contents: Mapping[str, bytes]
) -> None:
    """Raise FixRefused unless the new contents have each source line, equally often.

    contents are the files by path, texts say which lines are added. Blank lines and the
    destinations of links do not count. No line may change its kind, for example from a heading to
    text or code.
    """
    before = _counted_texts(source.lines)
    after: Counter[str] = Counter()
    for text in texts:
        lines = split_lines(decode(contents[text.path]).removeprefix(source.bom))
        added = (line.text for line in text.lines if not line.origin)
        after += _counted_texts(lines) - _counted_texts(added)
    if lost := before - after:
        raise _refused_split(source, f"would lose the line {quoted(next(iter(lost)))}")
    if surplus := after - before:
        raise _refused_split(source, f"would write the line {quoted(next(iter(surplus)))} twice")
    for text in texts:
        _refuse_misread(source, text, read_source(text.path, contents[text.path]))


def _refuse_misread(source: SplitSource, text: SplitText, after: SplitSource) -> None:
    headings = {heading.first: heading for heading in source.headings}
    numbers = {number: line for number, line in enumerate(text.lines, start=1) if line.origin}
    expected = {
        number: (headings[line.origin].level, headings[line.origin].title)
        for number, line in numbers.items()
        if line.origin in headings
    }
    actual = {h.first: (h.level, h.title) for h in after.headings if h.first in numbers}
    hidden = {number for number, line in numbers.items() if line.origin in source.hidden}
    if len(text.lines) != len(after.lines) or expected != actual:
        raise _refused_split(source, f"would change the headings in {quoted(text.path)}")
    if hidden != {*after.hidden} & {*numbers}:
        raise _refused_split(source, f"would change code or comments in {quoted(text.path)}")


def _counted_texts(lines: Iterable[str]) -> Counter[str]:
    return Counter(without_targets(chomp(line)).strip() for line in lines if line.strip())


def _refused_split(source: SplitSource, reason: str) -> FixRefused:
    return FixRefused(f"cannot split {source.path}: the result {reason}; split it by hand")
