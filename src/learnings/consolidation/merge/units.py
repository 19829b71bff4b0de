"""Texts that both sides changed, merged by unit: paragraph, list item, field, row, code.

Git merges lines, and two adjacent changes are a conflict. A busy log is full of those: two sessions
tick neighbouring items, add a row below the same row, and update one `Last updated`. Here each unit
is merged by itself, so that only two changes of the same unit conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from learnings.consolidation.merge.versions import Lines
from learnings.core.markdown.line_kinds import BULLET_MARKER, LIST_MARKER
from learnings.core.patterns import lazy_pattern

T = TypeVar("T")
Unit = tuple[str, ...]

# A field, perhaps as a bullet: `**Status**: open`, `- Status: open`. Group 1 is its label.
_FIELD = lazy_pattern(
    rf"[ \t]*(?:{BULLET_MARKER}[ \t]+)?(?:\*\*|__)?(\w[\w /-]{{0,30}}?)"
    r"(?:\*\*:|__:|:\*\*|:__|:)(?!\S)"
)
# A line that begins a unit without a blank line above it: an item, a row, a heading.
_BEGINS = lazy_pattern(rf"[ \t]*(?:{LIST_MARKER}[ \t]|\||#{{1,6}}[ \t])")
# A bullet or a table row: two sides can add several in any order. Numbered items would get the same
# number.
_UNORDERED = lazy_pattern(rf"[ \t]*(?:{BULLET_MARKER}[ \t]+\S|\|)")
# The first or last line of a code block.
_FENCE = lazy_pattern(r"[ \t]*(`{3,}|~{3,})")
# A day, perhaps with a time of day, compared as text.
_INSTANT = lazy_pattern(r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?Z?)?(?!\d)")
# Words for a date that changes with every edit, unlike the date of an event.
_LATEST = lazy_pattern(
    r"(?i)\b(?:last|latest|newest|updated?|modified|seen|reviewed|verified|checked|as[ _-]of)\b"
    r"|\blast_|_(?:at|on|updated|modified|seen|reviewed|verified|checked)\b"
)


def merged_units(base: Lines, ours: Lines, theirs: Lines) -> Lines | None:
    """Merge three versions of a text, lines without terminators; None for a conflict."""
    merged: list[Unit] = []
    for chunk in _chunks(*(tuple(_units(version)) for version in (base, ours, theirs))):
        settled = _settled_chunk(*chunk)
        if settled is None:
            return None
        merged += settled
    lines = tuple(line for unit in merged for line in unit)
    # If the base has a line twice, each side may have removed another copy.
    kept_by_all = {*base}.intersection(ours, theirs)
    return lines if kept_by_all.issubset(lines) else None


def _units(lines: Lines) -> Iterator[Unit]:
    """Divide a text into its units; a blank line is a unit as well."""
    unit: list[str] = []
    fence = ""
    for line in lines:
        mark = _FENCE.match(line)
        begins = _BEGINS.match(line) or _FIELD.match(line) or not line.strip()
        if not fence and unit and (begins or not unit[-1].strip()):
            yield tuple(unit)
            unit = []
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
        unit.append(line)
    if unit:
        yield tuple(unit)


def _chunks(*versions: Sequence[Unit]) -> Iterator[Sequence[Sequence[Unit]]]:
    """Yield base, ours and theirs from top to bottom, cut at the units that all of them share."""
    base, ours, theirs = versions
    in_ours, in_theirs = _same_places(base, ours), _same_places(base, theirs)
    shared = sorted(in_ours.keys() & in_theirs.keys())
    ends = [(index, in_ours[index], in_theirs[index]) for index in shared]
    begun = 0, 0, 0
    for end in (*ends, (len(base), len(ours), len(theirs))):
        yield [units[first:last] for units, first, last in zip(versions, begun, end, strict=True)]
        yield [base[end[0] : end[0] + 1]] * 3
        begun = end[0] + 1, end[1] + 1, end[2] + 1


def _same_places(base: Sequence[Unit], side: Sequence[Unit]) -> dict[int, int]:
    """Return the position in a side by the position in the base, for unchanged units."""
    from difflib import SequenceMatcher  # noqa: PLC0415  (most merges change no text on both sides)

    blocks = SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()
    return {old + n: new + n for old, new, size in blocks for n in range(size)}


def _settled_chunk(*chunk: Sequence[Unit]) -> Sequence[Unit] | None:
    """Return the merged chunk; None if both sides changed one unit, or added prose."""
    side = changed_side(*chunk)
    if side is not None:
        return chunk[side]
    base, ours, theirs = chunk
    count = len(base)
    if min(len(ours), len(theirs)) < count:
        return None
    units: list[Unit] = []
    for versions in zip(base, ours, theirs, strict=False):
        side = changed_side(*versions)
        unit = _latest(*versions) if side is None else versions[side]
        if unit is None:
            return None
        units.append(unit)
    added = _added(ours[count:], theirs[count:])
    return None if added is None else [*units, *added]


def _latest(base: Unit, ours: Unit, theirs: Unit) -> Unit | None:
    """Return the side with the later date, if both sides only updated a date in a unit."""
    texts = ["\n".join(unit) for unit in (base, ours, theirs)]
    words, *others = [_INSTANT.sub("", text) for text in texts]
    dates = [_INSTANT.findall(text) for text in texts]
    # Dates of one precision can be compared as text.
    shapes = {tuple(len(date) for date in row) for row in dates}
    if others != [words, words] or len(shapes) > 1 or not _LATEST.search(words):
        return None
    rows = [*zip(*dates, strict=True)]
    if any(min(row) < row[0] for row in rows):
        return None
    later = [max(row) for row in rows]
    return next(
        (side for side, row in zip((ours, theirs), dates[1:], strict=True) if row == later), None
    )


def _added(ours: Sequence[Unit], theirs: Sequence[Unit]) -> Sequence[Unit] | None:
    """Return the units that both sides added at one place; None if their order may matter."""
    if not ours or not theirs:
        return ours or theirs
    texts = [unit[0] for unit in (*ours, *theirs) if unit[0].strip()]
    if not all(_UNORDERED.match(text) or _FIELD.match(text) for text in texts):
        return None
    # Two values of one field contradict each other.
    if _labels(ours) & _labels(theirs):
        return None
    return [*ours, *(unit for unit in theirs if unit not in ours or not unit[0].strip())]


def _labels(units: Sequence[Unit]) -> set[str]:
    fields = (_FIELD.match(unit[0]) for unit in units)
    return {field[1].casefold() for field in fields if field}


def changed_side(base: T, ours: T, theirs: T) -> int | None:
    """Return which version to take, 1 for ours, 2 for theirs; None if both changed something."""
    if theirs in (base, ours):
        return 1
    return 2 if ours == base else None
