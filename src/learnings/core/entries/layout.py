"""How a file is read: its dialect, and its preamble, categories, entries and tail.

The first matching rule decides on the dialect. The rules come from 69 real files and were tried on
37 others and some 430 older versions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import filterfalse, islice, pairwise
from typing import NamedTuple

from learnings.core.entries import dialects, place_holders, titles
from learnings.core.entries.dialects import Dialect, Shape
from learnings.core.entries.place_holders import is_blank_title, is_of_template
from learnings.core.entries.shapes import SHAPES
from learnings.core.entries.titles import explains_file, heading_text, is_dated_item, own_words
from learnings.core.markdown.line_kinds import LIST_MARKER, has_text, is_ruler
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

# The number at the end of an id, perhaps with a letter: the part that varies within a series.
_LAST_NUMBER = lazy_pattern(r"(?<![\d-])[\d-]+[A-Za-z]?$")
# Minimum number of level 1 headings for them to be entries: a file with a title has one. Two are
# entries if both read like one, so that entries stay when others are archived.
_SEVERAL_TOPS = 3
# Mean list items per chapter from which they are the entries, also if chapters consist of nothing
# else, and the same for headings. Chosen: an entry has fewer in the shapes of the tests.
_MANY_ITEMS, _SEVERAL_ITEMS, _MANY_HEADINGS = 3, 2, 2
# Maximum lines of a file that only points elsewhere. Chosen: a list of new places fits.
_LONGEST_STUB = 80
# The title of a `<details>`.
_SUMMARY = lazy_pattern(r"<summary>(.*?)</summary>")


def configured(name: str, entry_level: int | None, shape: Shape) -> Dialect:
    """Return the configured dialect, detecting the settings left open (`auto`, the entry level)."""
    if name == "auto":
        dialect = _detected(shape)
        if entry_level is None or dialect.name == dialects.NONE:
            return dialect
        is_stamped = dialect.name in (dialects.TIMESTAMPED, dialects.IDENTIFIED)
        detected = dialect.name if is_stamped else dialects.HEADING
        reason = f"{dialect.reason}; entry-level is configured"
        return Dialect(detected, entry_level, reason, is_configured=True)
    if name in dialects.SHAPES:
        found = SHAPES[name].recognised(shape)
        return Dialect(name, found.level if found else 0, "configured", is_configured=True)
    level = 0 if name == dialects.BULLET else entry_level
    if level is None:
        found = _identified(shape) if name == dialects.IDENTIFIED else None
        if name == dialects.HEADING:
            found = _dated_headings(shape) or _categories(shape)
        level = found.level if found else 2
    return Dialect(name, level, "configured", is_configured=True)


def _detected(shape: Shape) -> Dialect:
    # Features that only these shapes have, next to other text.
    mixed = (dialects.TABLE, dialects.SECTIONS, dialects.TEAM_LOG)
    return (
        next(filter(None, (SHAPES[name].recognised(shape) for name in mixed)), None)
        or _nothing_yet(shape)
        or (_note(shape) if len(shape.first) == 1 else None)
        or _timestamped(shape)
        or _identified(shape)
        or _dated(shape)
        or _undated(shape)
    )


def _undated(shape: Shape) -> Dialect:
    items, count = len(shape.items), len(shape.second)
    if items and shape.is_flat:
        total = counted(items, "top-level list item")
        return Dialect(dialects.BULLET, 0, f"{total}, no heading below level 1")
    found = _top_headings(shape) or _listed(shape)
    found = found or SHAPES[dialects.PARAGRAPH].recognised(shape) or _categories(shape)
    if found or count:
        return found or Dialect(dialects.HEADING, 2, f"{count} H2")
    without = "fewer than half of the list items with a date" if items else "no list item"
    reason = f"no heading at level 2, fewer than two at level 3, {without}"
    pairs = pairwise(shape.lines)
    lined = sum(line.startswith("---") and is_ruler(line) and has_text(up) for up, line in pairs)
    if lined > 1:
        reason = f"{lined} lines underlined with --- are none: {dialects.TO_HEADINGS}"
    return Dialect(dialects.NONE, 0, reason)


def _nothing_yet(shape: Shape) -> Dialect | None:
    """Recognise a template, a file of tables, and the stub of a moved file."""
    introduction = shape.introduction if len(shape.lines) <= _LONGEST_STUB else ()
    if introduction and place_holders.says_moved(introduction, shape.lines[len(introduction) :]):
        return Dialect(dialects.NONE, 0, dialects.HAS_MOVED)
    total, items = len(shape.second), shape.items.values()
    # The sections of a long memory are read only until half of them have text.
    own = len([*islice(filterfalse(shape.is_pending, shape.second), (total + 1) // 2)])
    if 2 * own < total:
        reason = f"{total - own} of {total} H2 contain only placeholders or table rows"
        return Dialect(dialects.NONE, 0, reason)
    if shape.is_flat and items and all(map(place_holders.is_place_holder, items)):
        return Dialect(dialects.NONE, 0, "all list items are placeholders")
    folded = _folded(shape) if shape.is_flat and "<" in shape.signs else 0
    reason = f"{folded} texts in <details> are none: {dialects.TO_HEADINGS}"
    return Dialect(dialects.NONE, 0, reason) if folded else None


def _folded(shape: Shape) -> int:
    """Count the `<details>` that may each be an entry, rather than a chapter or a detail."""
    items, names, outside, depth = {*shape.items}, [], 0, 0
    for number, line in enumerate(shape.lines, start=1):
        depth += line.count("<details") - line.count("</details")
        outside += depth <= 0 and number in items
        names += _SUMMARY.findall(line)
    return len(names) if len(names) > max(1, outside) and not dialects.are_chapters(names) else 0


def _note(shape: Shape) -> Dialect | None:
    """Recognise one note, whose H2 are its parts: `Problem`, `Root Cause`, `Correct Pattern`."""
    (top,), count = shape.first, len(shape.second)
    own = top.title.partition(": ")[2] or top.title  # `Lessons learned: the outage in March`
    is_title = len(titles.own_words(own)) > 1 and not dialects.is_of_many(own)
    if not is_title or shape.fields < 2 or 2 * shape.fields < count:
        return None
    return Dialect(dialects.HEADING, 1, f"{shape.fields} of {count} H2 are parts of a note")


def _timestamped(shape: Shape) -> Dialect | None:
    total = len(shape.second)
    stamped = sum(map(titles.has_time_stamp, shape.titles[2]))
    reason = f"{stamped} of {total} H2 have a time stamp"
    return Dialect(dialects.TIMESTAMPED, 2, reason) if _enough(stamped, total) else None


def _identified(shape: Shape) -> Dialect | None:
    for level in (2, 3):
        texts = shape.titles[level]
        ids = filter(None, (titles.marks_of(text).id for text in texts))
        series = Counter(_LAST_NUMBER.sub("", entry_id) for entry_id in ids)
        with_id = sum(count for count in series.values() if _enough(count, len(texts)))
        if _enough(with_id, len(texts)):
            reason = f"{with_id} of {len(texts)} H{level} have an id"
            return Dialect(dialects.IDENTIFIED, level, reason)
    return None


def _dated(shape: Shape) -> Dialect | None:
    headings, dated, total = _dated_headings(shape), shape.dated_items(), len(shape.own_items)
    others = shape.dated_headings(headings.level) if headings else 0
    if dated <= others or 2 * dated < total:
        return headings
    return Dialect(dialects.BULLET, 0, f"{dated} of {total} top-level list items have a date")


def _dated_headings(shape: Shape) -> Dialect | None:
    for level in (2, 3):
        dated, total = shape.dated_headings(level), len(shape.titles[level])
        if level == 2 and dated and (groups := _categories(shape)):
            return groups
        if dated and 2 * dated >= total:
            return Dialect(dialects.HEADING, level, f"{dated} of {total} H{level} have a date")
    return None


def _top_headings(shape: Shape) -> Dialect | None:
    """Recognise entries at level 1 with only fields below them."""
    tops = shape.first
    are_long = [len(titles.own_words(top.title)) > dialects.CHAPTER_WORDS for top in tops]
    are_two = len(tops) == 2 and shape.is_flat and all(are_long)
    are_several = len(tops) >= _SEVERAL_TOPS and 2 * sum(are_long[1:]) > len(tops[1:])
    if not (are_two or are_several):
        return None
    if 2 * len(shape.own_headings(2)) > max(len(shape.second), len(tops)):
        return None
    return Dialect(dialects.HEADING, 1, f"{len(tops)} H1")


def _listed(shape: Shape) -> Dialect | None:
    """Recognise level 2 chapters of list items: bold ones, or all items of an only chapter."""
    count = len(shape.second)
    if shape.third or not shape.items:
        return None
    own, bold, names = len(shape.own_items), shape.bold_items, shape.titles[2]
    are_periods = dialects.are_periods(names)
    are_rounds = any(map(str.isdigit, "".join(names))) and not are_periods
    are_chapters = dialects.are_chapters(names) and not are_rounds
    are_bold = 2 * bold > own and bold >= count * (1 if are_chapters else 2) and own > 1
    are_many = are_chapters and own > count
    is_chapter = count == 1 and not names[0].startswith(titles.CONVENTION)
    if not own or not (are_bold or are_many or is_chapter):
        return None
    lists = sum(map(shape.is_list, shape.second))  # takes longer than the rest
    many = _MANY_ITEMS if lists < count else 1 if are_periods else _SEVERAL_ITEMS
    are_many = are_many and own >= many * count
    if 2 * lists <= count or not (are_bold or are_many or is_chapter):
        return None
    items = counted(len(shape.items), "list item")
    return Dialect(dialects.BULLET, 0, f"{items} in {count} H2, {bold} with their own bold lead")


def _categories(shape: Shape) -> Dialect | None:
    """Recognise H2 that group H3: most have no text, or they are chapters of many."""
    total = len(shape.second)
    inner, own = len(shape.third), len(shape.own_headings(3))
    if inner < 2 or own < 2:
        return None
    are_many = own > _MANY_HEADINGS * total and dialects.are_chapters(shape.titles[2])
    if total and 2 * shape.bare <= total and not are_many:
        return None
    groups = f"{shape.bare} of {total} H2 only group" if total else "no H2 groups"
    return Dialect(dialects.HEADING, 3, f"{groups} the {inner} H3")


def _enough(count: int, total: int) -> bool:
    return count >= 2 or (count > 0 and 2 * count >= total)


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


def lay_out(
    shape: Shape, dialect: Dialect, front_matter: int, preamble_lines: int | None
) -> Layout:
    """Return the layout; preamble_lines is the configured number of preamble lines."""
    found = _bounds(shape, dialect)
    starts = sorted(
        n for n, level in found.items() if level is not None and n > (preamble_lines or 0)
    )
    preamble_end = _preamble_end(shape, starts, front_matter, preamble_lines)
    tail = _tail_start(shape, starts, dialect)
    levels = {n: found[n] or 0 for n in starts if n < tail}
    others = (n for n, level in found.items() if level is None and preamble_end < n < tail)
    bounds = sorted({*levels, *(others if starts else ())})
    stops = [*bounds, tail]
    spans = [LineSpan(PREAMBLE, 1, stops[0] - 1)]
    for first, stop in pairwise(stops):
        kind = ENTRY if first in levels else CATEGORY
        spans.append(LineSpan(kind, first, stop - 1, levels.get(first, 0)))
    if tail <= len(shape.lines):
        spans.append(LineSpan(TAIL, tail, len(shape.lines)))
    return Layout(tuple(spans), preamble_end)


def _bounds(shape: Shape, dialect: Dialect) -> Mapping[int, int | None]:
    """Return the lines that begin an entry, with its level, or end the entry above: None."""
    name, entry_level, lines, outline = *dialect[:2], shape.lines, shape.outline
    if name == dialects.NONE:
        return {}
    if name == dialects.FOLDER:
        return {1: 1} if lines else {}
    if name in dialects.PLAIN:
        # List items can stand below headings of any level.
        bounds = {n: None for n, level in outline.headings if level < (entry_level or 7)}
        if name == dialects.BULLET:
            items = _item_starts(shape)
            return bounds | dict.fromkeys(_labels_of(lines, items)) | dict.fromkeys(items, 0)
        starts = [n for n, level in outline.headings if level == entry_level]
        names = {n: heading_text(lines[n - 1]) for n in starts}
        has_stamps = name == dialects.TIMESTAMPED  # which rules check: no examples
        others = () if has_stamps else _no_entries(shape, dialect, names)
        return bounds | {n: None if n in others else entry_level for n in starts}
    return SHAPES[name].bounds(shape)


def _item_starts(shape: Shape) -> list[int]:
    """Return the items that are entries; an undated one above a `---` and all dates is not."""
    dated = [number for number, line in shape.items.items() if is_dated_item(line)]
    if not dated:
        return list(shape.items)
    rulers = [n for n in range(1, dated[0]) if is_ruler(shape.lines[n - 1])]
    return [line for line in shape.items if not rulers or line > rulers[-1] or line >= dated[0]]


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


def _no_entries(shape: Shape, dialect: Dialect, names: Mapping[int, str]) -> set[int]:
    """Return headings at entry level that are examples, the title of the file, or a summary."""
    lines, level = shape.lines, dialect.level
    ends = zip(names.items(), [*names, len(lines) + 1][1:], strict=True)
    found = {
        n
        for (n, title), end in ends
        if is_blank_title(title) and is_of_template(title, lines[n : end - 1])
        if own_words(title)
    }
    explaining = {n for n, title in names.items() if explains_file(title)}
    found |= explaining if level == 2 and len(explaining) < len(names) else set()
    above = ""
    for n, deep in shape.outline.headings:
        if deep == level - 1:
            above = heading_text(lines[n - 1])
        elif deep == level and level > 2 and explains_file(above):
            found.add(n)
    is_title = level == 1 and len(names) > 1 and not dialect.is_configured
    if is_title and len(own_words(names[min(names)])) <= dialects.CHAPTER_WORDS:
        found.add(min(names))
    numbered = [n for n, title in names.items() if _NUMBERED.match(title)]
    if numbered and level == 2 and 2 * len(numbered) >= len(names):
        below = (n for n in names if n > numbered[-1])
        found.update(n for n in below if len(own_words(names[n])) <= dialects.CHAPTER_WORDS)
    return found


def _preamble_end(
    shape: Shape, starts: list[int], front_matter: int, preamble_lines: int | None
) -> int:
    """Return the last preamble line: the configured one, the first `---`, or all above entries."""
    lines = shape.lines
    before = starts[0] - 1 if starts else len(lines)
    if preamble_lines is not None:
        return min(preamble_lines, before)
    rulers = [n for n in range(front_matter + 1, before + 1) if is_ruler(lines[n - 1])]
    hidden = shape.outline.hidden_lines() if rulers else ()
    return next((n for n in rulers if n not in hidden), before) if starts else before


def _tail_start(shape: Shape, starts: list[int], dialect: Dialect) -> int:
    """Return the first line of a last `Themes` or index block, or one past the last line."""
    lines = shape.lines
    end = len(lines) + 1
    if not starts:
        return end
    last = starts[-1]
    if dialect.level and heading_text(lines[last - 1]).casefold() == "themes":
        return last
    block = dialects.index_block(lines, shape.outline, last)
    return end if any(map(str.strip, lines[block.stop - 1 :])) else block.start
