"""A second reading of a file that is almost as likely as the chosen one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries import dialects
from learnings.core.entries.dialects import Dialect, Shape, are_chapters, are_periods, is_chapter
from learnings.core.entries.document import Document
from learnings.core.entries.shapes import own_rows
from learnings.core.entries.titles import is_dated_item
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
_ITEMS = 'dialect = "bullet"'


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
    name, shape = document.dialect.name, document.shape
    if document.dialect.is_configured:
        return None
    if name == dialects.HEADING:
        return _of_headings(shape, document.dialect.level)
    if name == dialects.TABLE:
        return _of_rows(shape, len(document.entries))
    if name not in (dialects.BULLET, dialects.NONE):
        return None
    table = _of_table(shape) if name == dialects.BULLET else None
    is_below = name == dialects.BULLET and not shape.is_flat
    return table or (_of_items(shape) if is_below else _of_tops(shape))


def _other(
    counts: str, setting: str = "", *, level: int = 0, subject: str = "those", before: str = ""
) -> Ambiguity:
    """Return the reading at a level or, at level 0, in the dialect that the setting names."""
    setting = setting or f"entry-level = {level}"
    name = dialects.HEADING if level else setting.split('"')[1]
    return Ambiguity(counts, subject, setting, Dialect(name, level, counts), before)


def _of_rows(shape: Shape, count: int) -> Ambiguity | None:
    own = len(shape.own_items)
    counts = f"{counted(own, 'list item')} outside of the table"
    return _other(counts, _ITEMS) if _OUTSIDE * own >= count else None


def _of_table(shape: Shape) -> Ambiguity | None:
    rows = len(own_rows(shape)) if "|" in shape.signs else 0
    counts = f"{counted(rows, 'row')} of a table with an id or a date"
    is_close = rows and _OUTSIDE * rows >= len(shape.own_items)
    return _other(counts, 'dialect = "table"') if is_close else None


def _of_headings(shape: Shape, level: int) -> Ambiguity | None:
    sections = shape.second if level == 2 else shape.third
    count, inner = len(sections), len(shape.own_headings(3))
    entries = f"{counted(count, 'entry', 'entries')} hold{'s' if count == 1 else ''}"
    if not sections:
        return None
    if _items_speak(shape, sections):
        return _other(f"{entries} {counted(len(shape.own_items), 'list item')}", _ITEMS)
    if level == 3:
        return _of_third(shape)
    leads = len([*_bold_leads(shape, sections)])
    if leads >= max(_MANY_PARAGRAPHS, 2 * count):
        counts = f"{entries} {leads} paragraphs that begin in bold"
        return _other(counts, level=3, before="make each a heading (###) and ")
    is_group = inner > count * (_MANY_HEADINGS - 1) and are_chapters([s.title for s in sections])
    if is_group or inner > count * _MANY_HEADINGS:
        return _other(f"{entries} {inner} headings at level 3", level=3)
    counts = f"{shape.fields} of {count} H2 name parts of a note"
    note = _other(counts, level=1, subject="notes under an H1")
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
    dated = shape.dated_items()
    if dated and 2 * dated >= own and 2 * dated >= count:
        return True
    titles = [section.title for section in sections]
    are_days = own > count and are_periods(titles)
    are_many = (own >= _MANY_HEADINGS * count and are_chapters(titles)) or (
        own >= _SEVERAL_ITEMS * count and are_chapters(titles, words=1)
    )
    are_bold = 2 * bold > own and bold >= 2 * count
    is_likely = are_many or are_bold or are_days
    return is_likely and 2 * sum(map(shape.is_list, sections)) > count


def _of_third(shape: Shape) -> Ambiguity | None:
    count, inner = len(shape.second), len(shape.third)
    with_text = count - shape.bare
    dated = shape.dated_headings(2)
    if dated and 2 * dated >= count:
        return _other(f"{counted(dated, 'heading')} at level 2 with a date", level=2)
    is_clear = 2 * shape.bare > count or shape.dated_headings(3)
    are_groups = is_clear and are_chapters(shape.titles[2])
    if 3 * with_text <= count or inner > _MANY_HEADINGS * count or are_groups:
        return None
    counts = f"{with_text} of {count} H2 have their own text"
    return _other(counts, level=2, subject="the H2")


def _of_items(shape: Shape) -> Ambiguity | None:
    level, counts = next(_headings_instead(shape), (0, ""))
    setting = 'dialect = "heading"' if level == 2 else ""
    return _other(counts, setting, level=level, subject="the headings") if level else None


def _headings_instead(shape: Shape) -> Iterator[tuple[int, str]]:
    """Yield the levels at which headings, not the items, may be the entries, and why."""
    own, dated, count = len(shape.own_items), shape.dated_items(), len(shape.second)
    for level, sections in ((2, shape.second), (3, shape.third)):
        with_date = shape.dated_headings(level)
        if 2 * with_date >= max(len(sections), dated, 1):
            yield level, f"{counted(with_date, 'heading')} at level {level} with a date"
    if dated and 2 * dated >= own:
        texts = [[shape.lines[n - 1] for n in shape.text_in(one)] for one in shape.second]
        without = sum(bool(lines) and not any(map(is_dated_item, lines)) for lines in texts)
        if without > max(dated, 2):
            yield 2, f"{without} headings at level 2 have text but no dated item"
        return
    names = shape.titles[2]
    is_close = 2 * shape.bold_items <= own and count > 1
    is_many = own >= _MANY_ITEMS * count and not are_periods(names)
    if not is_many and (is_close or not are_chapters(names)):
        which = f"{count} short headings" if is_close else "headings that read like entries"
        yield 2, f"{counted(own, 'list item')} below {which}"


def _of_tops(shape: Shape) -> Ambiguity | None:
    titles = [section.title for section in shape.first]
    count, chapters = len(titles), sum(map(is_chapter, titles))
    if not shape.is_flat or count < _MANY_HEADINGS or (shape.items and 2 * chapters > count):
        return None
    setting = 'dialect = "heading" and entry-level = 1'
    return _other(f"{count} headings are at level 1", setting, level=1)
