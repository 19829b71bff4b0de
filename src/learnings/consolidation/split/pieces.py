"""A file to be split: its lines, headings, links and footnotes, and where to cut it.

A link definition is written once in a file and used anywhere in it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.outline import Block
from learnings.core.markdown.parser import setext_headings, takes_too_long
from learnings.core.patterns import lazy_pattern
from learnings.core.settings.setting_values import Settings
from learnings.core.text import BOM, chomp

# A line that underlines the text above it; without one, no parser is needed.
_UNDERLINE = lazy_pattern(r" {0,3}(?:=+|-+)[ \t]*$")


class SourceHeading(NamedTuple):
    """A heading of either form; first and last are its lines, 1-based."""

    first: int
    last: int
    level: int
    title: str


class SplitSource(NamedTuple):
    """A file before the split; path is POSIX, relative to the root.

    lines keep their terminators; a byte order mark is separate. hidden are the lines of code,
    comments and the front matter. unclosed are blocks without an end.
    """

    path: str
    bom: str
    lines: tuple[str, ...]
    headings: tuple[SourceHeading, ...]
    hidden: frozenset[int]
    unclosed: tuple[Block, ...]

    @property
    def folder(self) -> str:
        """The folder of the file with a trailing slash; empty for the root."""
        return self.path[: -len(self.name)]

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The file's name without its suffix."""
        return self.name.rpartition(".")[0] or self.name

    @property
    def suffix(self) -> str:
        """The suffix of the file's name with its dot; empty if there is none."""
        return self.name.removeprefix(self.stem)

    @property
    def title(self) -> SourceHeading | None:
        """The heading of level 1 at the start of the file, if there is one."""
        first = self.headings[0] if self.headings else None
        return first if first is not None and first.level == 1 else None

    def text(self, first: int, last: int) -> str:
        """Return the lines between two line numbers, without code and comments."""
        numbers = range(first, last + 1)
        return "".join(self.lines[number - 1] for number in numbers if number not in self.hidden)

    def last_text(self, first: int, last: int) -> int:
        """Return the last line with text among some lines, or the line before the first."""
        while last >= first and not self.lines[last - 1].strip():
            last -= 1
        return last


def read_source(path: str, data: bytes) -> SplitSource:
    """Parse a file to be split; accepts any input."""
    blocks = blocks_of(data)
    bom = BOM if blocks.lines and blocks.lines[0].startswith(BOM) else ""
    lines = (blocks.lines[0].removeprefix(bom), *blocks.lines[1:]) if bom else blocks.lines
    outline = blocks.outline
    headings = [
        SourceHeading(line, line, level, heading_text(blocks.lines[line - 1]))
        for line, level in outline.headings
    ]
    return SplitSource(
        path,
        bom,
        lines,
        tuple(sorted((*headings, *_setext(lines, blocks.front_matter)))),
        frozenset(outline.hidden_lines(blocks.front_matter)),
        tuple(block for block in outline.hiding_blocks if not block.closed),
    )


def _setext(lines: Sequence[str], front_matter: int) -> Iterator[SourceHeading]:
    inner = lines[front_matter:]
    if not any(_UNDERLINE.match(chomp(line)) for line in inner) or takes_too_long(inner):
        return
    for block, level in setext_headings(inner):
        words = [chomp(line).strip() for line in inner[block.first - 1 : block.last - 1]]
        yield SourceHeading(
            block.first + front_matter, block.last + front_matter, level, " ".join(words)
        )


# `[label]: target` and `[^note]: text`, not indented like code.
_DEFINITION = lazy_pattern(r" {0,3}\[(\^?[^\[\]]+)\]:(?=\s*\S|$)")
# Text that may use a definition: `[text][label]`, `[label]`, `[^note]`.
_USE = lazy_pattern(r"\[(\^?[^\[\]]+)\](?!:)")


class Definition(NamedTuple):
    """A definition by its label, casefolded with single blanks; first and last are its lines."""

    label: str
    first: int
    last: int


def definitions_of(source: SplitSource) -> tuple[Definition, ...]:
    """Return the definitions of a file in its order; the first one of a label counts."""
    by_label: dict[str, Definition] = {}
    for number, line in enumerate(source.lines, start=1):
        match = None if number in source.hidden else _DEFINITION.match(line)
        if match is not None:
            is_note = match[1].startswith("^")
            last = _last_line_of_note(source.lines, number) if is_note else number
            label = _label(match[1])
            by_label.setdefault(label, Definition(label, number, last))
    return tuple(by_label.values())


def used_labels(text: str) -> frozenset[str]:
    """Return the labels of definitions that a text may use."""
    return frozenset(_label(match[1]) for match in _USE.finditer(text))


def _last_line_of_note(lines: Sequence[str], first: int) -> int:
    """Return the last line of a footnote: indented lines continue it, even after blank ones."""
    last = first
    for number in range(first + 1, len(lines) + 1):
        line = chomp(lines[number - 1])
        if line.startswith(("    ", "\t")):
            last = number
        elif line.strip():
            break
    return last


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


# A collapsible block at the start of a line; it contains blocks of its own.
_OPENED = lazy_pattern(r"^ {0,3}<details\b", re.IGNORECASE)
_CLOSED = lazy_pattern(r"</details\s*>", re.IGNORECASE)
DEEPEST = 3
"""The deepest level of a heading at which a file is cut."""


class Sizes(NamedTuple):
    """Lines that a new file should have: fewer are no topic, more would soon be full again."""

    smallest: int
    largest: int


def sizes_for(settings: Settings) -> Sizes:
    """Return the configured sizes; defaults shrink with `line-limit`.

    Then `split-min` is a quarter of the limit, and `split-max` three quarters.
    """
    limit, smallest, largest = settings.line_limit, settings.split_min, settings.split_max
    if "split-min" not in settings.origins:
        smallest = min(smallest, max(1, limit // 4))
    if "split-max" not in settings.origins:
        largest = min(largest, max(1, 3 * limit // 4))
    largest = min(largest, limit)
    return Sizes(min(smallest, largest), largest)


class Piece(NamedTuple):
    """A section that goes as a whole to one file, or stays.

    first and last are its 1-based lines, without trailing blank lines. parent is the heading of the
    section that it was cut out of, which stays with the text above its first piece; usually None.
    title may be empty.
    """

    first: int
    last: int
    level: int
    title: str
    parent: SourceHeading | None

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self.last - self.first + 1


class Pieces(NamedTuple):
    """The pieces of a file in its order.

    intro is the last line above the first cut. intros has the same below the heading of each
    section that is cut, by the first line of its heading.
    """

    pieces: tuple[Piece, ...]
    intro: int
    intros: dict[int, int]


def places_to_cut(source: SplitSource) -> list[SourceHeading]:
    """Return the headings of sections that may get a file of their own."""
    return [heading for heading in _outside_details(source) if heading.level <= DEEPEST]


def pieces_of(
    source: SplitSource,
    definitions: Sequence[Definition],
    largest: int,
    *,
    chosen: Collection[int] = (),
) -> Pieces:
    """Return the possible cuts of a file; sections larger than largest are cut inside.

    chosen are the first lines of sections that move as a whole, whatever their size; a section that
    contains them is cut. Definitions at the end of the file belong to no piece, because all pieces
    may use them.
    """
    headings = _outside_details(source)
    end = _end(source, headings, definitions)
    tops = [heading for heading in headings if heading.level <= 2]
    intros: dict[int, int] = {}

    def cut(heading: SourceHeading, last: int, parent: SourceHeading | None) -> Iterator[Piece]:
        """Yield a section as one piece, or its sub-sections if it is too large for a file."""
        last = source.last_text(heading.first, last)
        whole = Piece(heading.first, last, heading.level, heading.title, parent)
        start, stop = (
            bisect_right(headings, line, key=lambda other: other.first)
            for line in (heading.last, last)
        )
        inside = [inner for inner in headings[start:stop] if inner.level <= DEEPEST]
        is_small = whole.lines <= largest and not any(h.first in chosen for h in inside)
        if is_small or not inside or heading.first in chosen:
            yield whole
            return
        intros[heading.first] = inside[0].first - 1
        for section, section_end in _sections(inside, last):
            yield from cut(section, section_end, heading)

    pieces = (piece for heading, last in _sections(tops, end) for piece in cut(heading, last, None))
    return Pieces(tuple(pieces), tops[0].first - 1 if tops else end, intros)


def _end(
    source: SplitSource, headings: Sequence[SourceHeading], definitions: Sequence[Definition]
) -> int:
    """Return the last line of the sections, above the definitions at the end of the file."""
    end = last = source.last_text(1, len(source.lines))
    for definition in reversed(definitions):
        if definition.last < end:
            break
        end = source.last_text(1, definition.first - 1)
    # A section that has only definitions is a section.
    return last if any(heading.last == end for heading in headings) else end


def _sections(headings: Sequence[SourceHeading], end: int) -> Iterator[tuple[SourceHeading, int]]:
    """Yield the outermost of some headings, each with its last line."""
    position = 0
    while position < len(headings):
        heading = headings[position]
        position += 1
        while position < len(headings) and headings[position].level > heading.level:
            position += 1
        yield heading, headings[position].first - 1 if position < len(headings) else end


def _outside_details(source: SplitSource) -> list[SourceHeading]:
    """Return the headings to cut at except the title, and none in `<details>` blocks."""
    depth, depths = 0, []
    for number, line in enumerate(source.lines, start=1):
        depths.append(depth)
        if number not in source.hidden:
            depth = max(0, depth + len(_OPENED.findall(line)) - len(_CLOSED.findall(line)))
    headings = source.headings[1:] if source.title else source.headings
    return [heading for heading in headings if not depths[heading.first - 1]]
