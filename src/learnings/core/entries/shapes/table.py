"""Registers: the entries are rows of tables whose first cell is an id.

GSD keeps its decisions and its knowledge like this. Headings with an id are entries as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from learnings.core.entries.dialects import TABLE, Dialect, Shape
from learnings.core.entries.titles import ROW_ID, heading_id, heading_text
from learnings.core.markdown.outline import Outline
from learnings.core.text import counted

# What the row between the head of a table and its body is made of.
_RULE_MARKS = frozenset("|:- \t\r\n")


def recognise(shape: Shape) -> Dialect | None:
    """Recognise tables with ids, under headings that are no entries themselves."""
    if not any(map(_is_rule, shape.lines)):
        return None
    rows = list(_rows(shape.lines, shape.outline))
    with_id = [number for number in rows if ROW_ID.match(shape.lines[number - 1])]
    if not with_id or 2 * len(with_id) < len(rows) or len(shape.own_items) > len(with_id):
        return None
    sections = shape.second
    registers = sum(
        any(section.heading.line < number <= section.last for number in with_id)
        or heading_id(section.title) is not None
        or not shape.text.first(section)
        for section in sections
    )
    if 2 * registers < len(sections):
        return None
    ids = counted(len(with_id), "row")
    return Dialect(TABLE, 0, f"{ids} of a table begin{'s' if len(with_id) == 1 else ''} with an id")


def bounds(lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
    result: dict[int, int | None] = {}
    for first, level in outline.headings:
        has_id = level in (2, 3) and heading_id(heading_text(lines[first - 1])) is not None
        if has_id or level <= 2:
            result[first] = level if has_id else None
    rows = {number for number in _rows(lines, outline) if ROW_ID.match(lines[number - 1])}
    is_row = False
    for number, line in enumerate(lines, start=1):
        if is_row and line.strip() and number not in rows:
            result.setdefault(number, None)  # what stands below the last row
        is_row = number in rows or (is_row and not line.strip())
    return result | dict.fromkeys(rows, 0)


def end_of_tables(lines: Sequence[str]) -> int:
    """Return the line (1-based) below the last head of a table, or one past the last line."""
    heads = (number for number, line in enumerate(lines, start=1) if _is_rule(line))
    return max(heads, default=len(lines)) + 1


def _rows(lines: Sequence[str], outline: Outline) -> Iterator[int]:
    """Yield the rows of tables without their heads; agents leave blank lines between some."""
    hidden = outline.hidden_lines()
    for number, (line, below) in enumerate(pairwise([*lines, ""]), start=1):
        is_row = line.startswith("|") and number not in hidden
        if is_row and not _is_rule(line) and not _is_rule(below):
            yield number


def _is_rule(line: str) -> bool:
    """Return True for the row between the head and the body of a table."""
    return line.startswith("|") and "-" in line and _RULE_MARKS.issuperset(line)
