"""Which of the shapes that real memory files have a file has.

What carries dates or ids wins over shape. The rules are tried in order, and the first that holds
decides. They come from 69 real files, and were tried on 37 others and some 430 older versions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.titles import (
    CONVENTION,
    explains_file,
    has_time_stamp,
    heading_id,
    heading_stamp,
    heading_text,
    is_contents_row,
    is_dated_item,
    is_dated_title,
    own_words,
)
from learnings.core.markdown.outline import Outline, Section
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

if TYPE_CHECKING:
    from learnings.core.entries.section_text import SectionText


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
"""The others, each of which is a module of its own below `shapes`."""
UNMERGEABLE = (TABLE, PARAGRAPH)
"""Dialects whose entries are too short of room to be merged: one row, or a numbered paragraph."""

HAS_MOVED = "the introduction says that the file has moved"
"""The reason of a file that only points elsewhere."""

# The number at the end of an id, perhaps with a letter: what changes within a series of ids.
_LAST_NUMBER = lazy_pattern(r"(?<![\d-])[\d-]+[A-Za-z]?$")
# What a place holder, or a row of a table, may begin with.
_MAY_BE_PENDING = lazy_pattern(
    r"[ \t#>*+-]*(?:[_*(\[<{|…]|\.\.\.|\d+[.)]|(?:no|none|nothing|empty|to be|n/a|tbd|todo|yyyy)\b"
    r"|[^|:]{1,30}[:|])|\s*[-*+]\s*$",
    flags=re.IGNORECASE,
)
# A title that may be that of a section of shapes.sections.
_OF_TOOL = lazy_pattern(
    r"codebase patterns|learnings\W*$|user preferences|do.not.repeat|decision log",
    flags=re.IGNORECASE,
)
# What is in each title that waits for a real one, in lower case.
_BLANKS = ("[", "<", "{", "…", "...", "yyyy", "-xxx", "-nnn")
# Headings at level 1 from which on they may be entries: a file with a title has one.
_SEVERAL_TOPS = 3
CHAPTER_WORDS = 3
"""Words of the title of a chapter (`Testing`, `Build and CI`) at most; an entry says more."""
# Lines of a file that only points elsewhere at most. Chosen: a list of new places fits into it.
_LONGEST_STUB = 80


class Dialect(NamedTuple):
    """The shape of a file's entries.

    name is one of the constants above; level is that of the entry headings, 0 where entries are
    list items or there are none; reason says in words what decided it. is_configured says that
    the settings did, wholly or in part.
    """

    name: str
    level: int
    reason: str
    is_configured: bool = False


class Shape:
    """The parts of a file that the decision rests on, each computed when it is first asked for.

    Every version of a history is looked at, and the first few parts tell most. Sections that tell
    how the file is used count nowhere, nor do rows of a table of contents.
    """

    def __init__(self, lines: Sequence[str], outline: Outline) -> None:
        self.lines = lines
        self.outline = outline

    @property
    def first(self) -> Sequence[Section]:
        """The sections at level 1."""
        return self._sections(1)

    @cached_property
    def second(self) -> Sequence[Section]:
        """The sections at level 2."""
        return [s for s in self._sections(2) if s.heading.line in self.second_titles]

    @cached_property
    def second_titles(self) -> Mapping[int, str]:
        """Their titles, by the numbers of their lines."""
        titles = self._titles_at_two.items()
        return {line: title for line, title in titles if not explains_file(title)}

    @cached_property
    def third(self) -> Sequence[Section]:
        """The sections at level 3."""
        return self._sections(3)

    @cached_property
    def third_titles(self) -> Mapping[int, str]:
        """Their titles, by the numbers of their lines."""
        return self._titles(3)

    def titles(self, level: int) -> Collection[str]:
        """Return the titles of the sections at level 2 or 3."""
        return (self.second_titles if level == 2 else self.third_titles).values()

    @cached_property
    def is_flat(self) -> bool:
        """True if no heading is below level 1."""
        return all(heading.level == 1 for heading in self.outline.headings)

    @cached_property
    def items(self) -> tuple[int, ...]:
        """The first lines of the top-level list items, 1-based."""
        lines = self.lines
        items = [item.line for item in self.outline.items]
        items = [line for line in items if not is_contents_row(lines[line - 1])]
        for first, last in self._explaining if items else ():
            items = [line for line in items if not first < line <= last]
        return tuple(items)

    @cached_property
    def item_lines(self) -> Sequence[str]:
        """The text of these lines."""
        return [self.lines[line - 1] for line in self.items]

    @cached_property
    def own_items(self) -> tuple[int, ...]:
        """Those of them that are not fields of a form."""
        if not self.items:
            return ()
        from learnings.core.entries.section_text import own_items  # noqa: PLC0415  (many files hold none)

        return own_items(self.items, self.item_lines)

    @cached_property
    def bold_items(self) -> int:
        """The number of the latter that begin with bold text."""
        if not self.own_items:
            return 0
        from learnings.core.entries.section_text import lead_of  # noqa: PLC0415  (as above)

        return sum(lead_of(self.lines[line - 1]).is_bold for line in self.own_items)

    @property
    def most_bold(self) -> int:
        """The number of all items with bold text somewhere, which is counted faster.

        Without this first look a check of 10,000 lines takes 6 % longer.
        """
        return sum("**" in line or "__" in line for line in self.item_lines)

    @cached_property
    def own_third(self) -> tuple[Section, ...]:
        """The sections at level 3 that are not fields of a form, nor explain the file."""
        from learnings.core.entries.section_text import own_headings  # noqa: PLC0415  (as above)

        above = [heading.line for heading in self.outline.headings if heading.level == 2]
        return own_headings(self.third, above)

    @property
    def has_section_of_tool(self) -> bool:
        """True if a title may be that of a section that shapes.sections knows."""
        return any(_OF_TOOL.search(title) for title in self.second_titles.values())

    @property
    def has_notes(self) -> bool:
        """True if headings may be decisions that shapes.team_log knows."""
        tops = sum(heading.level == 1 for heading in self.outline.headings)
        return tops > 1 or any(t.casefold() == "active decisions" for t in self.titles(2))

    @cached_property
    def text(self) -> SectionText:
        """What the sections say."""
        from learnings.core.entries.section_text import SectionText  # noqa: PLC0415  (as above)

        return SectionText(self.lines, self.outline)

    @cached_property
    def bare(self) -> int:
        """The number of H2 with no text between them and an H3."""
        third = {section.heading.line for section in self.third}
        return sum(self.text.first(section) in third for section in self.second)

    def lists(self, sections: Sequence[Section]) -> int:
        """Count the sections that hold only list items, perhaps below an introduction."""
        return sum(map(self.text.is_list, sections))

    @cached_property
    def _titles_at_two(self) -> Mapping[int, str]:
        return self._titles(2)

    @property
    def _explaining(self) -> Sequence[tuple[int, int]]:
        """The first and last lines of the sections at level 2 that tell how the file is used.

        A `---` ends them: what stands below it are entries.
        """
        if len(self.second_titles) == len(self._titles_at_two):
            return ()
        sections = ((section.heading.line, section.last) for section in self._sections(2))
        others = (bounds for bounds in sections if bounds[0] not in self.second_titles)
        return [
            (first, next((n for n in range(first + 1, last) if self._is_ruler(n)), last))
            for first, last in others
        ]

    def _is_ruler(self, number: int) -> bool:
        line = self.lines[number - 1].strip()
        return len(line) > 2 and not line.strip("-")

    def _titles(self, level: int) -> Mapping[int, str]:
        headings, lines = self.outline.headings, self.lines
        return {h.line: heading_text(lines[h.line - 1]) for h in headings if h.level == level}

    @property
    def introduction(self) -> Sequence[str]:
        """The lines above the first heading below level 1 and the first list item."""
        headings = (heading.line for heading in self.outline.headings if heading.level > 1)
        starts = [*islice(headings, 1), *(item.line for item in self.outline.items[:1])]
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


def detect(lines: Sequence[str], outline: Outline) -> Dialect:
    """Return the dialect of a file: that of the first rule that holds."""
    return _detected(Shape(lines, outline))


def configured(
    name: str, entry_level: int | None, lines: Sequence[str], outline: Outline
) -> Dialect:
    """Return the dialect that a configuration names; what it leaves open is detected.

    With an entry level the entries are headings. Raises nothing: name and entry level are used as
    they are.
    """
    if name == "auto":
        dialect = detect(lines, outline)
        if entry_level is None or dialect.name == NONE:
            return dialect
        detected = HEADING if dialect.name == BULLET else dialect.name
        reason = f"{dialect.reason}; entry-level is configured"
        return Dialect(detected, entry_level, reason, is_configured=True)
    if name in SHAPES:
        found = _of_shape(name, Shape(lines, outline))
        return Dialect(name, found.level if found else 0, "configured", is_configured=True)
    level = 0 if name == BULLET else entry_level or _likely_level(name, Shape(lines, outline))
    return Dialect(name, level, "configured", is_configured=True)


def _likely_level(name: str, shape: Shape) -> int:
    dialect = None
    if name == HEADING:
        dialect = _dated_headings(shape) or _categories(shape)
    elif name == IDENTIFIED:
        dialect = _identified(shape)
    return dialect.level if dialect else 2


def _detected(shape: Shape) -> Dialect:
    return (
        _mixed(shape)
        or _nothing_yet(shape)
        or _timestamped(shape)
        or _identified(shape)
        or _dated(shape)
        or _flat_list(shape)
        or _top_headings(shape)
        or _listed(shape)
        or _categories(shape)
        or _paragraphs(shape)
        or _plain_headings(shape)
        or Dialect(NONE, 0, _nothing(shape))
    )


def _mixed(shape: Shape) -> Dialect | None:
    """Recognise the shapes that hold entries beside other text, by what only they have."""
    return (
        (_of_shape(TABLE, shape) if any(line[0] == "|" for line in shape.lines) else None)
        or (_of_shape(SECTIONS, shape) if shape.has_section_of_tool else None)
        or (_of_shape(TEAM_LOG, shape) if shape.has_notes else None)
    )


def _paragraphs(shape: Shape) -> Dialect | None:
    is_bold = any(line.startswith("**") for line in shape.lines)
    return _of_shape(PARAGRAPH, shape) if is_bold else None


def _of_shape(name: str, shape: Shape) -> Dialect | None:
    from learnings.core.entries.shapes.entry_shape import recognised  # noqa: PLC0415  (few files have one)

    return recognised(name, shape)


def _nothing_yet(shape: Shape) -> Dialect | None:
    """Recognise a template, a file of tables, and what is left of a file that has moved."""
    introduction = shape.introduction if len(shape.lines) <= _LONGEST_STUB else ()
    if not introduction and not _may_be_pending(shape):
        return None
    from learnings.core.entries import place_holders  # noqa: PLC0415  (few long files hold any)

    if introduction and place_holders.says_moved(introduction, shape.lines[len(introduction) :]):
        return Dialect(NONE, 0, HAS_MOVED)
    total = len(shape.second_titles)
    pending = place_holders.count_pending(shape.lines, shape.text, shape.second)
    if 2 * pending > total:
        return Dialect(NONE, 0, f"{pending} of {total} H2 hold only place holders or table rows")
    items = shape.item_lines
    if shape.is_flat and items and all(map(place_holders.is_place_holder, items)):
        return Dialect(NONE, 0, "all list items are place holders")
    return None


def _may_be_pending(shape: Shape) -> bool:
    """Return True if most H2, or else the items, may be place holders.

    Without this first look a check of 10,000 lines takes 12 % longer.
    """
    titles = shape.second_titles
    if not titles:
        return shape.is_flat and all(map(_line_may_be_pending, shape.item_lines))
    most = (len(titles) + 1) // 2  # as many that surely are not leave no majority
    lines = shape.lines
    busy = (
        n for n, title in titles.items() if not _title_may_be_pending(title, _line_below(lines, n))
    )
    return sum(1 for _ in islice(busy, most)) < most


@lru_cache(maxsize=4096)
def _title_may_be_pending(title: str, line_below: str) -> bool:
    if heading_stamp(title) is not None or is_dated_title(title):
        return False
    return may_be_blank(title) or _line_may_be_pending(line_below)


def may_be_blank(title: str) -> bool:
    """Return True if a title may stand for one to come; place_holders.is_blank_title() knows."""
    words = title.lower()
    return any(blank in words for blank in _BLANKS)


def _line_may_be_pending(line: str) -> bool:
    return _MAY_BE_PENDING.match(line) is not None


def _line_below(lines: Sequence[str], number: int) -> str:
    """Return the first line below a heading that is not blank; a blank one if there is none.

    That of an empty section is the next heading, which only makes the first look less quick.
    """
    for index in range(number, len(lines)):
        if not lines[index].isspace():
            return lines[index]
    return "\n"


def _timestamped(shape: Shape) -> Dialect | None:
    total = len(shape.second_titles)
    stamped = sum(map(has_time_stamp, shape.titles(2)))
    if _enough(stamped, total):
        return Dialect(TIMESTAMPED, 2, f"{stamped} of {total} H2 have a time stamp")
    return None


def _identified(shape: Shape) -> Dialect | None:
    for level in (2, 3):
        titles = shape.titles(level)
        ids = filter(None, map(heading_id, titles))
        series = Counter(_LAST_NUMBER.sub("", entry_id) for entry_id in ids)
        with_id = sum(count for count in series.values() if _enough(count, len(titles)))
        if _enough(with_id, len(titles)):
            return Dialect(IDENTIFIED, level, f"{with_id} of {len(titles)} H{level} have an id")
    return None


def _dated(shape: Shape) -> Dialect | None:
    """Choose between dated headings and dated list items: the kind with more of them."""
    headings, items = _dated_headings(shape), _dated_items(shape)
    if headings is None or items is None:
        return headings or items
    return items if dated_items(shape) > dated_headings(shape, headings.level) else headings


def _dated_headings(shape: Shape) -> Dialect | None:
    for level in (2, 3):
        dated, total = dated_headings(shape, level), len(shape.titles(level))
        if dated and 2 * dated >= total:
            return Dialect(HEADING, level, f"{dated} of {total} H{level} have a date")
    return None


def _dated_items(shape: Shape) -> Dialect | None:
    dated = dated_items(shape)
    if dated and 2 * dated >= len(shape.own_items):
        total = len(shape.own_items)
        return Dialect(BULLET, 0, f"{dated} of {total} top-level list items have a date")
    return None


def dated_headings(shape: Shape, level: int) -> int:
    """Return the number of headings at level 2 or 3 with a date and words beside it."""
    return sum(map(is_dated_title, shape.titles(level)))


def dated_items(shape: Shape) -> int:
    """Return the number of list items with a date, fields of a form left out."""
    dated = {*compress(shape.items, map(is_dated_item, shape.item_lines))}
    return len(dated.intersection(shape.own_items)) if dated else 0


def _top_headings(shape: Shape) -> Dialect | None:
    """Recognise entries at level 1: three or more, and what stands below them are fields."""
    tops = [h for h in shape.outline.headings if h.level == 1]
    if len(tops) < _SEVERAL_TOPS:
        return None
    titles = [heading_text(shape.lines[heading.line - 1]) for heading in tops[1:]]
    if 2 * sum(len(own_words(title)) > CHAPTER_WORDS for title in titles) <= len(titles):
        return None
    if shape.second:
        from learnings.core.entries.section_text import own_headings  # noqa: PLC0415  (as above)

        own = own_headings(shape.second, [heading.line for heading in tops])
        if 2 * len(own) > len(shape.second):
            return None
    return Dialect(HEADING, 1, f"{len(tops)} H1")


def _flat_list(shape: Shape) -> Dialect | None:
    if shape.items and shape.is_flat:
        total = counted(len(shape.items), "top-level list item")
        return Dialect(BULLET, 0, f"{total}, no heading below level 1")
    return None


def _listed(shape: Shape) -> Dialect | None:
    """Recognise chapters at level 2 whose entries are list items.

    Most of the items have a bold lead, two a chapter on average; or there is one chapter, and its
    title does not say when something applies, as that of an entry does.
    """
    count = len(shape.second_titles)
    if shape.third_titles or not shape.items or (count > 1 and shape.most_bold < 2 * count):
        return None
    own, bold = len(shape.own_items), shape.bold_items
    are_bold = 2 * bold > own and bold >= 2 * count
    is_chapter = count == 1 and not shape.second[0].title.startswith(CONVENTION)
    if not own or not (are_bold or is_chapter):
        return None
    if 2 * shape.lists(shape.second) <= count:
        return None
    items = counted(len(shape.items), "list item")
    return Dialect(BULLET, 0, f"{items} in {count} H2, {bold} with a bold lead of its own")


def _categories(shape: Shape) -> Dialect | None:
    total = len(shape.second_titles)
    inner = len(shape.third_titles)
    if inner < 2 or len(shape.own_third) < 2 or (total and 2 * shape.bare <= total):
        return None
    groups = f"{shape.bare} of {total} H2 only group" if total else "no H2 groups"
    return Dialect(HEADING, 3, f"{groups} the {inner} H3")


def _plain_headings(shape: Shape) -> Dialect | None:
    count = len(shape.second_titles)
    return Dialect(HEADING, 2, f"{count} H2") if count else None


def _nothing(shape: Shape) -> str:
    headings = "no heading at level 2, fewer than two at level 3"
    if not shape.items:
        return f"{headings}, no list item"
    return f"{headings}, fewer than half of the list items with a date"


def _enough(count: int, total: int) -> bool:
    """Return True for two or more, and for half or more of the total."""
    return count >= 2 or (count > 0 and 2 * count >= total)
