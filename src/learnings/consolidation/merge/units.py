"""Merges a text that both sides changed by unit: paragraph, list item, field, row, code.

Git merges lines, and two adjacent changes are a conflict. A busy log is full of those: two sessions
tick neighbouring items, add a row below the same row, and update one `Last updated`. Here each unit
is merged by itself, so that only two changes of the same unit conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.markdown.line_kinds import BULLET_MARKER, LIST_MARKER
from learnings.core.patterns import lazy_pattern

Lines = tuple[str, ...]
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
        settled = _settled_chunk(chunk)
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


class _Chunk(NamedTuple):
    """The three versions' text between two units that all of them have, or one such unit."""

    base: Sequence[Unit]
    ours: Sequence[Unit]
    theirs: Sequence[Unit]


def _chunks(base: Sequence[Unit], ours: Sequence[Unit], theirs: Sequence[Unit]) -> Iterator[_Chunk]:
    """Yield the three versions from top to bottom, cut at the units that all of them share."""
    in_ours, in_theirs = (_same_places(base, side) for side in (ours, theirs))
    begun = 0, 0, 0
    for index in sorted(in_ours.keys() & in_theirs.keys()):
        ends = index, in_ours[index], in_theirs[index]
        yield _Chunk(base[begun[0] : ends[0]], ours[begun[1] : ends[1]], theirs[begun[2] : ends[2]])
        yield _Chunk(*[(base[index],)] * 3)
        begun = ends[0] + 1, ends[1] + 1, ends[2] + 1
    yield _Chunk(base[begun[0] :], ours[begun[1] :], theirs[begun[2] :])


def _same_places(base: Sequence[Unit], side: Sequence[Unit]) -> dict[int, int]:
    """Return the position in a side by the position in the base, for unchanged units."""
    from difflib import SequenceMatcher  # noqa: PLC0415  (most merges change no text on both sides)

    blocks = SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()
    return {old + n: new + n for old, new, size in blocks for n in range(size)}


def _settled_chunk(chunk: _Chunk) -> Sequence[Unit] | None:
    """Return the merged chunk; None if both sides changed one unit, or added prose."""
    base, ours, theirs = chunk
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    count = len(base)
    if min(len(ours), len(theirs)) < count:
        return None
    units = [_settled_unit(*versions) for versions in zip(base, ours, theirs, strict=False)]
    added = _added(ours[count:], theirs[count:])
    if added is None or None in units:
        return None
    return [*(unit for unit in units if unit is not None), *added]


def _settled_unit(base: Unit, ours: Unit, theirs: Unit) -> Unit | None:
    if theirs in (ours, base):
        return ours
    return theirs if ours == base else _latest(base, ours, theirs)


def _latest(base: Unit, ours: Unit, theirs: Unit) -> Unit | None:
    """Return the side with the later date, if both sides only updated a date in a unit."""
    texts = ["\n".join(unit) for unit in (base, ours, theirs)]
    words, *others = (_INSTANT.sub("", text) for text in texts)
    dates = [_INSTANT.findall(text) for text in texts]
    # Dates of one precision can be compared as text.
    shapes = {tuple(len(date) for date in row) for row in dates}
    if others != [words, words] or len(shapes) > 1 or not _LATEST.search(words):
        return None
    before, in_ours, in_theirs = dates
    later = [max(pair) for pair in zip(in_ours, in_theirs, strict=True)]
    if any(
        date < old for row in (in_ours, in_theirs) for date, old in zip(row, before, strict=True)
    ):
        return None
    return ours if later == in_ours else theirs if later == in_theirs else None


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
