"""Comments that ignore rules, and the lines that each comment covers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.layout import CATEGORY
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


class _Located(NamedTuple):
    """A comment and the lines around it; nested in an item, it covers nothing below the item."""

    comment: IgnoreComment
    line: int
    column: int
    first: int
    last: int
    is_alone: bool
    is_nested: bool = False


def ignores_of(document: Document, role: Role | None) -> tuple[Ignore, ...]:
    """Return the ignores of a file in line order.

    A comment at the end of a line covers that line. On its own line it covers the entry (or,
    outside learnings files, the section) that follows or contains it; in the preamble it covers the
    whole file, in an index section the next line.
    """
    if IGNORE_MARK not in document.text:
        return ()
    first, *others = document.lines
    lines = (first.removeprefix(BOM), *others)
    found = sorted(
        [*_in_blocks(lines, document), *_in_lines(lines, document)], key=itemgetter(1, 2)
    )
    alone = {n for one in found if one.is_alone for n in range(one.first, one.last + 1)}
    texts = [n for n, line in enumerate(lines, start=1) if n not in alone and line.strip()]
    units, ignores = _Units(document, role), []
    for one in found:
        below = next(iter(texts[bisect_right(texts, one.last) :]), len(lines) + 1)
        scope = units.scope(one, below) if one.is_alone else (one.first, one.last)
        covered = scope or (1, len(lines))
        rules, reason = one.comment.rules, one.comment.reason
        ignores.append(Ignore(one.line, one.column, rules, reason, *covered, scope is None))
    return tuple(ignores)


def _in_blocks(lines: Sequence[str], document: Document) -> Iterator[_Located]:
    for first, last, is_closed in document.outline.comments:
        inner = lines[first - 1 : last] if is_closed else ()
        starts = list(accumulate(map(len, inner), initial=0))
        for comment in comments_in("".join(inner)):
            index = bisect_right(starts, comment.start) - 1
            column = comment.start - starts[index] + 1
            yield _Located(comment, first + index, column, first, last, is_alone=True)


def _in_lines(lines: Sequence[str], document: Document) -> Iterator[_Located]:
    behind = {
        number: comments_behind(line)
        for number, line in enumerate(lines, start=1)
        if IGNORE_MARK in line and number not in document.hidden_lines
    }
    alone = {
        number
        for number, comments in behind.items()
        if comments and not lines[number - 1][: comments[0].start].strip()
    }
    nested = _in_items(lines, alone) if alone else frozenset()
    for number, comments in behind.items():
        is_alone = number in alone
        for comment in comments if number in nested or not is_alone else ():
            place = (number, comment.start + 1, number, number)
            yield _Located(comment, *place, is_alone, is_nested=is_alone)


class _Units:
    """The entries or sections of a file: their first lines, and the lines of each.

    None stands for the preamble: where one begins, and around a line.
    """

    def __init__(self, document: Document, role: Role | None) -> None:
        self._is_index = role is Role.INDEX
        blocks = document.outline.hiding_blocks
        self._open = [block.first for block in blocks if not block.closed]
        headings = document.outline.headings
        ends = section_ends(headings, len(document.lines))
        sections = {
            heading.line: (heading.line, end) for heading, end in zip(headings, ends, strict=True)
        }
        self._around: Sequence[tuple[int, int] | None]
        self._begun: Sequence[tuple[int, int] | None]
        if role is Role.LEARNINGS:
            self._starts = [span.first for span in document.spans]
            extents = [  # a label above a list begins no section
                sections.get(first, (first, last)) if kind == CATEGORY else (first, last)
                for kind, first, last, _ in document.spans
            ]
            self._begun = self._around = [None, *extents[1:]]
            return
        self._starts, extents = [*sections], [*sections.values()]
        titles = next((n for n, one in enumerate(headings) if one.level != 1), len(headings))
        self._begun = [None, *extents[1:]] if titles else extents
        self._around = [*[None] * titles, *extents[titles:]]

    def scope(self, comment: _Located, below: int) -> tuple[int, int] | None:
        """Return the lines that a comment on its own line covers, or None for the whole file.

        below is the next line with text.
        """
        index = bisect_right(self._starts, below) - 1
        is_begun = index >= 0 and self._starts[index] == below
        follower = self._begun[index] if is_begun else None
        unit = None if comment.is_nested else follower
        if unit is None:
            # An empty span begins where the next one does; the last of the two is meant.
            index = bisect_right(self._starts, comment.first) - 1
            unit = self._around[index] if index >= 0 else None
        if unit is None:
            return None
        first, last = unit
        if self._is_index and below <= last and follower is None:
            return below, below
        # A block that swallows the rest of the file also swallows the end of the entry.
        return first, min([last, *(line for line in self._open if line >= first)])


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
