"""The comments in a file that ignore rules, with the lines that each comment is about."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.layout import CATEGORY, PREAMBLE, LineSpan
from learnings.core.markdown.ignore_comments import IgnoreComment, comments_behind, comments_in
from learnings.core.markdown.line_kinds import IGNORE_MARK, LIST_MARKER
from learnings.core.markdown.outline import Block, section_ends
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import Role
from learnings.core.text import BOM, chomp

# The beginning of a list item, up to its text.
_ITEM = lazy_pattern(rf"[ ]*{LIST_MARKER}[ ]+")
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


class UnusedIgnore(NamedTuple):
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
    reader = _IgnoreReader(document, role)
    return tuple(reader.ignores())


class _IgnoreReader:
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
        alone = {(c.first, c.last) for c in located if c.alone}
        self._comment_lines = {n for first, last in alone for n in range(first, last + 1)}
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
            yield from _located_in(self._lines[block.first - 1 : block.last], block)

    def _in_lines(self) -> Iterator[_LocatedComment]:
        behind = {
            number: comments_behind(line)
            for number, line in enumerate(self._lines, start=1)
            if IGNORE_MARK in line and number not in self._hidden
        }
        alone = {
            number
            for number, comments in behind.items()
            if comments and not self._lines[number - 1][: comments[0].start].strip()
        }
        nested = _in_items(self._lines, alone) if alone else frozenset()
        for number, comments in behind.items():
            if number in alone and number not in nested:
                continue
            is_alone = number in alone
            for comment in comments:
                column = comment.start + 1
                yield _LocatedComment(
                    comment, number, column, number, number, is_alone, nested=is_alone
                )

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
        index = bisect_right(self._text_lines, number)
        return self._text_lines[index] if index < len(self._text_lines) else len(self._lines) + 1

    @cached_property
    def _text_lines(self) -> list[int]:
        """The numbers of the lines that are neither blank nor a comment of this kind."""
        return [
            number
            for number, line in enumerate(self._lines, start=1)
            if number not in self._comment_lines and line.strip()
        ]

    def _unit_at(self, number: int) -> tuple[int, int] | None:
        if self._role is not Role.LEARNINGS:
            is_title = [h.line for h in self._headings[:1] if h.level == 1] == [number]
            return None if is_title else self._sections.get(number)
        index = bisect_right(self._span_starts, number) - 1
        span = self._spans[index]
        return self._extent(span) if span.first == number and span.kind != PREAMBLE else None

    def _unit_around(self, number: int) -> tuple[int, int] | None:
        """Return the entry or section that a line is part of; None in the preamble."""
        if self._role is Role.LEARNINGS:
            # A span of no lines begins where the next one does; the last of the two is meant.
            around = self._spans[bisect_right(self._span_starts, number) - 1]
            return None if around.kind == PREAMBLE else self._extent(around)
        count = bisect_left(self._headings, number, key=lambda heading: heading.line)
        is_preamble = count <= self._titles
        return None if is_preamble else self._sections[self._headings[count - 1].line]

    def _extent(self, span: LineSpan) -> tuple[int, int]:
        return self._sections[span.first] if span.kind == CATEGORY else (span.first, span.last)

    @cached_property
    def _span_starts(self) -> list[int]:
        return [span.first for span in self._spans]

    @cached_property
    def _titles(self) -> int:
        """The number of headings at level 1 that stand above all others."""
        deeper = (index for index, heading in enumerate(self._headings) if heading.level != 1)
        return next(deeper, len(self._headings))

    @cached_property
    def _sections(self) -> dict[int, tuple[int, int]]:
        """The lines from each heading to the next one that is not deeper, by the heading's line."""
        ends = section_ends(self._headings, len(self._lines))
        pairs = zip(self._headings, ends, strict=True)
        return {heading.line: (heading.line, end) for heading, end in pairs}


def _located_in(lines: Sequence[str], block: Block) -> Iterator[_LocatedComment]:
    starts = list(accumulate(map(len, lines), initial=0))
    for comment in comments_in("".join(lines)):
        index = bisect_right(starts, comment.start) - 1
        line, column = block.first + index, comment.start - starts[index] + 1
        yield _LocatedComment(comment, line, column, block.first, block.last, alone=True)


class _OpenItem(NamedTuple):
    """An item that a later line may be text of: its column of text, and the fences above it."""

    text_column: int
    fences: int


def _in_items(lines: Sequence[str], numbers: Collection[int]) -> frozenset[int]:
    """Return those of the lines that are text of a list item, judged by the lines above them.

    One pass: the items that are kept have rising columns of text, since a later item takes the
    lines of all above it that begin their text at its column or behind it.
    """
    inside: set[int] = set()
    items: list[_OpenItem] = []
    fences = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        indent = _indent(line)
        if number in numbers:
            item = _item_around(items, indent)
            if (
                item is not None
                and indent < item.text_column + 4
                and (fences - item.fences) % 2 == 0
            ):
                inside.add(number)
        if not indent:
            items.clear()
        fences += line.lstrip().startswith(_FENCES)
        begun = _ITEM.match(line.expandtabs(4))
        if begun is not None:
            while items and items[-1].text_column >= begun.end():
                items.pop()
            items.append(_OpenItem(begun.end(), fences))
    return frozenset(inside)


def _item_around(items: Sequence[_OpenItem], indent: int) -> _OpenItem | None:
    """Return the last of the items whose text begins at an indent or before it."""
    index = bisect_right(items, indent, key=lambda item: item.text_column)
    return items[index - 1] if index else None


def _indent(line: str) -> int:
    text = chomp(line).expandtabs(4)
    return len(text) - len(text.lstrip(" "))
