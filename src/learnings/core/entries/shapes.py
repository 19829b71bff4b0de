"""The shapes of files that mix entries with other text, or whose entries have a special form.

Bounds are the lines (1-based) that begin an entry, with its level (0 without a heading), or that
end one (None).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from learnings.core.entries.dialects import (
    INDEX_END,
    INDEX_START,
    NONE,
    PARAGRAPH,
    SECTIONS,
    TABLE,
    TEAM_LOG,
    Dialect,
    Shape,
)
from learnings.core.entries.place_holders import is_field, lead_of
from learnings.core.entries.titles import (
    Row,
    has_date,
    has_time_stamp,
    heading_id,
    heading_text,
    own_words,
    read_row,
    starts_with_date,
)
from learnings.core.markdown.escapes import unescaped
from learnings.core.markdown.line_kinds import is_ruler
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

_Bounds = Mapping[int, int | None]


def recognised(name: str, shape: Shape) -> Dialect | None:
    """Return the dialect of a file if it has the shape of this name, or None."""
    return _SHAPES[name][0](shape)


def bounds_of(name: str, lines: Sequence[str], outline: Outline) -> _Bounds:
    """Return the bounds of the entries in the shape of this name."""
    return _SHAPES[name][1](lines, outline)


# Registers: the entries are rows with an id in the first cell, or a date or number in any cell.
#
# GSD keeps its decisions and its knowledge like this. Headings with an id are entries as well.

# The head of a column of numbers.
_NUMBER_HEAD = lazy_pattern(r"\|[ \t*]*(?:#|no\.?|nr\.?|id|number)[ \t*]*\|", re.IGNORECASE)
# Rows of a table that is the memory beside sections without one. Chosen: an entry has fewer.
_LONG_TABLE = 10
# Characters of the row between head and body of a table.
_RULE_MARKS = frozenset("|:- \t\r\n")


def _recognise_table(shape: Shape) -> Dialect | None:
    """Recognise tables with ids, dates or numbers, under headings that are no entries."""
    if not any(map(_is_table_rule, shape.lines)):
        return None
    found = own_rows(shape.lines, shape.outline)
    count = sum(1 for _ in _rows(shape.lines, shape.outline))
    if not found or 2 * len(found) < count or len(shape.own_items) > len(found):
        return None
    # The others are of measurements: a date and a number.
    texts = sum(row.id is not None or len(own_words(row.text)) > 1 for row in found.values())
    if 2 * texts < len(found):
        return None
    sections = shape.second
    registers = sum(
        any(section.heading.line < number <= section.last for number in found)
        or heading_id(section.title) is not None
        or not (shape.text.first(section) or _is_dated(section.title))
        for section in sections
    )
    # A long table is the memory, whatever stands above and below it.
    if 2 * registers < len(sections) and len(found) < max(_LONG_TABLE, 2 * len(sections)):
        return None
    with_id = sum(row.id is not None for row in found.values())
    has_date = any(row.stated for row in found.values())
    mark = "an id" if 2 * with_id >= len(found) else "a date" if has_date else "a number"
    verb = "has" if len(found) == 1 else "have"
    return Dialect(TABLE, 0, f"{counted(len(found), 'row')} of a table {verb} {mark}")


def _is_dated(title: str) -> bool:
    return has_date(title) or has_time_stamp(title)


def own_rows(lines: Sequence[str], outline: Outline) -> Mapping[int, Row]:
    """Return the rows that can be entries by their 1-based lines.

    A number alone makes a row an entry below a head with a `#`, or in a series.
    """
    rows = ((number, read_row(lines[number - 1])) for number in _rows(lines, outline))
    found = {number: row for number, row in rows if row}
    numbers = [row.number for row in found.values() if row.number is not None]
    rises = all(upper < lower for upper, lower in pairwise(numbers))
    heads = (upper for upper, lower in pairwise(lines) if _is_table_rule(lower))
    if (rises and len(numbers) >= _SEVERAL) or any(map(_NUMBER_HEAD.search, heads)):
        return found
    return {number: row for number, row in found.items() if row.number is None}


def _table_bounds(lines: Sequence[str], outline: Outline) -> _Bounds:
    result: dict[int, int | None] = {}
    for first, level in outline.headings:
        has_id = level in (2, 3) and heading_id(heading_text(lines[first - 1])) is not None
        if has_id or level <= 2:
            result[first] = level if has_id else None
    rows = own_rows(lines, outline)
    is_row = False
    for number, line in enumerate(lines, start=1):
        if is_row and line.strip() and number not in rows:
            result.setdefault(number, None)  # text below the last row
        is_row = number in rows or (is_row and not line.strip())
    return result | dict.fromkeys(rows, 0)


def end_of_tables(lines: Sequence[str]) -> int:
    """Return the line (1-based) below the last table head, or one past the last line."""
    heads = (number for number, line in enumerate(lines, start=1) if _is_table_rule(line))
    return max(heads, default=len(lines)) + 1


def _rows(lines: Sequence[str], outline: Outline) -> Iterator[int]:
    """Yield the rows of tables without heads; agents leave blank lines between some rows.

    The rows of an index block are none: they list the entries of the file.
    """
    hidden = outline.hidden_lines()
    comments = [block.first for block in outline.comments]
    starts = (n for n in comments if INDEX_START.match(lines[n - 1].lstrip()))
    if start := next(starts, 0):
        ends = (n for n in comments if n >= start and INDEX_END.search(lines[n - 1]))
        hidden.update(range(start, next(ends, start)))
    for number, (line, below) in enumerate(pairwise([*lines, ""]), start=1):
        is_row = line.startswith("|") and number not in hidden
        if is_row and not _is_table_rule(line) and not _is_table_rule(below):
            yield number


def _is_table_rule(line: str) -> bool:
    """Return True for the row between head and body of a table."""
    return line.startswith("|") and "-" in line and _RULE_MARKS.issuperset(line)


# Files in which only the text of some sections is the memory.
#
# Titles of tools show them: `Codebase Patterns` above the log of Ralph, `Learnings` beside the
# `Project Context` of an agent, the four sections of OpenWolf.

_PATTERNS = "codebase patterns"
_LEARNINGS = "learnings"
# Sections that show that a section `Learnings` stands among sections without entries.
_CONTEXTS = frozenset(("project context", "core context"))
_WOLF = frozenset(("user preferences", "key learnings", "do not repeat", "decision log"))
_XTRM = frozenset(("do not repeat", "how this project works", "active context"))
# Items that a tool writes itself, which are no memory without others: `**Project:** shop`.
_SEEDS = frozenset(("project", "description", "stack", "owner", "created"))
# Characters around and between the words of such a title: `Do-Not-Repeat`, `🧩 Patterns:`.
_NO_WORDS = lazy_pattern(r"[\W_]+")
# An entry of a log: a plan step (`US-001`, `Iteration 12`).
_STEP = lazy_pattern(r"(?:iteration|session|story|task|step|phase)\W{0,2}\d", flags=re.IGNORECASE)
# A dated line that is not a list item: `[2026-03-04] …`.
_DATED_LINE = lazy_pattern(r"\[\d{4}-\d{2}")


class _Titles:
    """The sections at level 1 and 2, and the memories among them."""

    def __init__(self, lines: Sequence[str], outline: Outline) -> None:
        self.lines = lines
        self.outline = outline
        self.tops = [heading for heading in outline.headings if heading.level <= 2]
        titles = [heading_text(lines[heading.line - 1]) for heading in self.tops]
        self.names = [_NO_WORDS.sub(" ", title).strip().casefold() for title in titles]
        second = {n for n, h in zip(self.names, self.tops, strict=True) if h.level == 2}
        self.tool = next((names for names in (_WOLF, _XTRM) if len(second & names) > 1), None)
        self.is_history = _LEARNINGS in second and not _CONTEXTS.isdisjoint(self.names)
        self.is_log = _PATTERNS in second

    @property
    def memories(self) -> frozenset[str]:
        if self.tool:
            return self.tool
        return frozenset([_LEARNINGS] if self.is_history else [_PATTERNS] if self.is_log else [])


def _recognise_sections(shape: Shape) -> Dialect | None:
    """Recognise the section titles of a tool; in a log, most other headings are steps."""
    titles = _Titles(shape.lines, shape.outline)
    if not titles.memories:
        return None
    if not (titles.tool or titles.is_history):
        others = [section.title for section in shape.second]
        steps = sum(map(_is_step, others))
        if 2 * steps < len(others) - 1:
            return None
    found = _sections_bounds(shape.lines, shape.outline)
    levels = [level for level in found.values() if level is not None]
    own = [shape.lines[line - 1] for line, level in found.items() if level is not None]
    if not levels:
        return None
    if titles.tool and all(lead_of(line).text in _SEEDS for line in own):
        return Dialect(NONE, 0, "only lines that the tool itself writes")
    names = " and ".join(
        heading_text(shape.lines[h.line - 1])
        for h, name in zip(titles.tops, titles.names, strict=True)
        if name in titles.memories
    )
    level = min(levels)
    return Dialect(
        SECTIONS, level, f"{counted(len(levels), 'entry', 'entries')}, most under {names}"
    )


def _sections_bounds(lines: Sequence[str], outline: Outline) -> _Bounds:
    titles = _Titles(lines, outline)
    result: dict[int, int | None] = {heading.line: None for heading in titles.tops}
    ends = [*(heading.line - 1 for heading in titles.tops[1:]), len(lines)]
    for heading, name, last in zip(titles.tops, titles.names, ends, strict=False):
        title = heading_text(lines[heading.line - 1])
        if heading.level == 2 and name in titles.memories:
            result |= _entries_between(lines, outline, heading.line, last)
        elif titles.is_history and heading.level == 2 and starts_with_date(title):
            result[heading.line] = 2
    if any(level is not None for level in result.values()) or not titles.is_log:
        return result
    second = ((h, heading_text(lines[h.line - 1])) for h in titles.tops if h.level == 2)
    return result | {heading.line: 2 for heading, title in second if _is_step(title)}


def _entries_between(
    lines: Sequence[str], outline: Outline, above: int, last: int
) -> Iterator[tuple[int, int | None]]:
    """Yield the entries of a section: H3 if any is dated, else items or dated lines, else H3."""
    third = [h.line for h in outline.headings if h.level == 3 and above < h.line <= last]
    dated = [line for line in third if has_date(heading_text(lines[line - 1]))]
    if dated:
        yield from ((line, 3) for line in third)
        return
    first, end = (bisect_left(outline.items, line) for line in (above, last + 1))
    items = {*outline.items[first:end]}
    hidden = outline.hidden_lines()
    items.update(
        number
        for number in range(above + 1, last + 1)
        if number not in hidden and _DATED_LINE.match(unescaped(lines[number - 1]))
    )
    yield from ((line, None if items else 3) for line in third)
    below = range(max(items, default=last) + 1, last + 1)
    yield from ((n, None) for n in below if is_ruler(lines[n - 1]))
    yield from ((line, 0) for line in sorted(items))


def _is_step(title: str) -> bool:
    return has_date(title) or heading_id(title) is not None or _STEP.match(title) is not None


# Decisions of several agents in one file, merged from notes with different headings.
#
# Squad does this: a dated heading at level 2 or 3, or a whole note under its own H1.

# Titles from the template of the log; the text below them is about the log.
_TEMPLATE = frozenset(("active decisions", "governance", "archived decisions"))
# Maximum words of an H1 that is a chapter (`Squad Decisions`, `Older decisions`) and not a note.
_NOTE_CHAPTER_WORDS = 2


def _recognise_team_log(shape: Shape) -> Dialect | None:
    """Recognise the template of Squad, or notes under their own H1 next to dated headings."""
    tops = sum(heading.level == 1 for heading in shape.outline.headings)
    has_template = any(title.casefold() in _TEMPLATE for title in shape.titles(2))
    if tops < 2 and not has_template:
        return None
    levels = Counter(_team_log_bounds(shape.lines, shape.outline).values())
    notes, dated = levels[1], levels[2] + levels[3]
    if not has_template and (not notes or dated < 2):
        return None
    if not notes + dated:
        return None
    level = 3 if levels[3] > levels[2] else 2
    reason = f"{counted(dated, 'heading')} with a date and {counted(notes, 'note')} under an H1"
    return Dialect(TEAM_LOG, level, reason)


def _team_log_bounds(lines: Sequence[str], outline: Outline) -> _Bounds:
    """Return where decisions begin; a dated H3 in a note or dated H2 belongs to it."""
    result: dict[int, int | None] = {}
    current: int | None = None  # level of the entry that contains a heading
    for line, level in outline.headings:
        title = heading_text(lines[line - 1])
        is_dated = starts_with_date(title)
        if level == 1:
            is_note = bool(result) and len(own_words(title)) > _NOTE_CHAPTER_WORDS
            current = 1 if is_note or is_dated else None
        elif level == 2 and current and not is_dated and is_field(title):
            continue  # a part of a pasted note
        elif level == 2 and (is_dated or current != 1 or title.casefold() in _TEMPLATE):
            current = 2 if is_dated else None
        elif level == 3 and is_dated and current in (None, 3):
            current = 3
        else:
            continue
        result[line] = current
    return result


# Catalogues: each entry is a paragraph that begins with a number and a title in bold.
#
# `**P1: Read the plan first.** Then …` below headings that only group.

# From this number on they are intended: two may be numbered steps of an entry.
_SEVERAL = 3
# `**P1: Title**`, `**L-014 — Title.**`, `**3. Title**`, with words behind the number.
_PARAGRAPH_START = lazy_pattern(
    r"\*\*(?:[A-Z]{1,5}-?)?\d{1,4}[a-z]?[.:)–—-]?[ \t]+(?:[–—-][ \t]*)?\w[^*]*\*\*"
)


def _recognise_paragraphs(shape: Shape) -> Dialect | None:
    """Recognise headings over numbered paragraphs, without headings below them."""
    if shape.third or shape.items or not any(line.startswith("**") for line in shape.lines):
        return None
    starts = list(_paragraph_starts(shape.lines, shape.outline))
    first = [n for section in shape.second if (n := shape.text.first(section))]
    if len(starts) < max(_SEVERAL, len(shape.second)):
        return None
    if 2 * len({*first}.intersection(starts)) < len(first):
        return None
    return Dialect(
        PARAGRAPH, 0, f"{counted(len(starts), 'paragraph')} with a number and a bold title"
    )


def _paragraphs_bounds(lines: Sequence[str], outline: Outline) -> _Bounds:
    result: dict[int, int | None] = {heading.line: None for heading in outline.headings}
    return result | dict.fromkeys(_paragraph_starts(lines, outline), 0)


def _paragraph_starts(lines: Sequence[str], outline: Outline) -> Iterator[int]:
    hidden = outline.hidden_lines()
    headings = {heading.line for heading in outline.headings}
    for number, line in enumerate(lines, start=1):
        if number in hidden or not line.startswith("**"):
            continue
        if not _PARAGRAPH_START.match(unescaped(line)):
            continue
        if number == 1 or not lines[number - 2].strip() or number - 1 in headings:
            yield number


_SHAPES: Mapping[
    str, tuple[Callable[[Shape], Dialect | None], Callable[[Sequence[str], Outline], _Bounds]]
] = {
    TABLE: (_recognise_table, _table_bounds),
    SECTIONS: (_recognise_sections, _sections_bounds),
    TEAM_LOG: (_recognise_team_log, _team_log_bounds),
    PARAGRAPH: (_recognise_paragraphs, _paragraphs_bounds),
}
