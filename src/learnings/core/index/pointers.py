"""The lines of a file that a row of a memory index points at."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.patterns import lazy_pattern

# A line may have megabytes. In 18,000 lines of real memory files all pointers stand among the first
# 180 characters.
_LONGEST_TEXT = 1000
# Longer numbers are not line numbers, and int() refuses very long ones.
_MOST_DIGITS = 9
# A path begins where the text around it ends: tried at each letter of it, a row of 1,000 letters
# took 0.2 s. `path.md:12`, `path.md#L12-L20` · `(line 12)`, `[lines 12-20]` · a cell `| L12 |`.
_POINTER = lazy_pattern(
    r"(?<![^\s`|()\[\]→])(?P<path>[^\s`|()\[\]→]+\.\w+)(?::|\#L)(?P<a>\d+)(?:-L?(?P<b>\d+))?(?![\w-]|\.\w)"
    r"|[(\[](?:lines?[ ]|L)(?P<c>\d+)(?:[ ]?[-–][ ]?L?(?P<d>\d+))?[)\]]"
    r"|\|[ \t]*(?:lines?[ ]|L)(?P<e>\d+)(?:[ ]?[-–][ ]?L?(?P<f>\d+))?[ \t]*(?=\||$)"
)
# What is in a text with a pointer. Rows of tables, which most pointers are not in, hold none.
_SIGNS = (":", "L", "line")
# The same as a whole cell, where the column says that it holds lines: `12`, `12-20`, `line 12`.
_CELL = lazy_pattern(r"[ \t]*(?:lines?[ ]|L)?(\d+)(?:[ ]?[-–][ ]?L?(\d+))?[ \t]*")


class Pointer(NamedTuple):
    """Lines that a row points at, 1-based; path is None where they are those of the row's file."""

    path: str | None
    first: int
    last: int


def pointers_in(text: str) -> tuple[Pointer, ...]:
    """Return the lines that a text points at: `x.md:12`, `x.md#L12`, `(line 12)`, `| L12-20`."""
    if not any(sign in text for sign in _SIGNS):
        return ()
    pointers: list[Pointer] = []
    for match in _POINTER.finditer(text[:_LONGEST_TEXT]):
        first = match["a"] or match["c"] or match["e"]
        last = match["b"] or match["d"] or match["f"] or first
        pointers += _pointer(match["path"], first, last)
    return tuple(pointers)


def pointers_of_cell(cell: str) -> tuple[Pointer, ...]:
    """Return the lines that a cell in a column of lines names: `12`, `12-20`, `L12`."""
    match = _CELL.fullmatch(cell)
    return _pointer(None, match[1], match[2] or match[1]) if match else ()


def without_lines(text: str) -> str:
    """Return the path of a text that is a path with lines (`x.md:12`), any other as it is."""
    match = _POINTER.fullmatch(text)
    return (match["path"] if match else None) or text


def _pointer(path: str | None, first: str, last: str) -> tuple[Pointer, ...]:
    is_line = max(len(first), len(last)) <= _MOST_DIGITS
    return (Pointer(path, int(first), int(last)),) if is_line else ()
