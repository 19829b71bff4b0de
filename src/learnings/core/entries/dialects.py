"""The dialects of memory files, and the parts of a file that distinguish them."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import NamedTuple

from learnings.core.entries import place_holders, titles
from learnings.core.markdown.line_kinds import has_text, is_ruler
from learnings.core.markdown.outline import Outline, Section, lines_of, section_ends
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
    """The parts of a file that decide its dialect; sections that explain the file do not count.

    first, second and third are the sections at levels 1 to 3, titles the titles of the last two.
    """

    def __init__(self, lines: Sequence[str], outline: Outline) -> None:
        self.lines = lines
        self.outline = outline
        self.signs = frozenset([line[0] for line in lines])
        """The first characters of the lines."""
        headings = [heading for heading in outline.headings if heading.level <= 3]
        ends = section_ends(headings, len(lines))
        sections = [
            Section(heading, titles.heading_text(lines[heading.line - 1]), end)
            for heading, end in zip(headings, ends, strict=True)
        ]
        self.first, self.all_second, self.third = (
            [section for section in sections if section.heading.level == level]
            for level in (1, 2, 3)
        )
        self.second = [one for one in self.all_second if not titles.explains_file(one.title)]
        names = ([section.title for section in found] for found in (self.second, self.third))
        self.titles: Mapping[int, Sequence[str]] = dict(zip((2, 3), names, strict=True))
        self.is_flat = all(heading.level == 1 for heading in outline.headings)
        self._comments = lines_of(outline.comments)

    @cached_property
    def items(self) -> Mapping[int, str]:
        """The first lines of the top-level list items by their numbers (1-based)."""
        lines = self.lines
        found = [n for n in self.outline.items if not titles.is_contents_row(lines[n - 1])]
        for section in {*self.all_second}.difference(self.second) if found else ():
            # What explains the file may end at a `---`.
            inner = range(section.heading.line + 1, section.last)
            end = next((n for n in inner if is_ruler(lines[n - 1])), inner.stop)
            found = [n for n in found if not section.heading.line < n <= end]
        above = "".join(lines[max(0, found[0] - 3) : found[0] - 1]) if found else ""
        is_sample = _SAMPLE_LABEL.search(above) and not titles.has_date(lines[found[0] - 1])
        return {n: lines[n - 1] for n in (found[1:] if is_sample else found)}

    @cached_property
    def own_items(self) -> tuple[int, ...]:
        """The items whose lead is no field of a form."""
        leads = {n: place_holders.lead_of(line).text for n, line in self.items.items()}
        counts = Counter(leads.values())
        fields = place_holders.FIELDS
        return tuple(
            n for n, lead in leads.items() if not lead or (counts[lead] < 2 and lead not in fields)
        )

    @cached_property
    def bold_items(self) -> int:
        return sum(place_holders.lead_of(self.items[line]).is_bold for line in self.own_items)

    def dated_items(self) -> int:
        """Count the list items with a date, without the fields of a form."""
        dated = {n for n, line in self.items.items() if titles.is_dated_item(line)}
        return len(dated.intersection(self.own_items)) if dated else 0

    def dated_headings(self, level: int) -> int:
        return sum(map(titles.is_dated_title, self.titles[level]))

    @cached_property
    def fields(self) -> int:
        """The number of H2 below an H1 that name a part of a note."""
        return sum(map(place_holders.is_field, self.titles[2])) if self.first else 0

    def own_headings(self, level: int) -> Sequence[Section]:
        """Return the sections that are no fields: of a note, or recurring under other headings."""
        sections = self.second if level == 2 else self.third
        above = [one.line for one in self.outline.headings if one.level == level - 1]
        parents: defaultdict[str, set[int]] = defaultdict(set)
        beginnings: defaultdict[str, list[int]] = defaultdict(list)
        for section in sections:
            parent = bisect(above, section.heading.line)
            parents[section.title.casefold()].add(parent)
            beginnings[place_holders.beginning(section.title)].append(parent)
        total = len(set().union(*parents.values()))
        # A form has each field once; several entries of a chapter may all begin with `Rule: …`.
        form = {
            name
            for name, alike in beginnings.items()
            if name and len(alike) == len({*alike}) > 1 and 2 * len(alike) > total
        }

        def is_field(section: Section) -> bool:
            title = section.title
            count = len(parents[title.casefold()])
            is_everywhere = count > 2 and 2 * count >= total
            is_short = len(title.split()) <= place_holders.FIELD_WORDS
            recurs = count > 1 and (is_short or is_everywhere)
            is_below = bisect(above, section.heading.line) > 0
            is_named = is_below and place_holders.is_field(title)
            return recurs or is_named or place_holders.beginning(title) in form

        return [section for section in sections if not is_field(section)]

    def text_in(self, section: Section) -> Iterator[int]:
        """Yield the lines of a section with text, including sub-sections."""
        for number in range(section.heading.line + 1, section.last + 1):
            if number not in self._comments and has_text(self.lines[number - 1]):
                yield number

    def is_pending(self, section: Section) -> bool:
        """Return True for a section of placeholders, rows or comments, without a date or an id."""
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
    def introduction(self) -> Sequence[str]:
        headings = (heading.line for heading in self.outline.headings if heading.level > 1)
        starts = [*islice(headings, 1), *self.outline.items[:1]]
        return self.lines[: min(starts) - 1] if starts else self.lines


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
