"""Decisions of several agents in one file, merged from notes with different headings.

Squad does this: a dated heading at level 2 or 3, or a whole note under its own H1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from learnings.core.entries.dialects import TEAM_LOG, Dialect, Shape
from learnings.core.entries.titles import heading_text, own_words, starts_with_date
from learnings.core.markdown.outline import Outline
from learnings.core.text import counted

# Titles that the template of the log has: what stands there is about the log.
_TEMPLATE = frozenset(("active decisions", "governance", "archived decisions"))
# Words of an H1 that is a chapter (`Squad Decisions`, `Older decisions`) and not a note at most.
_CHAPTER_WORDS = 2


def recognise(shape: Shape) -> Dialect | None:
    """Recognise the template of Squad, or notes under their own H1 beside dated headings."""
    tops = sum(heading.level == 1 for heading in shape.outline.headings)
    has_template = any(title.casefold() in _TEMPLATE for title in shape.second_titles.values())
    if tops < 2 and not has_template:
        return None
    levels = Counter(bounds(shape.lines, shape.outline).values())
    notes, dated = levels[1], levels[2] + levels[3]
    if not has_template and (not notes or dated < 2):
        return None
    if not notes + dated:
        return None
    level = 3 if levels[3] > levels[2] else 2
    reason = f"{counted(dated, 'heading')} with a date and {counted(notes, 'note')} under an H1"
    return Dialect(TEAM_LOG, level, reason)


def bounds(lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
    """Return where decisions begin; a dated H3 in a note or below a dated H2 is part of it."""
    result: dict[int, int | None] = {}
    current: int | None = None  # the level of the entry that a heading stands in
    for line, level in outline.headings:
        title = heading_text(lines[line - 1])
        is_dated = starts_with_date(title)
        if level == 1:
            is_note = bool(result) and len(own_words(title)) > _CHAPTER_WORDS
            current = 1 if is_note or is_dated else None
        elif level == 2 and (is_dated or current != 1 or title.casefold() in _TEMPLATE):
            current = 2 if is_dated else None
        elif level == 3 and is_dated and current in (None, 3):
            current = 3
        else:
            continue
        result[line] = current
    return result
