"""The dialects of memory files, and the parts of a file that distinguish them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from learnings.core.entries import place_holders, titles
from learnings.core.markdown.line_kinds import has_text, is_ruler
from learnings.core.markdown.outline import Outline, Section, lines_of
from learnings.core.patterns import lazy_pattern

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
TO_HEADINGS = "write each as a heading (##)"
"""The end of the reason for a file whose entries have a form that nobody else reads."""

# The comments around an index block: a memory index inside the learnings file that it lists.
INDEX_MARK = b"INDEX:"
INDEX_START = lazy_pattern(r"<!--\s*INDEX:START\b")
INDEX_END = lazy_pattern(r"<!--\s*INDEX:END\b")

# Titles of chapters, however many words they have.
_OF_MANY = lazy_pattern(
    r"\b(?:learnings|lessons|rules|notes|gotchas|entries|log|patterns|mistakes|tips|pitfalls"
    r"|decisions|conventions|preferences|practices|principles|guidelines|facts|issues)\b",
    flags=re.IGNORECASE,
)
# Titles that name only a time or a round: `2026-03-01`, `Week 3`, `Sprint 12 (2026-02)`.
_PERIOD = lazy_pattern(
    r"(?i)(?:day|week|month|sprint|session|iteration|round|phase|milestone|release|version|q|v)?[\W\d]*"
)
# A line above a sample of an entry: `Format:`.
_SAMPLE_LABEL = lazy_pattern(r"(?im)^\W*(?:entry |example )?(?:format|template|example)\W*:\W*$")
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
        self.titles = lru_cache(maxsize=None)(self._titles)

    @cached_property
    def signs(self) -> frozenset[str]:
        """The first characters of the lines."""
        return frozenset([line[0] for line in self.lines])

    @cached_property
    def first(self) -> Sequence[Section]:
        return self._sections(1)

    @cached_property
    def second(self) -> Sequence[Section]:
        return [section for section in self._sections(2) if not titles.explains_file(section.title)]

    @cached_property
    def third(self) -> Sequence[Section]:
        return self._sections(3)

    def _titles(self, level: int) -> Sequence[str]:
        return [section.title for section in (self.second if level == 2 else self.third)]

    @cached_property
    def is_flat(self) -> bool:
        return all(heading.level == 1 for heading in self.outline.headings)

    @cached_property
    def items(self) -> tuple[int, ...]:
        """The first lines (1-based) of the top-level list items."""
        lines = self.lines
        items = [line for line in self.outline.items if not titles.is_contents_row(lines[line - 1])]
        for first, last in self._explaining if items else ():
            items = [line for line in items if not first < line <= last]
        above = "".join(lines[max(0, items[0] - 3) : items[0] - 1]) if items else ""
        is_sample = _SAMPLE_LABEL.search(above) and not titles.has_date(lines[items[0] - 1])
        return tuple(items[1:] if is_sample else items)

    @cached_property
    def item_lines(self) -> Sequence[str]:
        return [self.lines[line - 1] for line in self.items]

    @cached_property
    def own_items(self) -> tuple[int, ...]:
        return place_holders.own_items(self.items, self.item_lines)

    @cached_property
    def bold_items(self) -> int:
        return sum(place_holders.lead_of(self.lines[line - 1]).is_bold for line in self.own_items)

    @cached_property
    def fields(self) -> int:
        """The number of H2 below an H1 that name a part of a note."""
        return sum(map(place_holders.is_field, self.titles(2))) if self.first else 0

    @cached_property
    def own_third(self) -> tuple[Section, ...]:
        above = [heading.line for heading in self.outline.headings if heading.level == 2]
        return place_holders.own_headings(self.third, above)

    @cached_property
    def _comments(self) -> set[int]:
        return lines_of(self.outline.comments)

    def text_in(self, section: Section) -> Iterator[int]:
        """Yield the lines of a section with text, including sub-sections."""
        for number in range(section.heading.line + 1, section.last + 1):
            if number not in self._comments and has_text(self.lines[number - 1]):
                yield number

    def is_pending(self, section: Section) -> bool:
        return place_holders.is_pending(section, self.lines, self.text_in(section))

    @cached_property
    def _item_and_fence_lines(self) -> tuple[set[int], set[int]]:
        return {*self.outline.items}, lines_of(self.outline.fences)

    def is_list(self, section: Section) -> bool:
        """Return True if a section has only list items, perhaps below an introduction."""
        items, fences = self._item_and_fence_lines
        is_in_list = False
        for number in self.text_in(section):
            if number in items:
                is_in_list = True
            elif is_in_list:
                # A line continues the item above it if it is indented, lazy, or code.
                line, above = self.lines[number - 1], self.lines[number - 2]
                is_lazy = line[0] != "#" and above.strip()
                if not (line[0] in " \t" or is_lazy or number in fences):
                    return False
        return is_in_list

    @cached_property
    def bare(self) -> int:
        """The number of H2 without text above their first H3."""
        third = {section.heading.line for section in self.third}
        return sum(next(self.text_in(section), 0) in third for section in self.second)

    @property
    def _explaining(self) -> Sequence[tuple[int, int]]:
        """The bounds of the level 2 sections that explain the file, or end at a `---`."""
        found = [s for s in self._sections(2) if titles.explains_file(s.title)]
        inner = [range(s.heading.line + 1, s.last) for s in found]
        ends = [next((n for n in one if is_ruler(self.lines[n - 1])), one.stop) for one in inner]
        return [(one.start - 1, end) for one, end in zip(inner, ends, strict=True)]

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
            Section(heading, titles.heading_text(lines[heading.line - 1]), last)
            for heading, last in zip(above, lasts, strict=False)
            if heading.level == level
        ]


def index_block(lines: Sequence[str], outline: Outline, below: int = 0) -> range:
    """Return the lines of the first index block below a line, empty if it does not end."""
    comments = [block for block in outline.comments if block.first > below]
    starts = (b.first for b in comments if INDEX_START.match(lines[b.first - 1].lstrip()))
    start = next(starts, len(lines) + 1)
    texts = ((b.last, lines[b.first - 1 : b.last]) for b in comments if b.first >= start)
    ends = (last for last, text in texts if any(map(INDEX_END.search, text)))
    return range(start, next(ends, start - 1) + 1)


def are_chapters(titles: Sequence[str], *, words: int = CHAPTER_WORDS) -> bool:
    """Return True if most titles are short or name many things; entry titles say more."""
    return 2 * sum(is_chapter(title, words) for title in titles) > len(titles)


@lru_cache(maxsize=1 << 14)  # the versions of a file share most titles
def is_chapter(title: str, most_words: int = CHAPTER_WORDS) -> bool:
    if title.startswith(titles.CONVENTION):
        return False
    if _OF_MANY.search(title):
        return True
    words = titles.own_words(title)
    wide = sum(sign >= _WIDE for word in words for sign in word)
    return len(words) + wide // 3 <= most_words


def are_periods(names: Sequence[str]) -> bool:
    """Return True if most titles name only a time, so they have no lesson of their own."""
    found = sum(_PERIOD.fullmatch(" ".join(titles.own_words(name))) is not None for name in names)
    return 2 * found > len(names)


def is_of_many(title: str) -> bool:
    """Return True for the title of a file or chapter: `Lessons learned`, `Key Decisions`."""
    return is_chapter(title) and _OF_MANY.search(title) is not None
