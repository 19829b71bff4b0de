"""Entries that say nothing: placeholders of a template, and headings without text."""

from __future__ import annotations

from learnings.core.entries.document import Entry
from learnings.core.entries.place_holders import is_blank_heading, is_place_holder

# Words of a one-line placeholder, as in `- [YYYY-MM-DD] **Short title**: what was learned`.
_MOST_BLANK_WORDS = 10


def says_nothing(entry: Entry) -> bool:
    """Return True for a template's placeholder, which says nothing.

    The body decides: a request for text, such as `[what happened]`, says nothing, and neither does
    a template's heading.
    """
    heading, *lines = (line for line in entry.lines if line.strip())
    is_blank = is_place_holder(heading) or is_place_holder(f"# {entry.heading}")
    is_blank = is_blank or (bool(lines) and is_blank_heading(entry.title))
    if not lines:  # a list item may name a form: `the URL is /<YYYY-MM-DD>/<N>`
        return is_blank and len(heading.split()) <= _MOST_BLANK_WORDS
    return is_blank and all(map(is_place_holder, lines))


def is_without_text(entry: Entry) -> bool:
    """Return True for a placeholder, and for a heading with nothing below it."""
    has_body = bool(entry.path or not entry.level) or any(map(str.strip, entry.lines[1:]))
    return not has_body or says_nothing(entry)
