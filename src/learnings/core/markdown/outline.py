"""The blocks of a Markdown document by 1-based line numbers, and the scanner that finds them.

The scanner looks only at the start of each line. Headings, fences and comments in the
first column are at document level unless a fence or an HTML block is open. The scanner follows
items and quotes only as far as a later line depends on them: where the content of the open item
starts, and whether a line of text would continue a paragraph. If the answer is unknown and matters,
scan() returns None, and blocks.outline_of() asks the parser. Only guess() continues, as if no
paragraph were open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from learnings.core.markdown import line_kinds
from learnings.core.markdown.line_kinds import EVENTFUL, NOT_JUST_TEXT
from learnings.core.text import as_single_line


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


class Paragraph(Enum):
    """The known state of a paragraph above, which a line of text would continue."""

    OPEN = "there is one"
    CLOSED = "there is none"
    UNKNOWN = "there may be one"


# Module names are found faster than members of an Enum.
OPEN, CLOSED, UNKNOWN = Paragraph


class _Uncertain(Exception):
    """Only the parser can tell the meaning of a line."""


def scan(lines: Sequence[str]) -> Outline | None:
    """Return the parser's outline of split lines, or None if uncertain."""
    try:
        return _Scan(lines, guessing=False).run()
    except _Uncertain:
        return None


def guess(lines: Sequence[str]) -> Outline:
    return _Scan(lines, guessing=True).run()


class _Scan:
    """One pass over the lines; at most one top-level item or block quote is open.

    item_column is the start of the item's content, 0 without an item. Unless holds_only_text, the
    state of an open paragraph is unknown. may_have_ended: a paragraph of the document may follow.
    """

    def __init__(self, lines: Sequence[str], *, guessing: bool) -> None:
        text = "".join(lines)
        is_plain = "\r" not in text and "\0" not in text
        self.lines = lines = lines if is_plain else [as_single_line(line) for line in lines]
        self.guessing = guessing
        self.number = 0  # of the current line, 1-based
        self.rest = enumerate(lines, start=1)
        self.headings: list[Heading] = []
        self.items: list[int] = []
        self.fences: list[Block] = []
        self.comments: list[Block] = []
        self._close_all()

    def _close_all(self) -> None:
        self.item_column = 0
        self.in_quote = False
        self.holds_only_text = True
        self.paragraph = CLOSED
        self.may_have_ended = False

    def run(self) -> Outline:
        for number, line in self.rest:
            self.number = number
            first = line[0]
            if first == "\n":
                self.paragraph, self.in_quote = CLOSED, False
            elif first not in NOT_JUST_TEXT or (line[:2] == "**" and line[2:3].isalpha()):
                if self.paragraph is not OPEN:
                    self._text(0, line)
            elif first in " \t":
                self._indented(line)
            elif first in "-*+" and line[1:2] == " " and line[2:3].isalpha():  # most items
                self._close_all()
                self.items.append(number)
                self.item_column, self.paragraph = 2, OPEN
            else:
                self._outside(0, line)
        return Outline(
            tuple(self.headings), tuple(self.items), tuple(self.fences), tuple(self.comments)
        )

    def _need_parser(self) -> None:
        if not self.guessing:
            raise _Uncertain

    def _indented(self, line: str) -> None:
        text = line.lstrip(" \t")
        if not text or text == "\n":
            self.paragraph, self.in_quote = CLOSED, False
            return
        if self.paragraph is OPEN and text[0] not in EVENTFUL:
            return
        space = line[: len(line) - len(text)]
        indent = len(space.expandtabs(4)) if "\t" in space else len(space)
        if self.item_column and indent >= self.item_column:
            self._in_item(indent, text)
        elif self.in_quote and text[0] == ">":  # the parser ignores the indent here
            self._quote(text)
        elif indent < 4:
            self._outside(indent, text)
        else:  # code, unless it continues text of an item or quote
            if text[0] in EVENTFUL and self.item_column:
                self._need_parser()
            elif text[0] in EVENTFUL and self.in_quote and self.paragraph is OPEN:
                # A nested quote ends here, since the parser drops the indent.
                self.paragraph = UNKNOWN
            self._text(indent, text)

    def _outside(self, indent: int, text: str) -> None:
        """Read a line outside the open item that starts before column 4."""
        match = line_kinds.KIND.match(text)
        kind = match.lastgroup if match else None
        if match is None:
            self._text(indent, text)
        elif kind == "item":
            self._item(indent, text, match)
        elif kind == "heading":
            self._close_all()
            self.headings.append(Heading(self.number, match.end()))
        elif kind == "fence":
            self._fence(match[0])
        elif kind == "quote":
            self._quote(text)
        elif kind == "html":
            self._html(indent, text)
        elif kind == "rule":
            self._close_all()
        elif self.paragraph is OPEN and self._may_be_in_document():
            self.paragraph = CLOSED  # the line underlines it, so it is a setext heading
        else:
            self._text(indent, text)

    def _text(self, indent: int, text: str) -> None:
        """Read a line outside the open item that begins no other block."""
        if self.paragraph is UNKNOWN:
            self.may_have_ended = bool(self.item_column)
            self.in_quote = False
        elif self.paragraph is CLOSED:
            self._close_all()
            if indent < 4:
                # Else it is perhaps a link definition.
                is_certain = text[0] != "[" or line_kinds.is_words(text)
                self.paragraph = OPEN if is_certain else UNKNOWN

    def _item(self, indent: int, text: str, match: re.Match[str]) -> None:
        marker, gap = match.group("marker", "gap")
        is_below = self.paragraph is not CLOSED and self._may_be_in_document()
        if is_below and not line_kinds.interrupts(marker, gap):
            if self.paragraph is OPEN:
                if marker == "-":  # it underlines the paragraph, so that is a heading
                    self.paragraph = CLOSED
                return
            self._need_parser()
        self._close_all()
        self.items.append(self.number)
        start = indent + len(marker)
        if gap:
            width = len((" " * start + gap).expandtabs(4)) - start if "\t" in gap else len(gap)
            self.item_column = start + (width if width <= 4 else 1)
            self._inner_text(start + width, text[match.end() :])
        elif not all(map(line_kinds.is_blank, self.lines[self.number : self.number + 1])):
            # The parser ends an item that starts with two blank lines.
            self.item_column = start + 1

    def _may_be_in_document(self) -> bool:
        """Return True if the open paragraph may be outside items and quotes."""
        return not self.in_quote and (self.may_have_ended or not self.item_column)

    def _in_item(self, indent: int, text: str) -> None:
        if not self.may_have_ended:
            self._inner_text(indent, text)
            return
        if indent < 4 and line_kinds.KIND.match(text):
            self._need_parser()
        self.paragraph = UNKNOWN

    def _inner_text(self, indent: int, text: str) -> None:
        """Update the paragraph state after a line of an item or quote."""
        match = line_kinds.INNER.match(text)
        kind = match.lastgroup if match else None
        may_be_deep = not match or not kind or indent + match.end() > line_kinds.DEEP
        if may_be_deep and line_kinds.is_deep(indent, text):
            self._need_parser()
        if kind is None:
            self.holds_only_text = False
        is_code = indent >= self.item_column + 4 and (  # perhaps
            self.paragraph is not OPEN or text[0] in EVENTFUL
        )
        is_known = self.holds_only_text and self.paragraph is not UNKNOWN and not is_code
        self.paragraph = OPEN if is_known and kind == "words" else UNKNOWN

    def _quote(self, text: str) -> None:
        if not self.in_quote:
            self._close_all()
            self.in_quote = True
        text = text[1:].removeprefix(" ")
        inner = text.lstrip(" \t")
        if not inner or inner == "\n":
            self.paragraph = CLOSED
        else:
            self._inner_text(len(text) - len(inner) if "\t" not in text else 4, inner)

    def _fence(self, markup: str) -> None:
        self._close_all()
        first = self.number
        # The line that closes the fence: at least as many of the same character, then blanks.
        is_end = re.compile(rf" {{0,3}}{markup[0]}{{{len(markup)},}}[ \t]*$").match
        closed = self._skip_to(lambda line: markup in line and is_end(line))
        self.fences.append(Block(first, self.number, closed))

    def _html(self, indent: int, text: str) -> None:
        if line_kinds.DISPUTED.match(text):
            self._need_parser()
        is_last = line_kinds.html_end(text)
        if is_last is None:
            if self.paragraph is OPEN or not line_kinds.is_lone_tag(text):
                self._text(indent, text)
                return
            if self.paragraph is UNKNOWN:
                self._need_parser()
            is_last = line_kinds.is_blank
        self._close_all()
        if is_last is line_kinds.is_blank:
            self._skip_to(is_last)
            return
        first = self.number
        closed = bool(is_last(text)) or self._skip_to(is_last)
        if text.startswith("<!--"):
            self.comments.append(Block(first, self.number, closed))

    def _skip_to(self, is_last: Callable[[str], object]) -> bool:
        """Read up to the line that is_last accepts; return False if there is none."""
        for number, line in self.rest:
            self.number = number
            if is_last(line):
                return True
        return False
