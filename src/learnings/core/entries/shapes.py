"""The shapes of files that mix entries with other text, or whose entries have a special form.

Bounds are the lines (1-based) that begin an entry, with its level (0 without a heading), or that
end one (None).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import dropwhile, pairwise
from typing import NamedTuple

from learnings.core.entries import dialects, titles
from learnings.core.entries.dialects import Dialect, Shape
from learnings.core.entries.place_holders import is_field, lead_of
from learnings.core.markdown.escapes import unescaped
from learnings.core.markdown.line_kinds import has_text, is_ruler
from learnings.core.markdown.outline import Section
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

_Bounds = Mapping[int, int | None]


# Registers, as GSD keeps them: an entry is a row with an id, a date or a number, or a heading with
# an id. The head of a column of numbers.
_NUMBER_HEAD = lazy_pattern(r"\|[ \t*]*(?:#|no\.?|nr\.?|id|number)[ \t*]*\|", re.IGNORECASE)
# The head of a table in which each row is a lesson.
_LESSON_HEAD = lazy_pattern(
    r"(?i)\|[ \t*]*(?:fix|solution|workaround|resolution|remedy|lesson|prevention)[ \t*]*\|"
)
# Rows of a table that is the memory beside sections without one. Chosen: an entry has fewer.
_LONG_TABLE = 10
# Characters of the row between head and body of a table.
_RULE_MARKS = frozenset("|:- \t\r\n")


def _recognise_table(shape: Shape) -> Dialect | None:
    """Recognise tables with ids, dates or numbers, under headings that are no entries."""
    if "|" not in shape.signs or not _table_rules(shape.lines):
        return None
    found, count = own_rows(shape), len([*_rows(shape)])
    if not found or 2 * len(found) < count or len(shape.own_items) > len(found):
        return None
    # The others are of measurements: a date and a number.
    texts = sum(row.id is not None or len(titles.own_words(row.text)) > 1 for row in found.values())
    if 2 * texts < len(found):
        return None
    sections = shape.second

    def is_register(one: Section) -> bool:
        is_entry = titles.has_date(one.title) or titles.has_time_stamp(one.title)
        has_row = any(one.heading.line < number <= one.last for number in found)
        is_bare = has_row or not (is_entry or next(shape.text_in(one), 0))
        return is_bare or titles.marks_of(one.title).id is not None

    # A long table is the memory, whatever stands above and below it; so is one above all sections.
    is_first = bool(sections) and max(found) < sections[0].heading.line
    enough = max(_SEVERAL if is_first else _LONG_TABLE, 2 * len(sections))
    if len(found) < enough and 2 * sum(map(is_register, sections)) < len(sections):
        return None
    with_id = sum(row.id is not None for row in found.values())
    mark = "a date" if any(row.stated for row in found.values()) else "a number or a fix"
    mark = "an id" if 2 * with_id >= len(found) else mark
    return Dialect(dialects.TABLE, 0, f"{counted(len(found), 'row')} of a table with {mark}")


def own_rows(shape: Shape) -> Mapping[int, titles.Row]:
    """Return the rows that can be entries by their 1-based lines.

    A number alone makes a row an entry below a head with a `#`, or in a series; nothing has to mark
    it in a file with only tables of fixes below its introduction.
    """
    lines = shape.lines
    rows = ((number, titles.read_row(lines[number - 1])) for number in _rows(shape))
    found = {number: row for number, row in rows if row}
    heads = [lines[number - 2] for number in _table_rules(lines) if number > 1]
    if heads and all(map(_LESSON_HEAD.search, heads)):
        below = dropwhile(lambda line: not line.startswith(("|", "##")), lines)
        if all(line[0] in "|#" or not has_text(line) for line in below):
            return found
    found = {n: row for n, row in found.items() if (*row[:2], row.number) != (None, None, None)}
    numbers = [row.number for row in found.values() if row.number is not None]
    rises = all(upper < lower for upper, lower in pairwise(numbers))
    if (rises and len(numbers) >= _SEVERAL) or any(map(_NUMBER_HEAD.search, heads)):
        return found
    return {number: row for number, row in found.items() if row.number is None}


def _table_bounds(shape: Shape) -> _Bounds:
    lines = shape.lines
    result: dict[int, int | None] = {}
    for first, level in shape.outline.headings:
        has_id = level in (2, 3) and titles.marks_of(titles.heading_text(lines[first - 1])).id
        if has_id or level <= 2:
            result[first] = level if has_id else None
    rows = own_rows(shape)
    is_row = False
    for number, line in enumerate(lines, start=1):
        if is_row and line.strip() and number not in rows:
            result.setdefault(number, None)  # text below the last row
        is_row = number in rows or (is_row and not line.strip())
    return result | dict.fromkeys(rows, 0)


def end_of_tables(lines: Sequence[str]) -> int:
    """Return the line (1-based) below the last table head, or one past the last line."""
    return max(_table_rules(lines), default=len(lines)) + 1


def _rows(shape: Shape) -> Iterator[int]:
    """Yield the rows of tables without heads; agents leave blank lines between some rows.

    The rows of an index block are none: they list the entries of the file.
    """
    index = dialects.index_block(shape.lines, shape.outline)
    hidden = shape.outline.hidden_lines().union(index)
    rules = {*_table_rules(shape.lines)}
    hidden |= rules | {number - 1 for number in rules}  # with the heads above
    for number, line in enumerate(shape.lines, start=1):
        if line[0] == "|" and number not in hidden:
            yield number


def _table_rules(lines: Sequence[str]) -> Sequence[int]:
    """Return the rows (1-based) between head and body of a table."""
    return [
        number
        for number, line in enumerate(lines, start=1)
        if line[0] == "|" and "-" in line and _RULE_MARKS.issuperset(line)
    ]


# Sections: only the text below some titles of a tool is the memory.
#
# Titles that a tool writes, of which two show it: OpenWolf, XTRM. Alone, `Learnings` shows the
# history of an agent beside its context, and `Codebase Patterns` the log of Ralph.
_TOOLS = (
    frozenset(("user preferences", "key learnings", "do not repeat", "decision log")),
    frozenset(("do not repeat", "how this project works", "active context")),
)
_LEARNINGS, _PATTERNS = frozenset(("learnings",)), frozenset(("codebase patterns",))
_CONTEXTS = frozenset(("project context", "core context"))
_KNOWN = (*_TOOLS, _LEARNINGS, _PATTERNS, _CONTEXTS)
_FIRST_WORDS = frozenset(name.split()[0] for names in _KNOWN for name in names)
# Items that a tool writes itself, which are no memory without others: `**Project:** shop`.
_SEEDS = frozenset(("project", "description", "stack", "owner", "created"))
# Characters around and between the words of such a title: `Do-Not-Repeat`, `🧩 Patterns:`.
_NO_WORDS = lazy_pattern(r"[\W_]+")
# An entry of a log: a plan step (`US-001`, `Iteration 12`).
_STEP = lazy_pattern(r"(?:iteration|session|story|task|step|phase)\W{0,2}\d", flags=re.IGNORECASE)
# A dated line that is not a list item: `[2026-03-04] …`.
_DATED_LINE = lazy_pattern(r"\[\d{4}-\d{2}")


class _Top(NamedTuple):
    """A heading at level 1 or 2; name has its plain words if it can be one of those above."""

    line: int
    level: int
    title: str
    name: str


def _tops(shape: Shape) -> tuple[Sequence[_Top], frozenset[str]]:
    """Return the headings at level 1 and 2, and the names at level 2 whose text is the memory."""
    sections = sorted((*shape.first, *shape.all_second))
    tops = [_Top(*heading, title, _plain(title)) for heading, title, _ in sections]
    second = {top.name for top in tops if top.level == 2}
    is_history = second >= _LEARNINGS and not _CONTEXTS.isdisjoint(top.name for top in tops)
    tool = next((names for names in _TOOLS if len(second & names) > 1), None)
    return tops, tool or (_LEARNINGS if is_history else _PATTERNS & second)


@lru_cache(maxsize=4096)
def _plain(title: str) -> str:
    """Return the words of a title, or nothing for one that cannot be any of those above."""
    text = title.casefold()
    return _NO_WORDS.sub(" ", text).strip() if any(map(text.__contains__, _FIRST_WORDS)) else ""


def _recognise_sections(shape: Shape) -> Dialect | None:
    """Recognise the section titles of a tool; in a log, most other headings are steps."""
    tops, memories = _tops(shape)
    others = shape.titles[2] if memories == _PATTERNS else ()
    if not memories or 2 * sum(map(_is_step, others)) < len(others) - 1:
        return None
    found = _sections_bounds(shape)
    levels = {line: level for line, level in found.items() if level is not None}
    if not levels:
        return None
    if memories in _TOOLS and all(lead_of(shape.lines[n - 1]).text in _SEEDS for n in levels):
        return Dialect(dialects.NONE, 0, "only lines that the tool itself writes")
    names = " and ".join(top.title for top in tops if top.name in memories)
    entries = counted(len(levels), "entry", "entries")
    return Dialect(dialects.SECTIONS, min(levels.values()), f"{entries}, most under {names}")


def _sections_bounds(shape: Shape) -> _Bounds:
    tops, memories = _tops(shape)
    result: dict[int, int | None] = {top.line: None for top in tops}
    ends = [*(top.line - 1 for top in tops[1:]), len(shape.lines)]
    for (line, level, title, name), last in zip(tops, ends, strict=False):
        if level == 2 and name in memories:
            result |= _entries_between(shape, line, last)
        elif level == 2 and memories == _LEARNINGS and titles.starts_with_date(title):
            result[line] = 2
    if any(level is not None for level in result.values()) or memories != _PATTERNS:
        return result
    return result | {line: 2 for line, level, title, _ in tops if level == 2 and _is_step(title)}


def _entries_between(shape: Shape, above: int, last: int) -> Iterator[tuple[int, int | None]]:
    """Yield the entries of a section: H3 if any is dated, else items or dated lines, else H3."""
    lines, outline = shape.lines, shape.outline
    third = [h.line for h in outline.headings if h.level == 3 and above < h.line <= last]
    is_dated = any(titles.has_date(titles.heading_text(lines[line - 1])) for line in third)
    hidden, inner = outline.hidden_lines(), range(above + 1, last + 1)
    dated = (n for n in inner if n not in hidden and _DATED_LINE.match(unescaped(lines[n - 1])))
    items = set() if is_dated else {*dated, *(n for n in outline.items if n in inner)}
    yield from ((line, None if items else 3) for line in third)
    below = range(max(items, default=last) + 1, last + 1)
    yield from ((n, None) for n in below if is_ruler(lines[n - 1]))
    yield from ((line, 0) for line in sorted(items))


def _is_step(title: str) -> bool:
    return bool(titles.has_date(title) or titles.marks_of(title).id or _STEP.match(title))


# Logs of a team, as Squad merges them from notes: an entry is a dated heading at level 2 or 3, or a
# note under its own H1.
#
# Titles from the template of the log; the text below them is about the log.
_TEMPLATE = frozenset(("active decisions", "governance", "archived decisions"))
# Maximum words of an H1 that is a chapter (`Squad Decisions`, `Older decisions`) and not a note.
_NOTE_CHAPTER_WORDS = 2


def _recognise_team_log(shape: Shape) -> Dialect | None:
    """Recognise the template of Squad, or notes under their own H1 next to dated headings."""
    tops = sum(heading.level == 1 for heading in shape.outline.headings)
    second = {title.casefold() for title in shape.titles[2]}
    has_template = not second.isdisjoint(_TEMPLATE)
    if tops < 2 and "active decisions" not in second:
        return None
    levels = Counter(_team_log_bounds(shape).values())
    notes, dated = levels[1], levels[2] + levels[3]
    filled = (one for one in shape.second if one.title.casefold() != "governance")
    if not notes + dated and second <= _TEMPLATE and all(map(shape.is_pending, filled)):
        return Dialect(dialects.NONE, 0, "only the template of the log")
    if not notes + dated or (not has_template and (not notes or dated < 2)):
        return None
    level = 3 if levels[3] > levels[2] else 2
    reason = f"{counted(dated, 'heading')} with a date and {counted(notes, 'note')} under an H1"
    return Dialect(dialects.TEAM_LOG, level, reason)


def _team_log_bounds(shape: Shape) -> _Bounds:
    """Return where decisions begin; a dated H3 in a note or dated H2 belongs to it."""
    result: dict[int, int | None] = {}
    current: int | None = None  # level of the entry that contains a heading
    for line, level in shape.outline.headings:
        title = titles.heading_text(shape.lines[line - 1])
        is_dated = titles.starts_with_date(title)
        if level == 1:
            is_note = bool(result) and len(titles.own_words(title)) > _NOTE_CHAPTER_WORDS
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


# Catalogues: `**P1: Read the plan first.** Then …` below headings that only group, and without a
# number in a file of nothing else.
#
# From this number on they are intended: two numbered ones may be the steps of an entry. Without a
# number two are enough, so that entries stay when others are archived.
_SEVERAL, _SEVERAL_PLAIN = 3, 2
# `**P1: Title**`, `**L-014 — Title.**`, `**3. Title**`, with words behind the number.
_PARAGRAPH_START = lazy_pattern(
    r"\*\*(?:[A-Z]{1,5}-?)?\d{1,4}[a-z]?[.:)–—-]?[ \t]+(?:[–—-][ \t]*)?[\w`\"'“‘][^*]*\*\*"
)
_NUMBER = lazy_pattern(r"\d+")
# `**Read the plan first.**`: three words, since a field (`**Root cause:**`) has fewer; or a date.
_PLAIN_START = lazy_pattern(r"\*\*(?:[^\s*]+[ \t]+){2}[^*]*\*\*|\[\d{4}-\d{2}")


def _recognise_paragraphs(shape: Shape) -> Dialect | None:
    """Recognise headings over numbered paragraphs, without headings below them."""
    sections = shape.second or shape.third
    if (shape.second and shape.third) or shape.items or shape.signs.isdisjoint("*[\\"):
        return None
    starts = {*_paragraph_starts(shape)}
    first = {*(next(shape.text_in(section), 0) for section in sections)} - {0}
    is_plain = not any(_PARAGRAPH_START.match(unescaped(shape.lines[n - 1])) for n in starts)
    several = _SEVERAL_PLAIN if is_plain else _SEVERAL
    if len(starts) < max(several, len(sections)) or 2 * len(first & starts) < len(first):
        return None
    numbers = [int(_NUMBER.findall(shape.lines[n - 1])[0]) for n in sorted(starts) if not is_plain]
    if shape.third and any(upper >= lower for upper, lower in pairwise(numbers)):
        return None  # steps of entries at level 3, which begin again below each
    paragraphs = counted(len(starts), "paragraph")
    return Dialect(dialects.PARAGRAPH, 0, f"{paragraphs} with a bold title or a date")


def _paragraphs_bounds(shape: Shape) -> _Bounds:
    result: dict[int, int | None] = {heading.line: None for heading in shape.outline.headings}
    return result | dict.fromkeys(_paragraph_starts(shape), 0)


def _paragraph_starts(shape: Shape) -> Sequence[int]:
    lines, outline = shape.lines, shape.outline
    hidden, headings = outline.hidden_lines(), {heading.line for heading in outline.headings}
    bold = {
        number: unescaped(line)
        for number, line in enumerate(lines, start=1)
        if line.startswith(("**", "[2", "\\[2")) and number not in hidden
        if number == 1 or not lines[number - 2].strip() or number - 1 in headings
    }
    numbered = [number for number, line in bold.items() if _PARAGRAPH_START.match(line)]
    is_plain = not numbered and all(heading.level == 1 for heading in outline.headings)
    return numbered or [n for n in bold if is_plain and _PLAIN_START.match(bold[n])]


class _Reader(NamedTuple):
    """How a file with a shape is recognised, and which lines begin or end its entries."""

    recognised: Callable[[Shape], Dialect | None]
    bounds: Callable[[Shape], _Bounds]


SHAPES = {
    dialects.TABLE: _Reader(_recognise_table, _table_bounds),
    dialects.SECTIONS: _Reader(_recognise_sections, _sections_bounds),
    dialects.TEAM_LOG: _Reader(_recognise_team_log, _team_log_bounds),
    dialects.PARAGRAPH: _Reader(_recognise_paragraphs, _paragraphs_bounds),
}
