"""Detection of the dialect of a file; the first matching rule decides.

The rules come from 69 real files and were tried on 37 others and some 430 older versions.
"""

from __future__ import annotations

from collections import Counter
from itertools import compress, filterfalse, islice, pairwise

from learnings.core.entries import dialects, place_holders, titles
from learnings.core.entries.dialects import Dialect, Shape
from learnings.core.entries.shapes import SHAPES
from learnings.core.markdown.line_kinds import has_text, is_ruler
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

# The number at the end of an id, perhaps with a letter: the part that varies within a series.
_LAST_NUMBER = lazy_pattern(r"(?<![\d-])[\d-]+[A-Za-z]?$")
# Minimum number of level 1 headings for them to be entries: a file with a title has one. Two are
# entries if both read like one, so that entries stay when others are archived.
_SEVERAL_TOPS = 3
# Mean list items per chapter from which they are the entries, also if chapters consist of nothing
# else, and the same for headings. Chosen: an entry has fewer in the shapes of the tests.
_MANY_ITEMS, _SEVERAL_ITEMS, _MANY_HEADINGS = 3, 2, 2
# Maximum lines of a file that only points elsewhere. Chosen: a list of new places fits.
_LONGEST_STUB = 80
# The title of a `<details>`.
_SUMMARY = lazy_pattern(r"<summary>(.*?)</summary>")


def configured(name: str, entry_level: int | None, shape: Shape) -> Dialect:
    """Return the configured dialect, detecting the settings left open (`auto`, the entry level)."""
    if name == "auto":
        dialect = _detected(shape)
        if entry_level is None or dialect.name == dialects.NONE:
            return dialect
        is_stamped = dialect.name in (dialects.TIMESTAMPED, dialects.IDENTIFIED)
        detected = dialect.name if is_stamped else dialects.HEADING
        reason = f"{dialect.reason}; entry-level is configured"
        return Dialect(detected, entry_level, reason, is_configured=True)
    if name in dialects.SHAPES:
        found = SHAPES[name].recognised(shape)
        return Dialect(name, found.level if found else 0, "configured", is_configured=True)
    level = 0 if name == dialects.BULLET else entry_level
    if level is None:
        found = _identified(shape) if name == dialects.IDENTIFIED else None
        if name == dialects.HEADING:
            found = _dated_headings(shape) or _categories(shape)
        level = found.level if found else 2
    return Dialect(name, level, "configured", is_configured=True)


def _detected(shape: Shape) -> Dialect:
    # Features that only these shapes have, next to other text.
    mixed = (dialects.TABLE, dialects.SECTIONS, dialects.TEAM_LOG)
    return (
        next(filter(None, (SHAPES[name].recognised(shape) for name in mixed)), None)
        or _nothing_yet(shape)
        or (_note(shape) if len(shape.first) == 1 else None)
        or _timestamped(shape)
        or _identified(shape)
        or _dated(shape)
        or _undated(shape)
    )


def _undated(shape: Shape) -> Dialect:
    items, count = len(shape.items), len(shape.second)
    if items and shape.is_flat:
        total = counted(items, "top-level list item")
        return Dialect(dialects.BULLET, 0, f"{total}, no heading below level 1")
    found = _top_headings(shape) or _listed(shape)
    found = found or SHAPES[dialects.PARAGRAPH].recognised(shape) or _categories(shape)
    if found or count:
        return found or Dialect(dialects.HEADING, 2, f"{count} H2")
    without = "fewer than half of the list items with a date" if items else "no list item"
    reason = f"no heading at level 2, fewer than two at level 3, {without}"
    pairs = pairwise(shape.lines)
    lined = sum(line.startswith("---") and is_ruler(line) and has_text(up) for up, line in pairs)
    if lined > 1:
        reason = f"{lined} lines underlined with --- are none: {dialects.TO_HEADINGS}"
    return Dialect(dialects.NONE, 0, reason)


def _nothing_yet(shape: Shape) -> Dialect | None:
    """Recognise a template, a file of tables, and the stub of a moved file."""
    introduction = shape.introduction if len(shape.lines) <= _LONGEST_STUB else ()
    if introduction and place_holders.says_moved(introduction, shape.lines[len(introduction) :]):
        return Dialect(dialects.NONE, 0, dialects.HAS_MOVED)
    total, items = len(shape.second), shape.item_lines
    # The sections of a long memory are read only until half of them have text.
    own = len([*islice(filterfalse(shape.is_pending, shape.second), (total + 1) // 2)])
    if 2 * own < total:
        reason = f"{total - own} of {total} H2 contain only placeholders or table rows"
        return Dialect(dialects.NONE, 0, reason)
    if shape.is_flat and items and all(map(place_holders.is_place_holder, items)):
        return Dialect(dialects.NONE, 0, "all list items are placeholders")
    folded = _folded(shape) if shape.is_flat and "<" in shape.signs else 0
    reason = f"{folded} texts in <details> are none: {dialects.TO_HEADINGS}"
    return Dialect(dialects.NONE, 0, reason) if folded else None


def _folded(shape: Shape) -> int:
    """Count the `<details>` that may each be an entry, rather than a chapter or a detail."""
    items, names, outside, depth = {*shape.items}, [], 0, 0
    for number, line in enumerate(shape.lines, start=1):
        depth += line.count("<details") - line.count("</details")
        outside += depth <= 0 and number in items
        names += _SUMMARY.findall(line)
    return len(names) if len(names) > max(1, outside) and not dialects.are_chapters(names) else 0


def _note(shape: Shape) -> Dialect | None:
    """Recognise one note, whose H2 are its parts: `Problem`, `Root Cause`, `Correct Pattern`."""
    (top,), count = shape.first, len(shape.second)
    own = top.title.partition(": ")[2] or top.title  # `Lessons learned: the outage in March`
    is_title = len(titles.own_words(own)) > 1 and not dialects.is_of_many(own)
    if not is_title or shape.fields < 2 or 2 * shape.fields < count:
        return None
    return Dialect(dialects.HEADING, 1, f"{shape.fields} of {count} H2 are parts of a note")


def _timestamped(shape: Shape) -> Dialect | None:
    total = len(shape.second)
    stamped = sum(map(titles.has_time_stamp, shape.titles(2)))
    reason = f"{stamped} of {total} H2 have a time stamp"
    return Dialect(dialects.TIMESTAMPED, 2, reason) if _enough(stamped, total) else None


def _identified(shape: Shape) -> Dialect | None:
    for level in (2, 3):
        texts = shape.titles(level)
        ids = filter(None, map(titles.heading_id, texts))
        series = Counter(_LAST_NUMBER.sub("", entry_id) for entry_id in ids)
        with_id = sum(count for count in series.values() if _enough(count, len(texts)))
        if _enough(with_id, len(texts)):
            reason = f"{with_id} of {len(texts)} H{level} have an id"
            return Dialect(dialects.IDENTIFIED, level, reason)
    return None


def _dated(shape: Shape) -> Dialect | None:
    headings, dated, total = _dated_headings(shape), dated_items(shape), len(shape.own_items)
    others = dated_headings(shape, headings.level) if headings else 0
    if dated <= others or 2 * dated < total:
        return headings
    return Dialect(dialects.BULLET, 0, f"{dated} of {total} top-level list items have a date")


def _dated_headings(shape: Shape) -> Dialect | None:
    for level in (2, 3):
        dated, total = dated_headings(shape, level), len(shape.titles(level))
        if level == 2 and dated and (groups := _categories(shape)):
            return groups
        if dated and 2 * dated >= total:
            return Dialect(dialects.HEADING, level, f"{dated} of {total} H{level} have a date")
    return None


def dated_headings(shape: Shape, level: int) -> int:
    return sum(map(titles.is_dated_title, shape.titles(level)))


def dated_items(shape: Shape) -> int:
    """Count the list items with a date, without the fields of a form."""
    dated = {*compress(shape.items, map(titles.is_dated_item, shape.item_lines))}
    return len(dated.intersection(shape.own_items)) if dated else 0


def _top_headings(shape: Shape) -> Dialect | None:
    """Recognise entries at level 1 with only fields below them."""
    tops = shape.first
    are_long = [len(titles.own_words(top.title)) > dialects.CHAPTER_WORDS for top in tops]
    are_two = len(tops) == 2 and shape.is_flat and all(are_long)
    are_several = len(tops) >= _SEVERAL_TOPS and 2 * sum(are_long[1:]) > len(tops[1:])
    if not (are_two or are_several):
        return None
    own = place_holders.own_headings(shape.second, [top.heading.line for top in tops])
    if 2 * len(own) > max(len(shape.second), len(tops)):
        return None
    return Dialect(dialects.HEADING, 1, f"{len(tops)} H1")


def _listed(shape: Shape) -> Dialect | None:
    """Recognise level 2 chapters of list items: bold ones, or all items of an only chapter."""
    count = len(shape.second)
    if shape.third or not shape.items:
        return None
    own, bold, names = len(shape.own_items), shape.bold_items, shape.titles(2)
    are_periods = dialects.are_periods(names)
    are_rounds = any(map(str.isdigit, "".join(names))) and not are_periods
    are_chapters = dialects.are_chapters(names) and not are_rounds
    are_bold = 2 * bold > own and bold >= count * (1 if are_chapters else 2) and own > 1
    are_many = are_chapters and own > count
    is_chapter = count == 1 and not names[0].startswith(titles.CONVENTION)
    if not own or not (are_bold or are_many or is_chapter):
        return None
    lists = sum(map(shape.is_list, shape.second))  # takes longer than the rest
    many = _MANY_ITEMS if lists < count else 1 if are_periods else _SEVERAL_ITEMS
    are_many = are_many and own >= many * count
    if 2 * lists <= count or not (are_bold or are_many or is_chapter):
        return None
    items = counted(len(shape.items), "list item")
    return Dialect(dialects.BULLET, 0, f"{items} in {count} H2, {bold} with their own bold lead")


def _categories(shape: Shape) -> Dialect | None:
    """Recognise H2 that group H3: most have no text, or they are chapters of many."""
    total = len(shape.second)
    inner, own = len(shape.third), len(shape.own_third)
    if inner < 2 or own < 2:
        return None
    are_many = own > _MANY_HEADINGS * total and dialects.are_chapters(shape.titles(2))
    if total and 2 * shape.bare <= total and not are_many:
        return None
    groups = f"{shape.bare} of {total} H2 only group" if total else "no H2 groups"
    return Dialect(dialects.HEADING, 3, f"{groups} the {inner} H3")


def _enough(count: int, total: int) -> bool:
    return count >= 2 or (count > 0 and 2 * count >= total)
