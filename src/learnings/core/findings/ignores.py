"""The comments in a file that ignore rules, with the lines that each comment is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.layout import CATEGORY, PREAMBLE, Span
from learnings.core.markdown.ignore_comments import (
    IgnoreComment,
    comments_behind,
    comments_in,
)
from learnings.core.markdown.line_kinds import IGNORE_MARK, LIST_MARKER
from learnings.core.markdown.outline import Block, Heading, section_ends
from learnings.core.roles import Role
from learnings.core.text import BOM, chomp

# The beginning of a list item, up to its text.
_ITEM = re.compile(rf"[ ]*{LIST_MARKER}[ ]+")
_FENCES = ("```", "~~~")


class Ignore(NamedTuple):
    """A comment that ignores rules: where it stands and which lines it is about.

    line and column are 1-based; first and last are the lines, both included, in which findings of
    the rules are ignored. whole_file says that these are all lines.
    """

    line: int
    column: int
    rules: tuple[str, ...]
    reason: str
    first: int
    last: int
    whole_file: bool = False


class Unused(NamedTuple):
    """A rule that a comment names without use: nothing of it is ignored there.

    path is that of the file. rule is None where the comment names none at all. suggestion is None
    for a rule that exists; for one that does not, the rule with the nearest name, empty where none
    is near. can_be_ignored is False for a rule about the comments themselves.
    """

    path: str
    ignore: Ignore
    rule: str | None
    suggestion: str | None = None
    can_be_ignored: bool = True


class _LocatedComment(NamedTuple):
    """A comment with its position, the lines of what it stands in, and whether it stands alone.

    nested is True in a list item, where it cannot be about what comes after that.
    """

    comment: IgnoreComment
    line: int
    column: int
    first: int
    last: int
    alone: bool
    nested: bool = False


def ignores_of(document: Document, role: Role | None) -> tuple[Ignore, ...]:
    """Return what the comments of a file ignore, in the order of the lines.

    Comments in code, in other comments and in what is never closed do not count. At the end of a
    line a comment is about that line. Alone it is about the entry whose heading or list item it
    precedes, else about the entry that it stands in; in the preamble about the whole file. In files
    other than learnings files the section of a heading counts as an entry does, and in the memory
    index a comment within a section is about the next line.
    """
    if IGNORE_MARK not in document.text:
        return ()
    reader = _Reader(document, role)
    return tuple(reader.ignores())


class _Reader:
    def __init__(self, document: Document, role: Role | None) -> None:
        self._role = role
        self._spans = document.spans if role is Role.LEARNINGS else ()
        self._headings = document.outline.headings
        first, *others = document.lines
        self._lines = (first.removeprefix(BOM), *others)
        self._comments = [block for block in document.outline.comments if block.closed]
        self._comment_lines: set[int] = set()
        blocks = document.outline.hiding_blocks
        self._open = [block.first for block in blocks if not block.closed]
        self._hidden = document.hidden_lines

    def ignores(self) -> Iterator[Ignore]:
        located = sorted([*self._in_blocks(), *self._in_lines()], key=lambda comment: comment[1:3])
        self._comment_lines = {n for c in located if c.alone for n in range(c.first, c.last + 1)}
        for comment in located:
            lines = comment.first, comment.last
            scope = self._scope(comment) if comment.alone else lines
            first, last = scope or (1, len(self._lines))
            _, _, rules, reason = comment.comment
            yield Ignore(
                comment.line, comment.column, rules, reason, first, last, whole_file=scope is None
            )

    def _in_blocks(self) -> Iterator[_LocatedComment]:
        for block in self._comments:
            yield from _located_in("".join(self._lines[block.first - 1 : block.last]), block)

    def _in_lines(self) -> Iterator[_LocatedComment]:
        for number, line in enumerate(self._lines, start=1):
            if IGNORE_MARK not in line or number in self._hidden:
                continue
            behind = comments_behind(line)
            is_alone = bool(behind) and not line[: behind[0].start].strip()
            if is_alone and not self._is_in_item(number):
                continue
            for comment in behind:
                column = comment.start + 1
                yield _LocatedComment(
                    comment, number, column, number, number, is_alone, nested=is_alone
                )

    def _is_in_item(self, number: int) -> bool:
        """Return True if an indented line is text of a list item, judged by the lines above."""
        indent, fences = _indent(self._lines[number - 1]), 0
        for line in reversed(self._lines[: number - 1]):
            if not line.strip():
                continue
            fences += line.lstrip().startswith(_FENCES)
            if _indent(line) >= indent:
                continue
            item = _ITEM.match(line.expandtabs(4))
            if item is not None and item.end() <= indent:
                return indent < item.end() + 4 and fences % 2 == 0
            if not _indent(line):
                return False
        return False

    def _scope(self, comment: _LocatedComment) -> tuple[int, int] | None:
        """Return what a comment that stands alone is about: lines, or None for the whole file."""
        below = self._next_line(comment.last)
        follower = None if comment.nested else self._unit_at(below)
        unit = follower or self._unit_around(comment.first)
        if unit is None:
            return None
        if self._role is Role.INDEX and below <= unit[1] and not self._unit_at(below):
            return below, below
        # What swallows the rest of a file also swallows the end of the entry.
        return unit[0], min([unit[1], *(line for line in self._open if line >= unit[0])])

    def _next_line(self, number: int) -> int:
        """Return the next line below that is neither blank nor a comment of this kind."""
        below = range(number + 1, len(self._lines) + 1)
        free = (n for n in below if n not in self._comment_lines and self._lines[n - 1].strip())
        return next(free, len(self._lines) + 1)

    def _unit_at(self, number: int) -> tuple[int, int] | None:
        """Return the entry or section that begins with a line."""
        if self._role is not Role.LEARNINGS:
            is_title = [h.line for h in self._headings[:1] if h.level == 1] == [number]
            below = () if is_title else self._headings
            return next((self._section(h) for h in below if h.line == number), None)
        spans = (span for span in self._spans if span.kind != PREAMBLE and span.first == number)
        return next((self._extent(span) for span in spans), None)

    def _unit_around(self, number: int) -> tuple[int, int] | None:
        """Return the entry or section that a line is part of; None in the preamble."""
        if self._role is Role.LEARNINGS:
            around = next(span for span in self._spans if span.first <= number <= span.last)
            return None if around.kind == PREAMBLE else self._extent(around)
        above = [heading for heading in self._headings if heading.line < number]
        is_preamble = all(heading.level == 1 for heading in above)
        return None if is_preamble else self._section(above[-1])

    def _extent(self, span: Span) -> tuple[int, int]:
        if span.kind == CATEGORY:
            return self._section(next(h for h in self._headings if h.line == span.first))
        return span.first, span.last

    def _section(self, heading: Heading) -> tuple[int, int]:
        """Return the lines from a heading to the next one that is not deeper."""
        ends = section_ends(self._headings, len(self._lines))
        return heading.line, ends[self._headings.index(heading)]


def _located_in(text: str, block: Block) -> Iterator[_LocatedComment]:
    newline = "\n" if "\n" in text else "\r"
    for comment in comments_in(text):
        line = block.first + text.count(newline, 0, comment.start)
        column = comment.start - text.rfind(newline, 0, comment.start)
        yield _LocatedComment(comment, line, column, block.first, block.last, alone=True)


def _indent(line: str) -> int:
    text = chomp(line).expandtabs(4)
    return len(text) - len(text.lstrip(" "))
