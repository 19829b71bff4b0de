"""The preamble, categories, entries and tail of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.dialects import Dialect, Shape
from learnings.core.entries.place_holders import is_blank_title, is_of_template
from learnings.core.entries.shapes import SHAPES
from learnings.core.entries.titles import explains_file, heading_text, is_dated_item, own_words
from learnings.core.markdown.blocks import Blocks
from learnings.core.markdown.line_kinds import LIST_MARKER, is_ruler
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern

# The title of an entry with a number: `3. Never …`, `Lesson 3 — …`, `Milestone: v1.0`.
_NUMBERED = lazy_pattern(
    r"(?:\d+[.):]|(?:Pattern|Lesson|Rule|Gotcha|Milestone|Phase|Sprint|Session):? [#v]?\d+)(?=\W|$)"
)

# The start of a list item.
_ITEM = lazy_pattern(rf" {{0,3}}{LIST_MARKER}(?=\s)")

PREAMBLE, CATEGORY, ENTRY, TAIL = "preamble", "category", "entry", "tail"


class LineSpan(NamedTuple):
    """The lines from first to last (first - 1 if empty); level is 0 without a heading.

    A category is a heading above entry level with its text, or other text outside entries.
    """

    kind: str
    first: int
    last: int
    level: int = 0


class Layout(NamedTuple):
    spans: tuple[LineSpan, ...]
    preamble_end: int


def lay_out(blocks: Blocks, dialect: Dialect, preamble_lines: int | None) -> Layout:
    """Return the layout; preamble_lines is the configured number of preamble lines."""
    lines, _, outline = blocks
    found = _bounds(lines, outline, dialect)
    starts = sorted(
        n for n, level in found.items() if level is not None and n > (preamble_lines or 0)
    )
    preamble_end = _preamble_end(blocks, starts, preamble_lines)
    tail = _tail_start(lines, outline, starts, dialect)
    levels = {n: found[n] or 0 for n in starts if n < tail}
    others = (n for n, level in found.items() if level is None and preamble_end < n < tail)
    bounds = sorted({*levels, *(others if starts else ())})
    return Layout(tuple(_spans(bounds, levels, tail, len(lines))), preamble_end)


def _bounds(lines: Sequence[str], outline: Outline, dialect: Dialect) -> Mapping[int, int | None]:
    """Return the lines that begin an entry, with its level, or end the entry above: None."""
    name, entry_level = dialect.name, dialect.level
    if name == dialects.NONE:
        return {}
    if name == dialects.FOLDER:
        return {1: 1} if lines else {}
    if name in dialects.PLAIN:
        # List items can stand below headings of any level.
        bounds = {n: None for n, level in outline.headings if level < (entry_level or 7)}
        if name == dialects.BULLET:
            items = _item_starts(lines, outline)
            return bounds | dict.fromkeys(_labels_of(lines, items)) | dict.fromkeys(items, 0)
        starts = [n for n, level in outline.headings if level == entry_level]
        titles = {n: heading_text(lines[n - 1]) for n in starts}
        has_stamps = name == dialects.TIMESTAMPED  # which rules check: no examples
        others = () if has_stamps else _no_entries(lines, outline, dialect, titles)
        return bounds | {n: None if n in others else entry_level for n in starts}
    return SHAPES[name].bounds(lines, outline)


def _item_starts(lines: Sequence[str], outline: Outline) -> list[int]:
    """Return the items that are entries; an undated one above a `---` and all dates is not."""
    starts = Shape(lines, outline).items
    dated = [line for line in starts if is_dated_item(lines[line - 1])]
    if not dated:
        return list(starts)
    rulers = [n for n in range(1, dated[0]) if is_ruler(lines[n - 1])]
    return [line for line in starts if not rulers or line > rulers[-1] or line >= dated[0]]


def _labels_of(lines: Sequence[str], items: Sequence[int]) -> Iterator[int]:
    """Yield the first lines of paragraphs that announce a list: `**Queues:**` above its items."""
    for item in items:
        last = item - 1 if item > 1 and lines[item - 2].strip() else item - 2
        if last > 0 and lines[last - 1].rstrip().rstrip("*_").endswith((":", "：")):
            first = last
            while first > 1 and lines[first - 2].strip():
                first -= 1
            if lines[first - 1][0] not in " \t#>|" and not _ITEM.match(lines[first - 1]):
                yield first


def _no_entries(
    lines: Sequence[str], outline: Outline, dialect: Dialect, titles: Mapping[int, str]
) -> set[int]:
    """Return headings at entry level that are examples, the title of the file, or a summary."""
    level = dialect.level
    ends = zip(titles.items(), [*titles, len(lines) + 1][1:], strict=True)
    found = {
        n
        for (n, title), end in ends
        if is_blank_title(title) and is_of_template(title, lines[n : end - 1])
        if own_words(title)
    }
    explaining = {n for n, title in titles.items() if explains_file(title)}
    found |= explaining if level == 2 and len(explaining) < len(titles) else set()
    above = ""
    for n, deep in outline.headings:
        if deep == level - 1:
            above = heading_text(lines[n - 1])
        elif deep == level and level > 2 and explains_file(above):
            found.add(n)
    is_title = level == 1 and len(titles) > 1 and not dialect.is_configured
    if is_title and len(own_words(titles[min(titles)])) <= dialects.CHAPTER_WORDS:
        found.add(min(titles))
    numbered = [n for n, title in titles.items() if _NUMBERED.match(title)]
    if numbered and level == 2 and 2 * len(numbered) >= len(titles):
        below = (n for n in titles if n > numbered[-1])
        found.update(n for n in below if len(own_words(titles[n])) <= dialects.CHAPTER_WORDS)
    return found


def _preamble_end(blocks: Blocks, starts: list[int], preamble_lines: int | None) -> int:
    """Return the last preamble line: the configured one, the first `---`, or all above entries."""
    lines = blocks.lines
    before = starts[0] - 1 if starts else len(lines)
    if preamble_lines is not None:
        return min(preamble_lines, before)
    rulers = [n for n in range(blocks.front_matter + 1, before + 1) if is_ruler(lines[n - 1])]
    hidden = blocks.outline.hidden_lines() if rulers else ()
    return next((n for n in rulers if n not in hidden), before) if starts else before


def _tail_start(lines: Sequence[str], outline: Outline, starts: list[int], dialect: Dialect) -> int:
    """Return the first line of a last `Themes` or index block, or one past the last line."""
    end = len(lines) + 1
    if not starts:
        return end
    last = starts[-1]
    if dialect.level and heading_text(lines[last - 1]).casefold() == "themes":
        return last
    block = dialects.index_block(lines, outline, last)
    return end if any(map(str.strip, lines[block.stop - 1 :])) else block.start


def _spans(
    bounds: list[int], levels: Mapping[int, int], tail: int, count: int
) -> Iterator[LineSpan]:
    stops = [*bounds, tail]
    yield LineSpan(PREAMBLE, 1, stops[0] - 1)
    for first, stop in zip(bounds, stops[1:], strict=True):
        kind = ENTRY if first in levels else CATEGORY
        yield LineSpan(kind, first, stop - 1, levels.get(first, 0))
    if tail <= count:
        yield LineSpan(TAIL, tail, count)
