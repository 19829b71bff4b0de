"""Merges the versions of one part: the changed side, by unit, or a conflict with markers.

A text that both sides changed is merged by unit: paragraph, list item, field, row, code. Git merges
lines, and two adjacent changes are a conflict. A busy log is full of those: two sessions tick
neighbouring items, add a row below the same row, and update one `Last updated`. Here each unit is
merged by itself, so that only two changes of the same unit conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from learnings.consolidation.merge.parts import Part
from learnings.core.markdown.line_edits import terminated
from learnings.core.markdown.line_kinds import BULLET_MARKER, LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, split_lines

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


# The three versions' text between two units that all of them have, or one such unit.
_Chunk = tuple[Sequence[Unit], Sequence[Unit], Sequence[Unit]]


def _chunks(base: Sequence[Unit], ours: Sequence[Unit], theirs: Sequence[Unit]) -> Iterator[_Chunk]:
    """Yield the three versions from top to bottom, cut at the units that all of them share."""
    in_ours, in_theirs = (_same_places(base, side) for side in (ours, theirs))
    begun = 0, 0, 0
    for index in sorted(in_ours.keys() & in_theirs.keys()):
        ends = index, in_ours[index], in_theirs[index]
        yield base[begun[0] : ends[0]], ours[begun[1] : ends[1]], theirs[begun[2] : ends[2]]
        yield ((base[index],),) * 3
        begun = ends[0] + 1, ends[1] + 1, ends[2] + 1
    yield base[begun[0] :], ours[begun[1] :], theirs[begun[2] :]


def _same_places(base: Sequence[Unit], side: Sequence[Unit]) -> dict[int, int]:
    """Return the position in a side by the position in the base, for unchanged units."""
    from difflib import SequenceMatcher  # noqa: PLC0415  (most merges change no text on both sides)

    blocks = SequenceMatcher(None, base, side, autojunk=False).get_matching_blocks()
    return {old + n: new + n for old, new, size in blocks for n in range(size)}


def _settled_chunk(
    base: Sequence[Unit], ours: Sequence[Unit], theirs: Sequence[Unit]
) -> Sequence[Unit] | None:
    """Return the merged chunk; None if both sides changed one unit, or added prose."""
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


Side = Literal["ours", "theirs"]


def changed_side(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Side | None:
    """Return the side that changed something, ours if both made the same change; else None."""
    if theirs in (base, ours):
        return "ours"
    return "theirs" if ours == base else None


def _joined_heading(base: Part, ours: Part, theirs: Part) -> str | None:
    """Return the heading line with the stamp of one side and the title of the other.

    None if both sides changed the stamp or both changed the title, or if there are none. If both
    changed the stamp, and one stamp is a prefix of the other, the longer one is used.
    """
    entries = [part.entry for part in (base, ours, theirs) if part.entry and part.entry.level]
    if len(entries) < 3:
        return None
    titles = [entry.title for entry in entries]
    stamps = [entry.stamp or "" for entry in entries]
    stamp_side, title_side = changed_side(*stamps), changed_side(*titles)
    if stamp_side is None and stamps[1].startswith(stamps[2]):
        stamp_side = "ours"
    elif stamp_side is None and stamps[2].startswith(stamps[1]):
        stamp_side = "theirs"
    if stamp_side is None or title_side is None:
        return None
    line = (ours if stamp_side == "ours" else theirs).lines[0]
    old, new = (titles[1 if side == "ours" else 2] for side in (stamp_side, title_side))
    heading = chomp(line)
    if not heading.endswith(old):
        return None
    return heading.removesuffix(old) + new + line[len(heading) :]


# A marker: group 1 is its signs, seven or more of one kind at the left margin.
_MARKER = lazy_pattern(r"(<{7,}|\|{7,}|={7,}|>{7,})(?: .*)?$")


class Markers(NamedTuple):
    """The style of conflict markers: their length, the name of each version.

    with_base: the text of the base is shown as well, as in the conflict style diff3.
    """

    size: int = 7
    base: str = "base"
    ours: str = "ours"
    theirs: str = "theirs"
    with_base: bool = False


class MergedPart(NamedTuple):
    """The text of a part in the merged file, with terminators; is_conflict if it has markers."""

    part: Part
    lines: tuple[str, ...]
    is_conflict: bool = False


def merged_part(
    base: Part | None, ours: Part | None, theirs: Part | None, markers: Markers, newline: str
) -> MergedPart | None:
    """Merge the three versions of a part, None for a missing one; None if it is removed.

    A heading and the text under it are separate changes, and so are two units of a text. If both
    sides changed one of them, or one side changed what the other removed, both versions stay, in
    markers that end with newline. Trailing blanks are no change if the other side has made a
    change.
    """
    old, one, other = (part and part.without_blanks() for part in (base, ours, theirs))
    settled = _settled(base, ours, theirs, newline) or _settled(old, one, other, newline)
    if settled is not None:
        return settled if settled.lines else None
    conflict = _conflict(base, ours, theirs, markers, newline)
    named = ours or theirs
    assert named is not None
    return MergedPart(named, tuple(conflict), is_conflict=True)


def _settled(
    base: Part | None, ours: Part | None, theirs: Part | None, newline: str
) -> MergedPart | None:
    """Return the merge of a part's three versions, without lines if it is removed; or None."""
    if ours is None or theirs is None:
        side = ours or theirs
        if side is None or side.is_same(base) or side.is_restamped(base):
            removed = side or base
            assert removed is not None
            return MergedPart(removed, ())
        return None if base is not None else MergedPart(side, side.lines)
    if ours.is_same(theirs) or theirs.is_same(base):
        return MergedPart(ours, ours.lines)
    if ours.is_same(base):
        return MergedPart(theirs, theirs.lines)
    lines = _joined_changes(base, ours, theirs, newline) if base is not None else None
    return None if lines is None else MergedPart(ours, lines)


def _joined_changes(base: Part, ours: Part, theirs: Part, newline: str) -> tuple[str, ...] | None:
    """Return the changes of both sides in one entry; None if both changed the same thing."""
    sides = {"ours": ours, "theirs": theirs}
    heading = changed_side(base.content[:1], ours.content[:1], theirs.content[:1])
    line = sides[heading].lines[0] if heading else _joined_heading(base, ours, theirs)
    if line is None:
        return None
    texts = [part.content[1:] for part in (base, ours, theirs)]
    side = changed_side(*texts)
    if side is not None:
        return (line, *sides[side].lines[1:])
    # Entries that are only similar may be different ones on a template, with unrelated units.
    is_same = base.key == ours.key == theirs.key
    merged = merged_units(*texts) if is_same else None
    return None if merged is None else (line, *with_ends(merged, ours.lines, newline))


def with_ends(lines: Sequence[str], like: Sequence[str], newline: str) -> tuple[str, ...]:
    """Return lines with their terminators from another text, newline for lines not in it."""
    ends = {chomp(line): line[len(chomp(line)) :] for line in like}
    return tuple(line + (ends.get(line) or newline) for line in lines)


def _conflict(
    base: Part | None, ours: Part | None, theirs: Part | None, markers: Markers, newline: str
) -> Iterator[str]:
    size = markers.size
    yield f"{'<' * size} {markers.ours}{newline}"
    yield from terminated(ours.lines if ours else (), newline)
    if markers.with_base:
        yield f"{'|' * size} {markers.base}{newline}"
        yield from terminated(base.lines if base else (), newline)
    yield f"{'=' * size}{newline}"
    yield from terminated(theirs.lines if theirs else (), newline)
    yield f"{'>' * size} {markers.theirs}{newline}"


def without_markers(text: str) -> str:
    """Return a text without conflict marker lines; the enclosed text stays.

    If two branches have several merge bases, git merges these first and uses the result, including
    any conflicts, as the base.
    """
    lines = split_lines(text)
    dropped: set[int] = set()
    conflict: list[int] = []
    for index, line in enumerate(lines):
        marker = _MARKER.match(chomp(line))
        if marker is None:
            continue
        sign, size = marker[1][0], len(marker[1])
        if sign == "<":
            conflict = [index]
        elif conflict and size == len(lines[conflict[0]]) - len(lines[conflict[0]].lstrip("<")):
            conflict.append(index)
            if sign == ">":
                dropped.update(conflict)
                conflict = []
    return "".join(line for index, line in enumerate(lines) if index not in dropped)
