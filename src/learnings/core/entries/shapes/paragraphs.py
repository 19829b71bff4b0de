"""Catalogues: each entry is a paragraph that begins with a number and a title in bold.

`**P1: Read the plan first.** Then …` below headings that only group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from learnings.core.entries.dialects import PARAGRAPH, Dialect, Shape
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

# From so many on they are no accident: two may well be steps that an entry numbers.
_SEVERAL = 3
# `**P1: Title**`, `**L-014 — Title.**`, `**3. Title**`, with words behind the number.
_START = lazy_pattern(
    r"\*\*(?:[A-Z]{1,5}-?)?\d{1,4}[a-z]?[.:)–—-]?[ \t]+(?:[–—-][ \t]*)?\w[^*]*\*\*"
)


def recognise(shape: Shape) -> Dialect | None:
    """Recognise headings over numbered paragraphs, without headings below them."""
    if shape.third_titles or shape.items or not any(line.startswith("**") for line in shape.lines):
        return None
    starts = list(_starts(shape.lines, shape.outline))
    first = [n for section in shape.second if (n := shape.text.first(section))]
    if len(starts) < max(_SEVERAL, len(shape.second)):
        return None
    if 2 * len({*first}.intersection(starts)) < len(first):
        return None
    return Dialect(
        PARAGRAPH, 0, f"{counted(len(starts), 'paragraph')} with a number and a bold title"
    )


def bounds(lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
    result: dict[int, int | None] = {heading.line: None for heading in outline.headings}
    return result | dict.fromkeys(_starts(lines, outline), 0)


def _starts(lines: Sequence[str], outline: Outline) -> Iterator[int]:
    hidden = outline.hidden_lines()
    headings = {heading.line for heading in outline.headings}
    for number, line in enumerate(lines, start=1):
        if number in hidden or not line.startswith("**") or not _START.match(line):
            continue
        if number == 1 or not lines[number - 2].strip() or number - 1 in headings:
            yield number
