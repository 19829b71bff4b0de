"""Merges the three versions of one part: the changed side, or a conflict with markers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from learnings.consolidation.merge.parts import Part
from learnings.consolidation.merge.units import merged_units
from learnings.core.markdown.line_edits import terminated
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, split_lines

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
