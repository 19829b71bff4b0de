"""The text of a Markdown file that may hold links: its paragraphs, headings, cells and HTML blocks.

Reads the blocks as CommonMark and GitHub do, at any depth of lists and quotes, and drops code.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from learnings.core.markdown.line_kinds import (
    LIST_MARKER,
    html_end,
    interrupts,
    is_blank,
    is_lone_tag,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp

_BREAK = lazy_pattern(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_ITEM = lazy_pattern(rf"({LIST_MARKER})(?=[ \t]|$)")
_HEADING = lazy_pattern(r"#{1,6}(?=[ \t]|$)")
_FENCE = lazy_pattern(r"`{3,}(?=[^`]*$)|~{3,}")
_UNDERLINE = lazy_pattern(r"(?:=+|-+)[ \t]*$")
# The line below the header of a table, and the end of a cell.
_DELIMITER = lazy_pattern(r"(?!-[ \t])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_CELL_END = lazy_pattern(r"(?<!\\)\|")
_DEEPEST = 3  # columns; a deeper indent makes code
_QUOTE = 0  # a container that is a quote; one that is a list item has the width of its marker

_Part = tuple[int, int, str]
"""A line, or its part behind indent and markers: its number, the column, and the text."""


class Span(NamedTuple):
    """A part of a line: its 1-based number, and 0-based columns."""

    line: int
    start: int
    end: int


class InlineText(NamedTuple):
    """Joined lines without their indents and the markers of lists and quotes.

    lines (1-based) and columns (0-based) say where each line begins in the file. is_html is True
    for an HTML block, is_cell for a cell of a table, is_paragraph where link definitions may stand.
    """

    text: str
    offsets: Sequence[int]
    lines: Sequence[int]
    columns: Sequence[int]
    is_html: bool = False
    is_paragraph: bool = False
    is_cell: bool = False

    def span(self, start: int, end: int) -> Span:
        """Return where a part of the text is, up to the end of its first line."""
        index = bisect_right(self.offsets, start) - 1
        behind = self.text.find("\n", start, end)
        by = self.columns[index] - self.offsets[index]
        return Span(self.lines[index], start + by, (end if behind < 0 else behind) + by)


def inline_texts(lines: Sequence[str], front_matter: int = 0) -> list[InlineText]:
    """Return the texts of a file, in its order, without its front matter."""
    walk = _Walk()
    for number, line in enumerate(lines[front_matter:], start=front_matter + 1):
        walk.read(number, chomp(line))
    walk.close()
    return walk.found


class _Line:
    """A line while it is read; start is the offset of its next character, which is not a blank.

    indent is the column of that character, counted from the containers entered so far.
    """

    def __init__(self, number: int, text: str) -> None:
        self.number, self._text = number, text
        self.start = int(text.startswith(BOM))
        self._column = self._base = 0
        self._skip_blanks()

    @property
    def rest(self) -> str:
        return self._text[self.start :]

    @property
    def indent(self) -> int:
        return self._column - self._base

    @property
    def part(self) -> _Part:
        return self.number, self.start, self.rest

    def skip(self, count: int) -> int:
        """Skip some characters and the blanks after them; return the width of the blanks."""
        self.start += count
        self._column += count
        return self._skip_blanks()

    def _skip_blanks(self) -> int:
        before = self._column
        while self._text.startswith((" ", "\t"), self.start):
            self._column += 4 - self._column % 4 if self._text[self.start] == "\t" else 1
            self.start += 1
        return self._column - before

    def enter_quote(self) -> None:
        self._base = self._column + 1
        self._base += self.skip(1) > 0

    def enter_item(self, width: int) -> None:
        self._base += width


class _Walk:
    """Collects the texts of a file, which it reads line by line.

    _containers are the open quotes and list items, _parts the lines of the open block.
    """

    def __init__(self) -> None:
        self.found: list[InlineText] = []
        self._containers: list[int] = []
        self._parts: list[_Part] = []
        self._is_table = False
        self._empty = -1  # the last line that is only the marker of an item
        # Whether a line is the last one of the open fence or HTML block.
        self._is_last: Callable[[str], object] | None = None
        self._is_html = False

    def close(self) -> None:
        """End the open block."""
        if self._parts:
            self._add(self._parts, is_html=self._is_html, is_paragraph=not self._is_html)
        self._parts, self._is_table, self._is_last, self._is_html = [], False, None, False

    def _add(self, parts: Sequence[_Part], **kind: bool) -> None:
        numbers, columns, texts = zip(*parts, strict=True)
        offsets = [0, *accumulate(len(text) + 1 for text in texts[:-1])]
        self.found.append(InlineText("\n".join(texts), offsets, numbers, columns, **kind))

    def _leave(self, depth: int) -> None:
        self.close()
        del self._containers[depth:]

    def read(self, number: int, text: str) -> None:
        if not self._containers and self._is_last is None and text[:1].isalpha():  # most lines
            self._text((number, 0, text), 0)
            return
        line = _Line(number, text)
        depth = self._continued(line)
        if self._is_last is not None and depth == len(self._containers):
            self._in_block(line)
            return
        if self._is_last is not None:
            self.close()
        inner = self._opened(line, depth)
        if not line.rest:
            self._blank(number, inner, is_item=inner > depth)
        elif line.indent <= _DEEPEST:
            self._leaf(line, inner)
        elif self._parts:
            self._text(line.part, inner)
        else:  # code
            self._leave(inner)

    def _continued(self, line: _Line) -> int:
        """Return how many of the containers a line continues."""
        for depth, width in enumerate(self._containers):
            if width == _QUOTE:
                if not line.rest.startswith(">") or line.indent > _DEEPEST:
                    return depth
                line.enter_quote()
            elif line.rest:
                if line.indent < width:
                    return depth
                line.enter_item(width)
        return len(self._containers)

    def _opened(self, line: _Line, depth: int) -> int:
        """Open the containers that begin in a line; return how deep it is."""
        while line.rest and line.indent <= _DEEPEST:
            text, goes_on = line.rest, bool(self._parts) and depth == len(self._containers)
            item = _ITEM.match(text)
            if goes_on and self._is_delimiter(text):
                break
            if text[0] == ">":
                self._leave(depth)
                self._containers.append(_QUOTE)
                line.enter_quote()
            elif item and not _BREAK.match(text):
                if goes_on and not interrupts(item[1], text[item.end() :].strip(" \t")):
                    break
                self._leave(depth)
                indent, marker = line.indent, item.end()
                gap = line.skip(marker)
                width = indent + marker + (gap if line.rest and gap <= _DEEPEST + 1 else 1)
                self._containers.append(width)
                line.enter_item(width)
            else:
                break
            depth += 1
        return depth

    def _blank(self, number: int, depth: int, *, is_item: bool) -> None:
        if _QUOTE in self._containers[depth:]:
            self._leave(depth)
        elif number == self._empty + 1 and not is_item:  # an item of two blank lines
            self._leave(len(self._containers) - 1)
        self.close()
        self._empty = number if is_item else -1

    def _in_block(self, line: _Line) -> None:
        is_last = self._is_last is not None and self._is_last(" " * line.indent + line.rest)
        if self._is_html and line.rest:
            self._parts.append(line.part)
        if is_last:
            self.close()

    def _leaf(self, line: _Line, depth: int) -> None:
        text, goes_on = line.rest, bool(self._parts) and depth == len(self._containers)
        if goes_on and self._is_delimiter(text):
            header = self._parts.pop()
            self.close()
            self._is_table = True
            self._cells(header)
        elif heading := _HEADING.match(text):
            self._leave(depth)
            line.skip(heading.end())
            self._add([line.part])
        elif fence := _FENCE.match(text):
            self._leave(depth)
            self._is_last = re.compile(rf" {{0,3}}{fence[0]}{fence[0][0]}*[ \t]*$").match
        elif goes_on and _UNDERLINE.match(text):
            self.close()
        elif _BREAK.match(text):
            self._leave(depth)
        elif is_last := self._html_end(text):
            self._leave(depth)
            self._is_last, self._is_html = is_last, True
            self._in_block(line)
        else:
            self._text(line.part, depth)

    def _html_end(self, text: str) -> Callable[[str], object] | None:
        is_end = html_end(text) if text[0] == "<" else None
        if is_end is None and not (self._parts or self._is_table) and is_lone_tag(text):
            return is_blank
        return is_end

    def _text(self, part: _Part, depth: int) -> None:
        if self._is_table and depth == len(self._containers):
            self._cells(part)
            return
        if self._is_table:
            self.close()
        if not self._parts:
            self._leave(depth)
        self._parts.append(part)

    def _is_delimiter(self, text: str) -> bool:
        header = self._parts[-1][2]
        is_one = "|" in header and not self._is_table and _DELIMITER.match(text) is not None
        return is_one and len(cells_of(header)) == len(cells_of(text))

    def _cells(self, part: _Part) -> None:
        number, start, text = part
        for cell, offset in cells_of(text):
            self._add([(number, start + offset, cell)], is_cell=True)


def cells_of(row: str) -> list[tuple[str, int]]:
    """Return the cells of a table row with their offsets."""
    bounds = [-1, *(match.start() for match in _CELL_END.finditer(row)), len(row)]
    cells = [(row[before + 1 : end], before + 1) for before, end in pairwise(bounds)]
    first, last = not cells[0][0].strip(), len(cells) > 1 and not cells[-1][0].strip()
    return cells[first : len(cells) - last]
