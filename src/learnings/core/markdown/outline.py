"""What the blocks of a Markdown document are, as line numbers; lines are 1-based everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Heading(NamedTuple):
    """An ATX heading; level 1 to 6."""

    line: int
    level: int


class Section(NamedTuple):
    """A heading, its text, and the last line before the next heading at its level or above."""

    heading: Heading
    title: str
    last: int


class ListItem(NamedTuple):
    """A bullet or numbered item of a top-level list, by its first line."""

    line: int


class Block(NamedTuple):
    """A fenced code block or an HTML comment; first and last line are part of it.

    closed is False where the terminator is missing, so that the block runs to the last line.
    """

    first: int
    last: int
    closed: bool

    def moved(self, by: int) -> Block:
        """Return the same block, that many lines further down."""
        return Block(self.first + by, self.last + by, self.closed)


class Outline(NamedTuple):
    """The blocks at document level, each kind in the order of the lines.

    What stands inside a list item or a block quote is not part of it; setext headings are not.
    """

    headings: tuple[Heading, ...] = ()
    items: tuple[ListItem, ...] = ()
    fences: tuple[Block, ...] = ()
    comments: tuple[Block, ...] = ()

    @property
    def hiding_blocks(self) -> tuple[Block, ...]:
        """The fences, then the comments: what stands in them is no text of the document."""
        return (*self.fences, *self.comments)

    def hidden_lines(self, front_matter: int = 0) -> set[int]:
        """Return the lines of fences, comments and a front matter of so many lines at the top."""
        return {*range(1, front_matter + 1), *lines_of(self.hiding_blocks)}


def lines_of(blocks: Iterable[Block]) -> set[int]:
    """Return the numbers of all lines in some blocks, first and last ones included."""
    return {number for block in blocks for number in range(block.first, block.last + 1)}


def section_ends(headings: Sequence[Heading], last_line: int) -> list[int]:
    """Return the last line of each heading's section: that before the next one not deeper.

    last_line is the last line that can belong to a section. Takes time in proportion to the
    headings.
    """
    ends = [last_line] * len(headings)
    open_sections: list[int] = []
    for index, heading in enumerate(headings):
        while open_sections and headings[open_sections[-1]].level >= heading.level:
            ends[open_sections.pop()] = heading.line - 1
        open_sections.append(index)
    return ends
