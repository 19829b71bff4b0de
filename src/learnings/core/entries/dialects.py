"""The dialects of memory files, and the parts of a file that distinguish them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.titles import (
    CONVENTION,
    explains_file,
    heading_text,
    is_contents_row,
    own_words,
)
from learnings.core.markdown.line_kinds import is_ruler
from learnings.core.markdown.outline import Outline, Section
from learnings.core.patterns import lazy_pattern

if TYPE_CHECKING:
    from learnings.core.entries.place_holders import SectionText


HEADING = "heading"
TIMESTAMPED = "timestamped"
IDENTIFIED = "identified"
BULLET = "bullet"
NONE = "none"
PLAIN = (HEADING, TIMESTAMPED, IDENTIFIED, BULLET)
"""Dialects whose entries are all headings of one level, or all list items."""
TABLE = "table"
SECTIONS = "sections"
TEAM_LOG = "team-log"
PARAGRAPH = "paragraph"
SHAPES = (TABLE, SECTIONS, TEAM_LOG, PARAGRAPH)
"""The other dialects, which the module `shapes` reads."""
FOLDER = "folder"  # entries are the files of a folder: see memory_folder
UNMERGEABLE = (TABLE, PARAGRAPH)
"""Dialects without room for merged entries: an entry is one row or a numbered paragraph."""

HAS_MOVED = "the introduction says that the file has moved"
"""The reason for a file that only points elsewhere."""

# Words of the two comments around an index block (a memory index inside the learnings file that it
# lists): of the start comment,
INDEX_MARK = b"INDEX:"
INDEX_START = lazy_pattern(r"<!--\s*INDEX:START\b")
# and of the end comment.
INDEX_END = lazy_pattern(r"<!--\s*INDEX:END\b")

# A possible title of a tool's section, see shapes.
_OF_TOOL = lazy_pattern(
    r"codebase patterns|learnings\W*$|user preferences|do.not.repeat|decision log|active context",
    flags=re.IGNORECASE,
)
# Marks of a placeholder title.
_BLANKS = lazy_pattern(r"[\[<{…]|\.\.\.|yyyy|-xxx|-nnn", flags=re.IGNORECASE)
# Titles of chapters, however many words they have.
_OF_MANY = lazy_pattern(
    r"\b(?:learnings|lessons|rules|notes|gotchas|entries|log|patterns|mistakes|tips|pitfalls"
    r"|decisions|conventions|preferences|practices|principles|guidelines|facts|issues)\b",
    flags=re.IGNORECASE,
)
# First character of the scripts without spaces between words.
_WIDE = "\u2e80"
CHAPTER_WORDS = 3
"""Maximum words in a chapter title (`Testing`, `Build and CI`); an entry title has more."""


class Dialect(NamedTuple):
    """The form of the entries in a file; level is 0 without headings, reason is the evidence."""

    name: str
    level: int
    reason: str
    is_configured: bool = False


class Shape:
    """The parts of a file that decide its dialect; sections that explain the file do not count."""

    def __init__(self, lines: Sequence[str], outline: Outline) -> None:
        self.lines = lines
        self.outline = outline

    @property
    def first(self) -> Sequence[Section]:
        return self._sections(1)

    @cached_property
    def second(self) -> Sequence[Section]:
        return [section for section in self._at_two if not explains_file(section.title)]

    @cached_property
    def third(self) -> Sequence[Section]:
        return self._sections(3)

    def titles(self, level: int) -> Sequence[str]:
        return [section.title for section in (self.second if level == 2 else self.third)]

    @cached_property
    def is_flat(self) -> bool:
        return all(heading.level == 1 for heading in self.outline.headings)

    @cached_property
    def items(self) -> tuple[int, ...]:
        """The first lines (1-based) of the top-level list items."""
        lines = self.lines
        items = [line for line in self.outline.items if not is_contents_row(lines[line - 1])]
        for first, last in self._explaining if items else ():
            items = [line for line in items if not first < line <= last]
        return tuple(items)

    @cached_property
    def item_lines(self) -> Sequence[str]:
        return [self.lines[line - 1] for line in self.items]

    @cached_property
    def own_items(self) -> tuple[int, ...]:
        if not self.items:
            return ()
        from learnings.core.entries.place_holders import own_items  # noqa: PLC0415  (many files hold none)

        return own_items(self.items, self.item_lines)

    @cached_property
    def bold_items(self) -> int:
        if not self.own_items:
            return 0
        from learnings.core.entries.place_holders import lead_of  # noqa: PLC0415  (as above)

        return sum(lead_of(self.lines[line - 1]).is_bold for line in self.own_items)

    @cached_property
    def fields(self) -> int:
        """The number of H2 below an H1 that name a part of a note."""
        from learnings.core.entries.place_holders import is_field  # noqa: PLC0415  (as above)

        return sum(map(is_field, self.titles(2))) if self.first else 0

    @cached_property
    def own_third(self) -> tuple[Section, ...]:
        from learnings.core.entries.place_holders import own_headings  # noqa: PLC0415  (as above)

        above = [heading.line for heading in self.outline.headings if heading.level == 2]
        return own_headings(self.third, above)

    @property
    def has_section_of_tool(self) -> bool:
        return any(map(_OF_TOOL.search, self.titles(2)))

    @property
    def has_notes(self) -> bool:
        tops = sum(heading.level == 1 for heading in self.outline.headings)
        return tops > 1 or any(t.casefold() == "active decisions" for t in self.titles(2))

    @cached_property
    def text(self) -> SectionText:
        from learnings.core.entries.place_holders import SectionText  # noqa: PLC0415  (as above)

        return SectionText(self.lines, self.outline)

    @cached_property
    def bare(self) -> int:
        """The number of H2 without text above their first H3."""
        third = {section.heading.line for section in self.third}
        return sum(self.text.first(section) in third for section in self.second)

    def lists(self, sections: Sequence[Section]) -> int:
        return sum(map(self.text.is_list, sections))

    @cached_property
    def _at_two(self) -> Sequence[Section]:
        return self._sections(2)

    @property
    def _explaining(self) -> Sequence[tuple[int, int]]:
        """The bounds of the level 2 sections that explain the file, or end at a `---`."""
        others = [(s.heading.line, s.last) for s in self._at_two if explains_file(s.title)]
        return [
            (first, next((n for n in range(first + 1, last) if is_ruler(self.lines[n - 1])), last))
            for first, last in others
        ]

    @property
    def introduction(self) -> Sequence[str]:
        headings = (heading.line for heading in self.outline.headings if heading.level > 1)
        starts = [*islice(headings, 1), *self.outline.items[:1]]
        return self.lines[: min(starts) - 1] if starts else self.lines

    def _sections(self, level: int) -> Sequence[Section]:
        lines, headings = self.lines, self.outline.headings
        above = [heading for heading in headings if heading.level <= level]
        lasts = [*(heading.line - 1 for heading in above[1:]), len(lines)]
        return [
            Section(heading, heading_text(lines[heading.line - 1]), last)
            for heading, last in zip(above, lasts, strict=False)
            if heading.level == level
        ]


def are_chapters(titles: Sequence[str], *, words: int = CHAPTER_WORDS) -> bool:
    """Return True if most titles are short or name many things; entry titles say more."""
    return 2 * sum(is_chapter(title, words) for title in titles) > len(titles)


def is_chapter(title: str, most_words: int = CHAPTER_WORDS) -> bool:
    if title.startswith(CONVENTION):
        return False
    if _OF_MANY.search(title):
        return True
    words = own_words(title)
    wide = sum(sign >= _WIDE for word in words for sign in word)
    return len(words) + wide // 3 <= most_words


def is_of_many(title: str) -> bool:
    """Return True for the title of a file or chapter: `Lessons learned`, `Key Decisions`."""
    return is_chapter(title) and _OF_MANY.search(title) is not None


def may_be_blank(title: str) -> bool:
    """Return True if place_holders.is_blank_title() must check a title."""
    return _BLANKS.search(title) is not None
