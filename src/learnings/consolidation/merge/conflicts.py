"""Conflicts in a file: written for what both sides changed, and found in the base.

The base has conflicts if somebody committed the markers, or if two branches have several merge
bases: git merges these first, and the result is the base with any conflict in it. Neither side has
removed what it lacks of such a conflict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.merge.versions import Lines
from learnings.core.markdown.line_edits import terminated
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, split_lines

# A marker: group 1 is its signs, all of one kind at the left margin. Git writes seven, more in the
# base of a criss-cross merge, and as many as the attribute conflict-marker-size says.
_MARKER = lazy_pattern(r"(<{3,}|\|{3,}|={3,}|>{3,})(?: .*)?$")


class Markers(NamedTuple):
    """The style of conflict markers: their length, the name of each version.

    with_base: the text of the base is shown as well, as in the conflict style diff3.
    """

    size: int = 7
    base: str = "base"
    ours: str = "ours"
    theirs: str = "theirs"
    with_base: bool = False


def conflict(versions: Sequence[Lines], markers: Markers, newline: str) -> Iterator[str]:
    """Yield ours and theirs of three versions in markers, which end with newline."""
    base, ours, theirs = versions
    size = markers.size
    yield f"{'<' * size} {markers.ours}{newline}"
    yield from terminated(ours, newline)
    if markers.with_base:
        yield f"{'|' * size} {markers.base}{newline}"
        yield from terminated(base, newline)
    yield f"{'=' * size}{newline}"
    yield from terminated(theirs, newline)
    yield f"{'>' * size} {markers.theirs}{newline}"


def without_conflicts(text: str, *sides: str) -> tuple[str, frozenset[str]]:
    """Return a base without its conflicts, and the lines in them, without terminators.

    A conflict that a side still has is a text like any other: the other side may have settled it.
    """
    lines = split_lines(text)
    held = ["\n".join(map(chomp, split_lines(side))) for side in sides]
    gone: set[int] = set()
    for start, stop in _conflicts(lines):
        content = "\n".join(map(chomp, lines[start:stop]))
        if not any(content in side for side in held):
            gone.update(range(start, stop))
    rest = "".join(line for index, line in enumerate(lines) if index not in gone)
    return rest, frozenset(chomp(lines[index]) for index in gone)


def without_markers(text: str) -> str:
    """Return a text without the markers of its conflicts; the enclosed text stays."""
    lines = split_lines(text)
    inside = {n for start, stop in _conflicts(lines) for n in range(start, stop)}
    return "".join(
        line for n, line in enumerate(lines) if n not in inside or not _MARKER.match(chomp(line))
    )


def _conflicts(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Return the first line (0-based) of each conflict, and the line below it.

    A conflict inside of another, as git nests them, belongs to the outer one.
    """
    opened: list[tuple[int, int]] = []  # the first line and the size of each open conflict
    divided: set[int] = set()
    found: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        marker = _MARKER.match(chomp(line))
        if marker is None:
            continue
        sign, size = marker[1][0], len(marker[1])
        if sign == "<":
            opened.append((index, size))
            continue
        depth = next((n for n in reversed(range(len(opened))) if opened[n][1] == size), None)
        if depth is None:
            continue
        start, _ = opened[depth]
        if sign == "=":
            divided.add(start)
        elif sign == ">" and start in divided:
            del opened[depth:]
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, index + 1))
    return found
