"""Files in which only the text of some sections is the memory.

Titles of tools show them: `Codebase Patterns` above the log of Ralph, `Learnings` beside the
`Project Context` of an agent, the four sections of OpenWolf.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence

from learnings.core.entries.dialects import SECTIONS, Dialect, Shape
from learnings.core.entries.titles import has_date, heading_id, heading_text, starts_with_date
from learnings.core.markdown.line_kinds import is_ruler
from learnings.core.markdown.outline import Heading, Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

_PATTERNS = "codebase patterns"
_LEARNINGS = "learnings"
# What says that a section `Learnings` stands among others which are no entries.
_CONTEXTS = frozenset(("project context", "core context"))
_WOLF = frozenset(("user preferences", "key learnings", "do not repeat", "decision log"))
# What stands around the words of such a title, and between them: `Do-Not-Repeat`, `🧩 Patterns:`.
_NO_WORDS = lazy_pattern(r"[\W_]+")
# An entry of a log: a step of a plan (`US-001`, `Iteration 12`).
_STEP = lazy_pattern(r"(?:iteration|session|story|task|step|phase)\W{0,2}\d", flags=re.IGNORECASE)
# A dated line that is no list item: `[2026-03-04] …`.
_DATED_LINE = lazy_pattern(r"\[\d{4}-\d{2}")


class _Titles:
    """The sections at level 1 and 2, and which of them are memories."""

    def __init__(self, lines: Sequence[str], outline: Outline) -> None:
        self.lines = lines
        self.outline = outline
        self.tops = [heading for heading in outline.headings if heading.level <= 2]
        self.names = [self._name(heading) for heading in self.tops]
        second = {n for n, h in zip(self.names, self.tops, strict=True) if h.level == 2}
        self.is_wolf = len(second & _WOLF) > 1
        self.is_history = _LEARNINGS in second and not _CONTEXTS.isdisjoint(self.names)
        self.is_log = _PATTERNS in second

    def _name(self, heading: Heading) -> str:
        return _NO_WORDS.sub(" ", heading_text(self.lines[heading.line - 1])).strip().casefold()

    @property
    def memories(self) -> frozenset[str]:
        if self.is_wolf:
            return _WOLF
        return frozenset([_LEARNINGS] if self.is_history else [_PATTERNS] if self.is_log else [])


def recognise(shape: Shape) -> Dialect | None:
    """Recognise the titles of a tool; in a log, most other headings are steps."""
    titles = _Titles(shape.lines, shape.outline)
    if not titles.memories:
        return None
    if not (titles.is_wolf or titles.is_history):
        others = [section.title for section in shape.second]
        steps = sum(map(_is_step, others))
        if 2 * steps < len(others) - 1:
            return None
    found = bounds(shape.lines, shape.outline)
    levels = [level for level in found.values() if level is not None]
    if not levels:
        return None
    names = " and ".join(
        heading_text(shape.lines[h.line - 1])
        for h, name in zip(titles.tops, titles.names, strict=True)
        if name in titles.memories
    )
    level = min(levels)
    return Dialect(
        SECTIONS, level, f"{counted(len(levels), 'entry', 'entries')}, most under {names}"
    )


def bounds(lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
    titles = _Titles(lines, outline)
    result: dict[int, int | None] = {heading.line: None for heading in titles.tops}
    ends = [*(heading.line - 1 for heading in titles.tops[1:]), len(lines)]
    for heading, name, last in zip(titles.tops, titles.names, ends, strict=False):
        if heading.level == 2 and name in titles.memories:
            result |= _entries_between(lines, outline, heading.line, last)
        elif titles.is_history and heading.level == 2 and _is_dated(lines[heading.line - 1]):
            result[heading.line] = 2
    if any(level is not None for level in result.values()) or not titles.is_log:
        return result
    second = ((h, heading_text(lines[h.line - 1])) for h in titles.tops if h.level == 2)
    return result | {heading.line: 2 for heading, title in second if _is_step(title)}


def _entries_between(
    lines: Sequence[str], outline: Outline, above: int, last: int
) -> Iterator[tuple[int, int | None]]:
    """Yield the entries of a section: H3 if any is dated, else items (or dated lines), else H3."""
    third = [h.line for h in outline.headings if h.level == 3 and above < h.line <= last]
    dated = [line for line in third if has_date(heading_text(lines[line - 1]))]
    if dated:
        yield from ((line, 3) for line in third)
        return
    first, end = (bisect(outline.items, (line,)) for line in (above, last + 1))
    items = {item.line for item in outline.items[first:end]}
    hidden = outline.hidden_lines()
    items.update(
        number
        for number in range(above + 1, last + 1)
        if number not in hidden and _DATED_LINE.match(lines[number - 1])
    )
    yield from ((line, None if items else 3) for line in third)
    below = range(max(items, default=last) + 1, last + 1)
    yield from ((n, None) for n in below if is_ruler(lines[n - 1]))
    yield from ((line, 0) for line in sorted(items))


def _is_dated(line: str) -> bool:
    return starts_with_date(heading_text(line))


def _is_step(title: str) -> bool:
    return has_date(title) or heading_id(title) is not None or _STEP.match(title) is not None
