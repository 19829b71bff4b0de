"""The text of an entry with its headings at other levels."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import outline_of
from learnings.core.text import chomp

_LEVELS = 6  # of headings in Markdown


def deeper(lines: Sequence[str], by: int) -> tuple[str, ...]:
    """Return the lines of an entry with its headings deeper by some levels, less deep below 0.

    Lines have their terminators. A heading stays between the levels 1 and 6.
    """
    changed = list(lines)
    for heading in outline_of(lines).headings if by else ():
        marks = "#" * max(1, min(_LEVELS, heading.level + by))
        line = lines[heading.line - 1]
        changed[heading.line - 1] = f"{marks} {heading_text(line)}{line[len(chomp(line)) :]}"
    return tuple(changed)
