"""Comments that ignore rules, and the lines that each comment covers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.layout import CATEGORY, PREAMBLE, LineSpan
from learnings.core.markdown.ignore_comments import IgnoreComment, comments_behind, comments_in
from learnings.core.markdown.line_kinds import IGNORE_MARK, LIST_MARKER
from learnings.core.markdown.outline import section_ends
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import Role
from learnings.core.text import BOM, chomp

# The beginning of a list item, up to its text.
_ITEM = lazy_pattern(rf"[ ]*{LIST_MARKER}[ ]+")
_FENCES = ("```", "~~~")


class Ignore(NamedTuple):
    """A comment (line and column 1-based) that ignores rules from the first to the last line."""

    line: int
    column: int
    rules: tuple[str, ...]
    reason: str
    first: int
    last: int
    whole_file: bool = False


class UnusedIgnore(NamedTuple):
    """A rule (None: no rule) that a comment ignores without effect; the nearest rule if unknown."""

    path: str
    ignore: Ignore
    rule: str | None
    suggestion: str | None = None
    can_be_ignored: bool = True


class _LocatedComment(NamedTuple):
    """A comment and the lines around it; nested in an item, it covers nothing below the item."""

    comment: IgnoreComment
    line: int
    column: int
    first: int
    last: int
    alone: bool
    nested: bool = False


def ignores_of(document: Document, role: Role | None) -> tuple[Ignore, ...]:
    """Return the ignores of a file in line order.

    A comment at the end of a line covers that line. On its own line it covers the entry (or,
    outside learnings files, the section) that follows or contains it; in the preamble it covers the
    whole file, in an index section the next line.
    """
    if IGNORE_MARK not in document.text:
        return ()
    return tuple(_IgnoreReader(document, role).ignores())


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
            lines = self._lines[block.first - 1 : block.last]
            starts = list(accumulate(map(len, lines), initial=0))
            for comment in comments_in("".join(lines)):
                index = bisect_right(starts, comment.start) - 1
                line, column = block.first + index, comment.start - starts[index] + 1
                yield _LocatedComment(comment, line, column, block.first, block.last, alone=True)

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
            is_alone = number in alone
            if is_alone and number not in nested:
                continue
            for comment in comments:
                place = (number, comment.start + 1, number, number)
                yield _LocatedComment(comment, *place, is_alone, nested=is_alone)

    def _scope(self, comment: _LocatedComment) -> tuple[int, int] | None:
        """Return the lines that a comment on its own line covers, or None for the whole file."""
        index = bisect_right(self._text_lines, comment.last)
        below = self._text_lines[index] if index < len(self._text_lines) else len(self._lines) + 1
        follower = None if comment.nested else self._unit_at(below)
        unit = follower or self._unit_around(comment.first)
        if unit is None:
            return None
        if self._role is Role.INDEX and below <= unit[1] and not self._unit_at(below):
            return below, below
        # A block that swallows the rest of the file also swallows the end of the entry.
        return unit[0], min([unit[1], *(line for line in self._open if line >= unit[0])])

    @cached_property
    def _text_lines(self) -> list[int]:
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
        if self._role is Role.LEARNINGS:
            # An empty span begins where the next span does; the last of the two is meant.
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
        deeper = (index for index, heading in enumerate(self._headings) if heading.level != 1)
        return next(deeper, len(self._headings))

    @cached_property
    def _sections(self) -> dict[int, tuple[int, int]]:
        ends = section_ends(self._headings, len(self._lines))
        pairs = zip(self._headings, ends, strict=True)
        return {heading.line: (heading.line, end) for heading, end in pairs}


def _in_items(lines: Sequence[str], numbers: Collection[int]) -> frozenset[int]:
    """Return the lines with text of a list item, in one pass."""
    inside: set[int] = set()
    items: list[tuple[int, int]] = []  # text column, and number of fences above, of open items
    fences = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        text = chomp(line).expandtabs(4)
        indent = len(text) - len(text.lstrip(" "))
        if number in numbers:
            index = bisect_right(items, indent, key=itemgetter(0))
            column, above = items[index - 1] if index else (-4, 0)
            if indent < column + 4 and (fences - above) % 2 == 0:
                inside.add(number)
        if not indent:
            items.clear()
        fences += line.lstrip().startswith(_FENCES)
        begun = _ITEM.match(line.expandtabs(4))
        if begun is not None:
            while items and items[-1][0] >= begun.end():
                items.pop()
            items.append((begun.end(), fences))
    return frozenset(inside)
