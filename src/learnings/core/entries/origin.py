"""How a merged entry says of how many entries it was made, and from when they were.

It is a line of its own, or in a list item of one line a note at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.entries.titles import CONSOLIDATED
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

_DATES = r"(?P<first>\d{4}-\d{2}-\d{2})(?: to (?P<last>\d{4}-\d{2}-\d{2}))?"
# `**Consolidated from**: 2 entries (2026-01-02 to 2026-02-03)`; the number and the dates may be
# missing, or have other words around them.
_LINE = lazy_pattern(
    r"^[ \t>*+-]*(?P<own>\*\*Consolidated from\b\**:?(?: (?P<count>\d{1,6}) entr(?:y|ies))?"
    rf"[^\n(]*(?:\({_DATES}\)?)?)",
    re.MULTILINE | re.IGNORECASE,
)
# `… (consolidated from 2, 2026-01-02 to 2026-02-03)`
_NOTE = lazy_pattern(rf"(?P<own>\(consolidated from (?P<count>\d{{1,6}})(?:, {_DATES})?\))\s*\Z")


class Origin(NamedTuple):
    """The text that names the origin, the number of entries or 0, and their dates (ISO) or none."""

    own: str
    number: int
    dates: tuple[str, ...]


def origin_in(text: str) -> Origin | None:
    """Return the origin that the text of an entry names, or None."""
    match = _LINE.search(text) or _NOTE.search(text)
    if match is None:
        return None
    dates = tuple(date for date in (match["first"], match["last"]) if date)
    return Origin(match["own"].rstrip(), int(match["count"] or 0), dates)


def is_consolidated(entry: Entry) -> bool:
    """Return True if an entry is itself the product of a consolidation."""
    return CONSOLIDATED in entry.title.casefold() or origin_in(entry.text) is not None


def is_origin_line(line: str) -> bool:
    return _LINE.match(line) is not None


def origin_line(count: int, dates: Sequence[str]) -> str:
    """Return the line with the origin; dates are in order, ISO text."""
    span = f" ({_span(dates)})" if dates else ""
    return f"**Consolidated from**: {counted(count, 'entry', 'entries')}{span}"


def origin_note(count: int, dates: Sequence[str]) -> str:
    """Return the note with the origin, for the end of a line."""
    return f"(consolidated from {count}{', ' if dates else ''}{_span(dates)})"


def _span(dates: Sequence[str]) -> str:
    return " to ".join(dict.fromkeys((dates[0], dates[-1]))) if dates else ""
