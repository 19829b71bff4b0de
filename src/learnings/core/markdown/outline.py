"""The blocks of a Markdown document by 1-based line numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Heading(NamedTuple):
    """An ATX heading; level 1 to 6."""

    line: int
    level: int


class Section(NamedTuple):
    """A heading, its text, and the last line above the next heading that is not deeper."""

    heading: Heading
    title: str
    last: int


class Block(NamedTuple):
    """A fenced code block or HTML comment; an unclosed one runs to the last line."""

    first: int
    last: int
    closed: bool

    def moved(self, by: int) -> Block:
        return Block(self.first + by, self.last + by, self.closed)


class Outline(NamedTuple):
    """The blocks at document level, in line order, without setext headings.

    items are the first lines of list items.
    """

    headings: tuple[Heading, ...] = ()
    items: tuple[int, ...] = ()
    fences: tuple[Block, ...] = ()
    comments: tuple[Block, ...] = ()

    @property
    def hiding_blocks(self) -> tuple[Block, ...]:
        return (*self.fences, *self.comments)

    def hidden_lines(self, front_matter: int = 0) -> set[int]:
        return {*range(1, front_matter + 1), *lines_of(self.hiding_blocks)}


def lines_of(blocks: Iterable[Block]) -> set[int]:
    return {number for block in blocks for number in range(block.first, block.last + 1)}


def section_ends(headings: Sequence[Heading], last_line: int) -> list[int]:
    """Return the last line of each heading's section; the last section ends at last_line."""
    ends = [last_line] * len(headings)
    open_sections: list[int] = []
    for index, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.line - 1
        open_sections.append(index)
    return ends
