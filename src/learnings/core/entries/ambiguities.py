"""A second reading of a file that is almost as likely as the chosen one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.detection import dated_headings, dated_items
from learnings.core.entries.dialects import Dialect, Shape, are_chapters, is_chapter
from learnings.core.entries.document import Document
from learnings.core.entries.shapes import own_rows
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
    name, shape = document.dialect.name, Shape(document.lines, document.outline)
    if document.dialect.is_configured:
        return None
    if name == dialects.HEADING:
        return _of_headings(shape, document.dialect.level)
    if name == dialects.TABLE:
        return _of_rows(shape, len(document.entries))
    if name not in (dialects.BULLET, dialects.NONE):
        return None
    has_rows = name == dialects.BULLET and "|" in shape.signs
    if has_rows and (table := _of_table(shape)):
        return table
    return _of_items(shape) if name == dialects.BULLET and not shape.is_flat else _of_tops(shape)


def _other(
    counts: str, setting: str, *, level: int = 0, subject: str = "those", before: str = ""
) -> Ambiguity:
    """Return the reading at a level or, at level 0, in the dialect that the setting names."""
    name = dialects.HEADING if level else setting.split('"')[1]
    return Ambiguity(counts, subject, setting, Dialect(name, level, counts), before)


def _of_rows(shape: Shape, count: int) -> Ambiguity | None:
    own = len(shape.own_items)
    if _OUTSIDE * own < count:
        return None
    verb = "stands" if own == 1 else "stand"
    return _other(f"{counted(own, 'list item')} {verb} outside of the table", 'dialect = "bullet"')


def _of_table(shape: Shape) -> Ambiguity | None:
    rows = len(own_rows(shape.lines, shape.outline))
    if not rows or _OUTSIDE * rows < len(shape.own_items):
        return None
    verb = "has" if rows == 1 else "have"
    return _other(f"{counted(rows, 'row')} of a table {verb} an id or a date", 'dialect = "table"')


def _of_headings(shape: Shape, level: int) -> Ambiguity | None:
    sections = shape.second if level == 2 else shape.third
    count, inner = len(sections), len(shape.own_third)
    entries = f"{counted(count, 'entry', 'entries')} hold{'s' if count == 1 else ''}"
    if not sections:
        return None
    if _items_speak(shape, sections):
        items = counted(len(shape.own_items), "list item")
        return _other(f"{entries} {items}", 'dialect = "bullet"')
    if level == 3:
        return _of_third(shape)
    leads = len([*_bold_leads(shape, sections)])
    if leads >= max(_MANY_PARAGRAPHS, 2 * count):
        counts = f"{entries} {leads} paragraphs that begin in bold"
        before = "make each a heading (###) and "
        return _other(counts, "entry-level = 3", level=3, before=before)
    is_group = inner > count * (_MANY_HEADINGS - 1) and are_chapters([s.title for s in sections])
    if is_group or inner > count * _MANY_HEADINGS:
        return _other(f"{entries} {inner} headings at level 3", "entry-level = 3", level=3)
    counts = f"{shape.fields} of {count} H2 name parts of a note"
    note = _other(counts, "entry-level = 1", level=1, subject="notes under an H1")
    return note if len(shape.first) == 1 and max(2, count / 2) <= shape.fields else None


def _bold_leads(shape: Shape, sections: Sequence[Section]) -> Iterator[str]:
    """Yield the unique bold beginnings of paragraphs in the sections."""
    if "*" not in shape.signs:
        return
    leads = Counter(
        match["title"].casefold()
        for section in sections
        for number in shape.text_in(section)
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
    are_days = own > count and 2 * sum(not own_words(title) for title in titles) > count
    are_many = (own >= _MANY_HEADINGS * count and are_chapters(titles)) or (
        own >= _SEVERAL_ITEMS * count and are_chapters(titles, words=1)
    )
    are_bold = 2 * bold > own and bold >= 2 * count
    if not (are_many or are_bold or are_days):
        return False
    return 2 * sum(map(shape.is_list, sections)) > count


def _of_third(shape: Shape) -> Ambiguity | None:
    count, inner = len(shape.second), len(shape.third)
    with_text = count - shape.bare
    dated = dated_headings(shape, 2)
    if dated and 2 * dated >= count:
        state = "states" if dated == 1 else "state"
        counts = f"{counted(dated, 'heading')} at level 2 {state} a date"
        return _other(counts, "entry-level = 2", level=2)
    if 3 * with_text <= count or inner >= _MANY_HEADINGS * count or are_chapters(shape.titles(2)):
        return None
    counts = f"{with_text} of {count} H2 have their own text"
    return _other(counts, "entry-level = 2", level=2, subject="the H2")


def _of_items(shape: Shape) -> Ambiguity | None:
    own, dated = len(shape.own_items), dated_items(shape)
    for level, sections in ((2, shape.second), (3, shape.third)):
        count = dated_headings(shape, level)
        if 2 * count >= max(len(sections), dated, 1):
            state = "states" if count == 1 else "state"
            counts = f"{counted(count, 'heading')} at level {level} also {state} a date"
            return _of_level(level, counts)
    count = len(shape.second)
    if dated and 2 * dated >= own:
        without = 0
        for section in shape.second:
            lines = [shape.lines[number - 1] for number in shape.text_in(section)]
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


def _of_tops(shape: Shape) -> Ambiguity | None:
    titles = [section.title for section in shape.first]
    count, chapters = len(titles), sum(map(is_chapter, titles))
    if not shape.is_flat or count < _MANY_HEADINGS or (shape.items and 2 * chapters > count):
        return None
    setting = 'dialect = "heading" and entry-level = 1'
    return _other(f"{count} headings are at level 1", setting, level=1)


def _of_level(level: int, counts: str) -> Ambiguity:
    setting = 'dialect = "heading"' if level == 2 else f"entry-level = {level}"
    return _other(counts, setting, level=level, subject="the headings")
