"""Which of the shapes that real memory files have a file has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.entries.titles import (
    heading_id,
    heading_stamp,
    heading_text,
    is_dated_item,
    is_timestamp_like,
)
from learnings.core.markdown.outline import Heading, Outline

HEADING = "heading"
TIMESTAMPED = "timestamped"
IDENTIFIED = "identified"
BULLET = "bullet"
NONE = "none"

# The number at the end of an id, perhaps with a letter: what changes within a series of ids.
_LAST_NUMBER = re.compile(r"[\d-]+[A-Za-z]?$")


class Dialect(NamedTuple):
    """The shape of a file's entries.

    name is one of the constants above; level is that of the entry headings, 0 where entries are
    list items or there are none; reason says in words what decided it.
    """

    name: str
    level: int
    reason: str


class _Counts(NamedTuple):
    """What the decision rests on: headings by level, first lines of top-level list items.

    Headings come with their texts. flat is True where none is below level 1.
    """

    second: tuple[tuple[Heading, str], ...]
    third: tuple[tuple[Heading, str], ...]
    items: tuple[str, ...]
    flat: bool


def detect(lines: Sequence[str], outline: Outline) -> Dialect:
    """Return the dialect of a file; the first rule that holds decides.

    Two or more, or half, of the level 2 headings start with a time stamp; the same with ids at
    level 2 or 3; half of the top-level list items begin or end with a date, or nothing but list
    items could be an entry; two or more level 3 headings under level 2 headings that mostly have
    no text of their own; any level 2 heading; else there is no dialect.
    """
    counts = _count(lines, outline)
    return (
        _timestamped(counts)
        or _identified(counts)
        or _bullet(counts)
        or _categories(lines, counts)
        or _plain_headings(counts)
        or Dialect(NONE, 0, _nothing(counts))
    )


def configured(
    name: str, entry_level: int | None, lines: Sequence[str], outline: Outline
) -> Dialect:
    """Return the dialect that a configuration names; what it leaves open is detected.

    Raises nothing: name and entry level are used as they are.
    """
    if name == "auto":
        dialect = detect(lines, outline)
        if entry_level is None or dialect.level == 0:
            return dialect
        return Dialect(dialect.name, entry_level, f"{dialect.reason}; entry-level is configured")
    if name == BULLET:
        return Dialect(BULLET, 0, "configured")
    if entry_level is not None:
        return Dialect(name, entry_level, "configured")
    counts = _count(lines, outline)
    detected = {HEADING: _categories(lines, counts), IDENTIFIED: _identified(counts)}.get(name)
    return Dialect(name, detected.level if detected else 2, "configured")


def _count(lines: Sequence[str], outline: Outline) -> _Counts:
    def headings_at(level: int) -> tuple[tuple[Heading, str], ...]:
        return tuple(
            (heading, heading_text(lines[heading.line - 1]))
            for heading in outline.headings
            if heading.level == level
        )

    return _Counts(
        second=headings_at(2),
        third=headings_at(3),
        items=tuple(lines[item.line - 1] for item in outline.items),
        flat=all(heading.level == 1 for heading in outline.headings),
    )


def _timestamped(counts: _Counts) -> Dialect | None:
    stamped = sum(1 for _, text in counts.second if is_timestamp_like(heading_stamp(text) or ""))
    if _enough(stamped, len(counts.second)):
        return Dialect(TIMESTAMPED, 2, f"{stamped} of {len(counts.second)} H2 have a time stamp")
    return None


def _identified(counts: _Counts) -> Dialect | None:
    for level, headings in ((2, counts.second), (3, counts.third)):
        ids = filter(None, (heading_id(text) for _, text in headings))
        series = Counter(_LAST_NUMBER.sub("", entry_id) for entry_id in ids)
        with_id = sum(count for count in series.values() if _enough(count, len(headings)))
        if _enough(with_id, len(headings)):
            return Dialect(IDENTIFIED, level, f"{with_id} of {len(headings)} H{level} have an id")
    return None


def _bullet(counts: _Counts) -> Dialect | None:
    total = len(counts.items)
    dated = sum(map(is_dated_item, counts.items))
    if dated and 2 * dated >= total:
        return Dialect(BULLET, 0, f"{dated} of {total} top-level list items have a date")
    if total and counts.flat:
        return Dialect(BULLET, 0, f"{total} top-level list items, no heading below level 1")
    return None


def _categories(lines: Sequence[str], counts: _Counts) -> Dialect | None:
    if len(counts.third) < 2:
        return None
    bare = _bare_categories(lines, counts)
    if counts.second and 2 * bare <= len(counts.second):
        return None
    return Dialect(
        HEADING, 3, f"{bare} of {len(counts.second)} H2 only group the {len(counts.third)} H3"
    )


def _plain_headings(counts: _Counts) -> Dialect | None:
    if not counts.second:
        return None
    return Dialect(HEADING, 2, f"{len(counts.second)} H2")


def _nothing(counts: _Counts) -> str:
    headings = "no heading at level 2, fewer than two at level 3"
    if not counts.items:
        return f"{headings}, no list item"
    return f"{headings}, fewer than half of the list items with a date"


def _bare_categories(lines: Sequence[str], counts: _Counts) -> int:
    """Count the H2 with nothing but blank lines and rulers between them and an H3."""
    third = {heading.line for heading, _ in counts.third}
    return sum(1 for heading, _ in counts.second if _next_text(lines, heading.line) in third)


def _next_text(lines: Sequence[str], line: int) -> int:
    """Return the next line below the given one that is neither blank nor a ruler, else 0."""
    for number in range(line + 1, len(lines) + 1):
        if lines[number - 1].strip().strip("-"):
            return number
    return 0


def _enough(count: int, total: int) -> bool:
    """Return True for two or more, and for half or more of the total."""
    return count >= 2 or (count > 0 and 2 * count >= total)
