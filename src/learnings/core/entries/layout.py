"""Which lines of a file are its preamble, categories, entries and tail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.dialects import Dialect, Shape
from learnings.core.entries.titles import heading_text, is_dated_item
from learnings.core.markdown.outline import Block, Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# A `---`, which may end a preamble.
RULER = lazy_pattern(r" {0,3}-{3,}[ \t]*$")
# What is in both comments around an index block, a memory index inside the learnings file that it
# lists: in the one that starts it,
INDEX_MARK = b"INDEX:"
INDEX_START = lazy_pattern(r"<!--\s*INDEX:START\b")
# and the one that ends it.
INDEX_END = lazy_pattern(r"<!--\s*INDEX:END\b")

PREAMBLE, CATEGORY, ENTRY, TAIL = "preamble", "category", "entry", "tail"


class LineSpan(NamedTuple):
    """A run of lines, first and last included; a span of no lines has last = first - 1.

    kind is one of the constants above: a category is a heading above entry level with the text
    under it, between the preamble and the tail.
    """

    kind: str
    first: int
    last: int


class Layout(NamedTuple):
    """The spans of a file, without a gap, and the last line of what introduces it."""

    spans: tuple[LineSpan, ...]
    preamble_end: int


def lay_out(
    lines: Sequence[str],
    outline: Outline,
    dialect: Dialect,
    *,
    front_matter: int,
    preamble_lines: int | None,
) -> Layout:
    """Return the layout of a file.

    front_matter and preamble_lines are numbers of lines at its top that hold no entry; the latter
    is None where the file itself shows its preamble.
    """
    starts = _entry_starts(lines, outline, dialect, preamble_lines)
    preamble_end = _preamble_end(lines, outline, front_matter, starts, preamble_lines)
    tail = _tail_start(lines, outline, starts, dialect)
    starts = [line for line in starts if line < tail]
    bounds = sorted({*starts, *_categories(outline, dialect, starts, preamble_end)})
    bounds = [line for line in bounds if line < tail]
    return Layout(tuple(_spans(bounds, set(starts), tail, len(lines))), preamble_end)


def _entry_starts(
    lines: Sequence[str], outline: Outline, dialect: Dialect, preamble_lines: int | None
) -> list[int]:
    skip = preamble_lines or 0
    if dialect.name == dialects.BULLET:
        return [line for line in _item_starts(lines, outline) if line > skip]
    if dialect.name == dialects.NONE:
        return []
    entry_level = dialect.level
    return [line for line, level in outline.headings if level == entry_level and line > skip]


def _item_starts(lines: Sequence[str], outline: Outline) -> list[int]:
    """Return the items that are entries: not those of an introduction above the first `---`.

    In a file whose items are dated, undated items above a separator explain the file.
    """
    starts = Shape(lines, outline).items
    dated = [line for line in starts if is_dated_item(lines[line - 1])]
    if not dated:
        return list(starts)
    rulers = [n for n in range(1, dated[0]) if _is_ruler(lines[n - 1])]
    return [line for line in starts if not rulers or line > rulers[-1] or line >= dated[0]]


def _preamble_end(
    lines: Sequence[str],
    outline: Outline,
    front_matter: int,
    starts: list[int],
    preamble_lines: int | None,
) -> int:
    """Return the last line of the preamble: the first `---` above the first entry, else all above.

    A configured number of lines is the preamble instead.
    """
    before = starts[0] - 1 if starts else len(lines)
    if preamble_lines is not None:
        return min(preamble_lines, before)
    rulers = [n for n in range(front_matter + 1, before + 1) if _is_ruler(lines[n - 1])]
    hidden = outline.hidden_lines() if rulers else ()
    return next((n for n in rulers if n not in hidden), before) if starts else before


def _is_ruler(line: str) -> bool:
    return "---" in line and RULER.match(chomp(line)) is not None


def _categories(
    outline: Outline, dialect: Dialect, starts: list[int], preamble_end: int
) -> Iterator[int]:
    """Give the lines of headings above entry level, below the preamble."""
    entry_level = dialect.level or 7  # list items stand below headings of all levels
    for line, level in outline.headings if starts else ():
        if level < entry_level and line > preamble_end:
            yield line


def _tail_start(lines: Sequence[str], outline: Outline, starts: list[int], dialect: Dialect) -> int:
    """Return the line where what follows the entries begins, one past the last if nothing does.

    That is a last heading `Themes` at entry level, or an index block with nothing behind it.
    """
    end = len(lines) + 1
    if not starts:
        return end
    last = starts[-1]
    if dialect.level and heading_text(lines[last - 1]).casefold() == "themes":
        return last
    for block in outline.comments:
        if block.first > last and INDEX_START.match(lines[block.first - 1].lstrip()):
            return block.first if _is_last_index(lines, outline.comments, block) else end
    return end


def _is_last_index(lines: Sequence[str], comments: tuple[Block, ...], start: Block) -> bool:
    """Return True if the index block that a comment starts has an end, and nothing below it."""
    ends = [
        block.last
        for block in comments
        if block.first >= start.first
        and any(INDEX_END.search(line) for line in lines[block.first - 1 : block.last])
    ]
    return bool(ends) and not any(line.strip() for line in lines[ends[0] :])


def _spans(bounds: list[int], starts: set[int], tail: int, count: int) -> Iterator[LineSpan]:
    stops = [*bounds, tail]
    yield LineSpan(PREAMBLE, 1, stops[0] - 1)
    for first, stop in zip(bounds, stops[1:], strict=True):
        yield LineSpan(ENTRY if first in starts else CATEGORY, first, stop - 1)
    if tail <= count:
        yield LineSpan(TAIL, tail, count)
