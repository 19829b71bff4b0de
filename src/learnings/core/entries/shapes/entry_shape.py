"""The shapes of files that mix entries with other text, or write them in forms of their own."""

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
        """Return the dialect of a file that has this shape by what it holds, else None."""

    def bounds(self, lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
        """Return the lines, 1-based, on which an entry begins or the one above it ends.

        The value is the level of the entry: that of its heading, 0 where it begins with an item, a
        row or a paragraph. It is None where no entry begins.
        """


_SHAPES: Mapping[str, EntryShape] = {
    TABLE: table,
    SECTIONS: sections,
    TEAM_LOG: team_log,
    PARAGRAPH: paragraphs,
}


def bounds_of(name: str, lines: Sequence[str], outline: Outline) -> Mapping[int, int | None]:
    """Return the bounds of a file read in the shape of that name; see EntryShape.bounds()."""
    return _SHAPES[name].bounds(lines, outline)


def recognised(name: str, shape: Shape) -> Dialect | None:
    """Return the dialect of a file that has the shape of that name, else None."""
    return _SHAPES[name].recognise(shape)
