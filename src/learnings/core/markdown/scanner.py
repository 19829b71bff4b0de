"""The outline of a document by a quick look at the beginnings of its lines.

A column-0 heading, fence or comment is at document level wherever it stands, unless a fence or an
HTML block is open; so the scanner follows those exactly. What is inside list items and block quotes
it follows only as far as a later line depends on it: where the open item's content starts, and
whether a line of text would continue a paragraph there. Where that is not certain and a line turns
on it, the scanner gives up and the parser has to be asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from learnings.core.markdown.html_blocks import DISPUTED, html_end, is_lone_tag
from learnings.core.markdown.line_kinds import (
    DEEP,
    EVENTFUL,
    INNER,
    KIND,
    NOT_JUST_TEXT,
    interrupts,
    is_blank,
    is_deep,
    is_words,
)
from learnings.core.markdown.outline import Block, Heading, Item, Outline
from learnings.core.text import as_single_line


class _Uncertain(Exception):
    """The parser has to be asked."""


def scan(lines: Sequence[str]) -> Outline | None:
    """Return the outline of the lines as split_lines() gives them, None where it is not certain.

    An outline that is returned is the one the parser would return.
    """
    try:
        return _Scan(_single_lines(lines), guessing=False).run()
    except _Uncertain:
        return None


def guess(lines: Sequence[str]) -> Outline:
    """Return what scan() returns, or where that is None, the most probable outline."""
    return _Scan(_single_lines(lines), guessing=True).run()


def _single_lines(lines: Sequence[str]) -> Sequence[str]:
    text = "".join(lines)
    return [as_single_line(line) for line in lines] if "\r" in text or "\0" in text else lines


class _Scan:
    """One pass over the lines; the state says what the lines so far have left open."""

    __slots__ = (
        "adrift",
        "comments",
        "content",
        "fences",
        "guessing",
        "headings",
        "items",
        "lines",
        "number",
        "paragraph",
        "quoted",
        "simple",
    )

    def __init__(self, lines: Sequence[str], *, guessing: bool) -> None:
        self.lines = lines
        self.guessing = guessing
        self.number = 0  # of the line just read
        self.headings: list[Heading] = []
        self.items: list[Item] = []
        self.fences: list[Block] = []
        self.comments: list[Block] = []
        self._leave()

    def _leave(self) -> None:
        """Be at document level, nothing open."""
        self.content = 0  # where the content of the open item starts; 0: no item is open
        self.quoted = False  # a block quote is open
        self.simple = True  # the open item or quote holds only text and nested items
        self.paragraph: bool | None = False  # text would continue a paragraph; None: perhaps
        self.adrift = False  # perhaps the open item has ended, and a paragraph after it is open

    def run(self) -> Outline:
        lines, total = self.lines, len(self.lines)
        while self.number < total:
            line = lines[self.number]
            self.number += 1
            first = line[0]
            if first == "\n":
                self.paragraph = self.quoted = False
            elif first not in NOT_JUST_TEXT:
                if not self.paragraph:
                    self._text(0, line)
            elif first in " \t":
                self._indented(line)
            else:
                self._begin(0, line)
        return Outline(
            tuple(self.headings), tuple(self.items), tuple(self.fences), tuple(self.comments)
        )

    def _indented(self, line: str) -> None:
        text = line.lstrip(" \t")
        if not text or text == "\n":
            self.paragraph = self.quoted = False
            return
        if self.paragraph and text[0] not in EVENTFUL:
            return
        space = line[: len(line) - len(text)]
        indent = len(space.expandtabs(4)) if "\t" in space else len(space)
        if self.content and indent >= self.content:
            self._inside(indent, text)
        elif self.quoted and text[0] == ">":  # the parser minds no indent here
            self._quote(text)
        elif indent < 4:
            self._begin(indent, text)
        else:
            self._lazy_code(text)
            self._text(indent, text)

    def _lazy_code(self, text: str) -> None:
        """Take what would be code if it did not follow text of an item or of a quote."""
        if text[0] not in EVENTFUL:
            return
        if self.content:
            self._doubt()
        elif self.quoted and self.paragraph:
            self.paragraph = None  # a quote in the quote ends here, the parser forgets the indent

    def _doubt(self) -> None:
        """Stop, unless a guess will do."""
        if not self.guessing:
            raise _Uncertain

    def _begin(self, indent: int, text: str) -> None:
        """Take a line that is not in the open item and starts before column 4."""
        match = KIND.match(text)
        kind = match.lastgroup if match else None
        if match is None:
            self._text(indent, text)
        elif kind == "item":
            self._item(indent, text, match)
        elif kind == "heading":
            self._leave()
            self.headings.append(Heading(self.number, match.end()))
        elif kind == "fence":
            self._fence(match[0])
        elif kind == "quote":
            self._quote(text)
        elif kind == "html":
            self._html(indent, text)
        elif kind == "rule":
            self._leave()
        elif self.paragraph and self._in_document():
            self.paragraph = False
        else:
            self._text(indent, text)

    def _text(self, indent: int, text: str) -> None:
        """Take a line that is not in the open item and begins no other block."""
        if self.paragraph is None:
            self.adrift = bool(self.content)
            self.quoted = False
        elif not self.paragraph:
            self._leave()
            if indent < 4:
                self.paragraph = True if text[0] != "[" or is_words(text) else None

    def _item(self, indent: int, text: str, match: re.Match[str]) -> None:
        marker, gap = match.group("marker", "gap")
        if self.paragraph is not False and not interrupts(marker, gap) and self._in_document():
            if self.paragraph:
                if marker == "-":  # it underlines the paragraph, which makes it a heading
                    self.paragraph = False
                return
            self._doubt()
        self._leave()
        self.items.append(Item(self.number))
        start = indent + len(marker)
        if gap:
            self._first_line(start, gap, text[match.end() :])
        elif not self._is_blank_next():  # the parser ends an item that starts with two blank lines
            self.content = start + 1

    def _in_document(self) -> bool:
        """Say whether the open paragraph is, or may be, in no item and in no quote."""
        return not self.quoted and (self.adrift or not self.content)

    def _is_blank_next(self) -> bool:
        following = self.lines[self.number : self.number + 1]
        return all(map(is_blank, following))

    def _first_line(self, start: int, gap: str, text: str) -> None:
        width = len((" " * start + gap).expandtabs(4)) - start if "\t" in gap else len(gap)
        self.content = start + (width if width <= 4 else 1)
        self._inner(start + width, text)

    def _inside(self, indent: int, text: str) -> None:
        """Take a line of the open item."""
        if not self.adrift:
            self._inner(indent, text)
            return
        if indent < 4 and KIND.match(text):
            self._doubt()
        self.paragraph = None

    def _inner(self, indent: int, text: str) -> None:
        """Follow whether a paragraph is open in the item or quote after this line."""
        match = INNER.match(text)
        kind = match.lastgroup if match else None
        if (not match or not kind or indent + match.end() > DEEP) and is_deep(indent, text):
            self._doubt()
        if kind is None:
            self.simple = False
        if not self.simple or self.paragraph is None:
            self.paragraph = None
        elif indent >= self.content + 4 and (not self.paragraph or text[0] in EVENTFUL):
            self.paragraph = None  # it may be code
        else:
            self.paragraph = True if kind == "words" else None

    def _quote(self, text: str) -> None:
        if not self.quoted:
            self._leave()
            self.quoted = True
        text = text[1:].removeprefix(" ")
        inner = text.lstrip(" \t")
        if not inner or inner == "\n":
            self.paragraph = False
        else:
            self._inner(len(text) - len(inner) if "\t" not in text else 4, inner)

    def _fence(self, markup: str) -> None:
        self._leave()
        first = self.number
        is_end = re.compile(rf" {{0,3}}{markup[0]}{{{len(markup)},}}[ \t]*$").match
        closed = self._skip_to(lambda line: markup in line and is_end(line))
        self.fences.append(Block(first, self.number, closed))

    def _html(self, indent: int, text: str) -> None:
        if DISPUTED.match(text):
            self._doubt()
        is_last = html_end(text)
        if is_last is None:
            if self.paragraph or not is_lone_tag(text):
                self._text(indent, text)
                return
            if self.paragraph is None:
                self._doubt()
            is_last = is_blank
        self._leave()
        if is_last is is_blank:
            self._skip_to(is_last)
            return
        first = self.number
        closed = bool(is_last(text)) or self._skip_to(is_last)
        if text.startswith("<!--"):
            self.comments.append(Block(first, self.number, closed))

    def _skip_to(self, is_last: Callable[[str], object]) -> bool:
        """Read on to the line that is_last accepts; False: there is none, all lines are read."""
        for number in range(self.number, len(self.lines)):
            if is_last(self.lines[number]):
                self.number = number + 1
                return True
        self.number = len(self.lines)
        return False
