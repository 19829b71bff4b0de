r"""Convert between lines and columns of findings and positions of editors.

A finding counts from 1: lines that end in "\n" (in "\r" if the text has no "\n"), and characters
without the byte order mark. An editor counts from 0: lines that end in "\n", "\r\n" or "\r", and
units of the encoding it has chosen.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, LINE_ENDS, split_lines

UTF_8, UTF_16, UTF_32 = "utf-8", "utf-16", "utf-32"
# Characters of more than one unit.
_WIDE = {
    UTF_8: lazy_pattern("[^\0-\x7f]"),
    UTF_16: lazy_pattern("[\U00010000-\U0010ffff]"),
    UTF_32: lazy_pattern("(?!)"),
}

_CODEC = {UTF_8: "utf-8", UTF_16: "utf-16-le", UTF_32: "utf-32-le"}
_UNIT = {UTF_8: 1, UTF_16: 2, UTF_32: 4}


class Position(NamedTuple):
    """A position as an editor counts it."""

    line: int
    character: int


class TextEdit(NamedTuple):
    """New text for the characters from start to end."""

    start: Position
    end: Position
    text: str


class TextPlaces:
    """The places of one text; it is read once, then every place is a look-up."""

    def __init__(self, text: str, encoding: str = UTF_16) -> None:
        self.text = text
        self._starts = [*accumulate(map(len, split_lines(text)), initial=0)]
        self._editor_starts = [0, *(end.end() for end in LINE_ENDS.finditer(text))]
        wide = [match.start() for match in _WIDE[encoding].finditer(text)]
        self._wide = wide
        extra = (
            len(text[offset].encode(_CODEC[encoding])) // _UNIT[encoding] - 1 for offset in wide
        )
        self._extra = [*accumulate(extra, initial=0)]

    def position(self, line: int, column: int = 1) -> Position:
        """Return the position of a finding; the end of the text if it is beyond."""
        return self._position_of(self._offset(line, column))

    def range_of(self, line: int, column: int = 1) -> tuple[Position, Position]:
        """Return the range from the place of a finding to the end of the words on its line."""
        start = self._offset(line, column)
        following = self._starts[line] if line < len(self._starts) else len(self.text)
        end = start + len(self.text[start:following].rstrip())
        return self._position_of(start), self._position_of(end)

    def line_at(self, position: Position) -> int:
        """Return the line of a finding that an editor's position is on."""
        last = len(self._editor_starts) - 1
        offset = self._editor_starts[min(max(position.line, 0), last)]
        return min(bisect_right(self._starts, offset), max(len(self._starts) - 1, 1))

    def edit_to(self, other: str) -> TextEdit | None:
        """Return the edit of whole lines that turns this text into another, None if equal."""
        if other == self.text:
            return None
        old, new = split_lines(self.text), split_lines(other)
        before = _common(old, new)
        behind = _common(old[before:][::-1], new[before:][::-1])
        start, end = self._starts[before], self._starts[len(old) - behind]
        text = "".join(new[before : len(new) - behind])
        return TextEdit(self._position_of(start), self._position_of(end), text)

    def _offset(self, line: int, column: int) -> int:
        start = self._starts[min(line, len(self._starts)) - 1]
        bom = line == 1 and self.text.startswith(BOM)
        return min(start + bom + column - 1, len(self.text))

    def _position_of(self, offset: int) -> Position:
        line = bisect_right(self._editor_starts, offset) - 1
        start = self._editor_starts[line]
        return Position(line, self._units(offset) - self._units(start))

    def _units(self, offset: int) -> int:
        return offset + self._extra[bisect_left(self._wide, offset)]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))
