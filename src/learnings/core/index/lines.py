"""What the lines of a memory index are: sections, rows, and those that hold no row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.entries.titles import heading_text
from learnings.core.index.reading import Reading
from learnings.core.markdown.blocks import Blocks


class IndexSection(NamedTuple):
    """A run of lines below a heading of level 1 or 2; title is None above the first of them.

    level is 0 there. Lines are 1-based, first (the heading) and last are part of it.
    """

    title: str | None
    level: int
    first: int
    last: int

    @property
    def path(self) -> str:
        """The path that the heading writes, out of code marks; empty above the first heading."""
        title = self.title or ""
        inner = title[1:-1] if len(title) > 2 and title[0] == title[-1] == "`" else title
        return inner.removeprefix("./")


class Row(NamedTuple):
    """A line that is a row or, where its reading is not plain, may be one.

    group is the number of the section or the table that it stands in: rows are put into order
    within it. path is that of its file as the row or the heading above writes it, empty where
    no heading could write one, None where the row itself should and does not.
    """

    line: int
    text: str
    group: int
    path: str | None
    reading: Reading


class Insertion(NamedTuple):
    """Lines to add below a line, 1-based, 0 for the top; texts are without terminators."""

    below: int
    texts: list[str]


def sections_of(blocks: Blocks) -> Iterator[IndexSection]:
    """Give the sections of a file; joined again they are all of its lines."""
    title, level, first = None, 0, 1
    for heading in blocks.outline.headings:
        if heading.level <= 2:
            if heading.line > first:
                yield IndexSection(title, level, first, heading.line - 1)
            title = heading_text(blocks.lines[heading.line - 1])
            level, first = heading.level, heading.line
    if first <= len(blocks.lines):
        yield IndexSection(title, level, first, len(blocks.lines))


def hidden_lines(blocks: Blocks) -> set[int]:
    """Return the lines that hold no row, whatever they look like.

    They are the front matter, headings, fenced code and comments; 1-based.
    """
    headings = (heading.line for heading in blocks.outline.headings)
    return {*blocks.outline.hidden_lines(blocks.front_matter), *headings}
