"""What the blocks of a Markdown document are, as line numbers; lines are 1-based everywhere."""

from __future__ import annotations

from typing import NamedTuple


class Heading(NamedTuple):
    """An ATX heading; level 1 to 6."""

    line: int
    level: int


class Item(NamedTuple):
    """A bullet or numbered item of a top-level list, by its first line."""

    line: int


class Block(NamedTuple):
    """A fenced code block or an HTML comment; first and last line are part of it.

    closed is False where the terminator is missing, so that the block runs to the last line.
    """

    first: int
    last: int
    closed: bool


class Outline(NamedTuple):
    """The blocks at document level, each kind in the order of the lines.

    What stands inside a list item or a block quote is not part of it; setext headings are not.
    """

    headings: tuple[Heading, ...] = ()
    items: tuple[Item, ...] = ()
    fences: tuple[Block, ...] = ()
    comments: tuple[Block, ...] = ()
