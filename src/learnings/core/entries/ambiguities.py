"""A second reading of a file that is almost as likely as the chosen one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.detection import dated_headings, dated_items
from learnings.core.entries.dialects import Dialect, Shape, are_chapters, is_chapter
from learnings.core.entries.document import Document
from learnings.core.entries.titles import is_dated_item, own_words
from learnings.core.markdown.outline import Section
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

# Mean list items per heading from which the items, not the headings, may be the entries: in the
# shapes of the tests an entry has at most four.
_MANY_ITEMS = 5
# The same for one-word titles, which chapters often have and entries hardly ever.
_SEVERAL_ITEMS = 2
# The same for headings at level 3.
_MANY_HEADINGS = 3
# Paragraphs in a file that begin with a unique bold lead, from which they may be the entries of the
# chapters above them.
_MANY_PARAGRAPHS = 6
# `**P1: Read the plan first.** Then …`; a label (`**Context**: …`) has fewer words.
_BOLD_LEAD = lazy_pattern(r"\*\*(?P<title>[^*\n]+)\*\*")
_LEAD_WORDS = 3
# From one item for so many rows of a table, or one row for so many items, they may be the entries.
_OUTSIDE = 4


class Ambiguity(NamedTuple):
    """Another reading: its evidence, its entries (`those`), and the setting that selects it."""

    counts: str
    subject: str
    setting: str
    dialect: Dialect
    before: str = ""

    @property
    def advice(self) -> str:
        return f"if {self.subject} are the entries, {self.before}set {self.setting}"

    def __str__(self) -> str:
        return f"{self.counts}; {self.advice}"


def second_reading(document: Document) -> Ambiguity | None:
    """Return another reading that the author may have meant, or None; None if configured."""
    dialect = document.dialect
    if dialect.is_configured:
        return None
    shape = Shape(document.lines, document.outline)
    if dialect.name == dialects.HEADING:
        return _of_headings(shape, dialect.level)
    if dialect.name == dialects.TABLE:
        return _of_rows(shape, len(document.entries))
    has_rows = dialect.name == dialects.BULLET and any(line[0] == "|" for line in shape.lines)
    if has_rows and (table := _of_table(shape)):
        return table
    if dialect.name == dialects.BULLET:
        return _of_top_headings(shape) if shape.is_flat else _of_items(shape)
    return _of_top_headings(shape) if dialect.name == dialects.NONE else None


def _of_rows(shape: Shape, count: int) -> Ambiguity | None:
    own = len(shape.own_items)
    if _OUTSIDE * own < count:
        return None
    counts = f"{counted(own, 'list item')} stand{'s' if own == 1 else ''} outside of the table"
    return Ambiguity(counts, "those", 'dialect = "bullet"', Dialect(dialects.BULLET, 0, counts))


def _of_table(shape: Shape) -> Ambiguity | None:
    from learnings.core.entries.shapes import own_rows  # noqa: PLC0415  (few files have a table)

    rows = len(own_rows(shape.lines, shape.outline))
    if not rows or _OUTSIDE * rows < len(shape.own_items):
        return None
    counts = f"{counted(rows, 'row')} of a table {'has' if rows == 1 else 'have'} an id or a date"
    return Ambiguity(counts, "those", 'dialect = "table"', Dialect(dialects.TABLE, 0, counts))


def _of_headings(shape: Shape, level: int) -> Ambiguity | None:
    sections = shape.second if level == 2 else shape.third
    if not sections:
        return None
    if _items_speak(shape, sections):
        counts = f"{_entries(sections)} {counted(len(shape.own_items), 'list item')}"
        return Ambiguity(counts, "those", 'dialect = "bullet"', Dialect(dialects.BULLET, 0, counts))
    if level == 3:
        return _of_third(shape)
    leads = list(_bold_leads(shape, sections))
    if len(leads) >= max(_MANY_PARAGRAPHS, 2 * len(sections)):
        counts = f"{_entries(sections)} {len(leads)} paragraphs that begin in bold"
        own = Dialect(dialects.HEADING, 3, counts)
        return Ambiguity(counts, "those", "entry-level = 3", own, "make each a heading (###) and ")
    count, inner = len(sections), len(shape.own_third)
    are_groups = are_chapters([section.title for section in sections])
    if inner > count * (_MANY_HEADINGS - 1 if are_groups else _MANY_HEADINGS):
        counts = f"{_entries(sections)} {inner} headings at level 3"
        return Ambiguity(counts, "those", "entry-level = 3", Dialect(dialects.HEADING, 3, counts))
    return _of_note(shape, count)


def _of_note(shape: Shape, count: int) -> Ambiguity | None:
    if len(shape.first) != 1 or shape.fields < 2 or 2 * shape.fields < count:
        return None
    counts = f"{shape.fields} of {count} H2 name parts of a note"
    whole = Dialect(dialects.HEADING, 1, counts)
    return Ambiguity(counts, "notes under an H1", "entry-level = 1", whole)


def _bold_leads(shape: Shape, sections: Sequence[Section]) -> Iterator[str]:
    """Yield the unique bold beginnings of paragraphs in the sections."""
    leads = Counter(
        match["title"].casefold()
        for section in sections
        for number in shape.text.of(section)
        if not shape.lines[number - 2].strip()
        and (match := _BOLD_LEAD.match(shape.lines[number - 1]))
    )
    yield from (lead for lead, n in leads.items() if n == 1 and len(lead.split()) >= _LEAD_WORDS)


def _items_speak(shape: Shape, sections: Sequence[Section]) -> bool:
    """Return True if list items may be the entries rather than their headings."""
    count, own, bold = len(sections), len(shape.own_items), shape.bold_items
    dated = dated_items(shape)
    if dated and 2 * dated >= own and 2 * dated >= count:
        return True
    titles = [section.title for section in sections]
    are_days = 2 * sum(not own_words(title) for title in titles) > count
    are_many = (own >= _MANY_HEADINGS * count and are_chapters(titles)) or (
        own >= _SEVERAL_ITEMS * count and are_chapters(titles, words=1)
    )
    are_bold = 2 * bold > own and bold >= 2 * count
    if not (are_many or are_bold or (are_days and own > count)):
        return False
    return 2 * shape.lists(sections) > count


def _of_third(shape: Shape) -> Ambiguity | None:
    count, inner = len(shape.second), len(shape.third)
    with_text = count - shape.bare
    if dated := dated_headings(shape, 2):
        state = "states" if dated == 1 else "state"
        if 2 * dated >= count:
            counts = f"{counted(dated, 'heading')} at level 2 {state} a date"
            own = Dialect(dialects.HEADING, 2, counts)
            return Ambiguity(counts, "those", "entry-level = 2", own)
    if 3 * with_text <= count or inner >= _MANY_HEADINGS * count or are_chapters(shape.titles(2)):
        return None
    counts = f"{with_text} of {count} H2 have their own text"
    return Ambiguity(counts, "the H2", "entry-level = 2", Dialect(dialects.HEADING, 2, counts))


def _of_items(shape: Shape) -> Ambiguity | None:
    own, dated = len(shape.own_items), dated_items(shape)
    for level, sections in ((2, shape.second), (3, shape.third)):
        if 2 * dated_headings(shape, level) >= max(len(sections), dated, 1):
            count = dated_headings(shape, level)
            state = "states" if count == 1 else "state"
            counts = f"{counted(count, 'heading')} at level {level} also {state} a date"
            return _of_level(level, counts)
    count = len(shape.second)
    if dated and 2 * dated >= own:
        without = 0
        for section in shape.second:
            lines = [shape.lines[number - 1] for number in shape.text.of(section)]
            without += bool(lines) and not any(map(is_dated_item, lines))
        if without > max(dated, 2):
            return _of_level(2, f"{without} headings at level 2 have text but no dated item")
        return None
    is_close = 2 * shape.bold_items <= own and count > 1
    if own < _MANY_ITEMS * count and (is_close or not are_chapters(shape.titles(2))):
        which = "a heading that reads" if count == 1 else f"{count} headings that read"
        which = f"{count} short headings" if is_close else f"{which} like an entry"
        return _of_level(2, f"{counted(own, 'list item')} below {which}")
    return None


def _entries(sections: Sequence[Section]) -> str:
    return f"{counted(len(sections), 'entry', 'entries')} hold{'s' if len(sections) == 1 else ''}"


def _of_top_headings(shape: Shape) -> Ambiguity | None:
    titles = [section.title for section in shape.first]
    count, chapters = len(titles), sum(is_chapter(title) for title in titles)
    if not shape.is_flat or count < _MANY_HEADINGS or (shape.items and 2 * chapters > count):
        return None
    counts = f"{count} headings are at level 1"
    setting = 'dialect = "heading" and entry-level = 1'
    return Ambiguity(counts, "those", setting, Dialect(dialects.HEADING, 1, counts))


def _of_level(level: int, counts: str) -> Ambiguity:
    setting = 'dialect = "heading"' if level == 2 else f"entry-level = {level}"
    return Ambiguity(counts, "the headings", setting, Dialect(dialects.HEADING, level, counts))
