"""The shapes of files that mix entries with other text, or have entries of their own form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from learnings.core.entries.dialects import PARAGRAPH, SECTIONS, TABLE, TEAM_LOG
from learnings.core.entries.shapes import paragraphs, sections, table, team_log

if TYPE_CHECKING:
    from learnings.core.entries.dialects import Dialect, Shape
    from learnings.core.markdown.outline import Outline


class EntryShape(Protocol):
    """A shape that a file can have; each is a module of this package."""

    def recognise(self, shape: Shape) -> Dialect | None:
        """Return the dialect of a file that has this shape, or None."""

    def bounds(self, lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
        """Return the lines (1-based) that begin an entry or end one.

        The value is the level of the entry (0 without a heading), None for an end.
        """


_SHAPES: Mapping[str, EntryShape] = {
    TABLE: table,
    SECTIONS: sections,
    TEAM_LOG: team_log,
    PARAGRAPH: paragraphs,
}


def bounds_of(name: str, lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
    """Return the bounds in the shape of this name; see EntryShape.bounds()."""
    return _SHAPES[name].bounds(lines, outline)


def recognised(name: str, shape: Shape) -> Dialect | None:
    """Return the dialect of a file that has the shape of this name, or None."""
    return _SHAPES[name].recognise(shape)
