"""The tables of a memory index: where they are, what their columns mean, their cells."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.index.pointers import pointers_in, pointers_of_cell
from learnings.core.index.reading import Reading, keys_of_cell, path_of_cell
from learnings.core.patterns import lazy_pattern

KEY, TOPIC, FILE, DATE, LINE = "key", "topic", "file", "date", "line"

_MEANINGS = {
    **dict.fromkeys(("key", "heading", "trigger"), KEY),
    **dict.fromkeys(("topic", "title", "name", "entry", "learning", "decision", "lesson"), TOPIC),
    **dict.fromkeys(("file", "path"), FILE),
    **dict.fromkeys(("date",), DATE),
    **dict.fromkeys(("line", "lines"), LINE),
}
# The line below the header: `|---|:-:|`, with or without bars at its ends; without blanks at its
# end, which would be looked at in many ways.
_DELIMITER = lazy_pattern(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_START = lazy_pattern(r" {0,3}\|")  # a row that begins with a bar; four blanks would make it code
_BAR = lazy_pattern(r"(?<!\\)\|")  # a bar that is not escaped: the end of a cell


class Table(NamedTuple):
    """A table by its lines, 1-based: header first, delimiter second, last its last row.

    columns are what the columns mean, None for one with a meaning of its own.
    """

    first: int
    last: int
    columns: tuple[str | None, ...]

    @property
    def subject(self) -> int | None:
        """The column whose cell names a heading, counted from 0."""
        return next(
            (self.columns.index(meaning) for meaning in (KEY, TOPIC) if meaning in self.columns),
            None,
        )


def tables_in(
    contents: Sequence[str], hidden: Container[int], *, guess: bool = False
) -> Iterator[Table]:
    """Give the tables in a file's lines (without terminators) that have a column of headings.

    hidden are lines that are code, comments, headings. With guess the first column without a
    known meaning is that column where no other is.
    """
    number = 1
    while number < len(contents):
        if _is_header(contents, hidden, number):
            columns = columns_of(contents[number - 1], guess=guess)
            last = _last_row(contents, hidden, number + 1)
            table = Table(number, last, columns)
            if table.subject is not None:
                yield table
            number = last
        number += 1


def cells(content: str) -> list[str]:
    r"""Return the cells of a row, `\|` as `|`, without the blanks around them."""
    inner = content.strip(" \t")
    inner = inner.removeprefix("|")
    parts = _BAR.split(inner)
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [part.strip().replace("\\|", "|") for part in parts]


def read_cells(content: str, table: Table) -> Reading:
    """Read one row of a table."""
    by_meaning = dict(zip(table.columns, cells(content), strict=False))
    subject = table.columns[table.subject or 0]
    keys = keys_of_cell(by_meaning.get(subject, ""))
    path = path_of_cell(by_meaning.get(FILE, "")) or None
    fault = None if keys else "the row names no heading; fill the cell, or remove the row"
    pointers = pointers_of_cell(by_meaning.get(LINE, "")) or pointers_in(by_meaning.get(FILE, ""))
    return Reading(keys, path=path, fault=fault, pointers=pointers)


def row_of(table: Table, values: Mapping[str, str]) -> str:
    """Return a row with the given values in the columns that mean them, the others empty."""
    texts = (values.get(column or "", "") for column in table.columns)
    inner = " | ".join(" ".join(text.split()).replace("|", "\\|") for text in texts)
    return f"| {inner} |"


def columns_of(header: str, *, guess: bool = False) -> tuple[str | None, ...]:
    """Return what the columns of a header line mean; guess is described at tables_in()."""
    columns = [_MEANINGS.get(name.strip("*` ").casefold()) for name in cells(header)]
    if guess and KEY not in columns and TOPIC not in columns and None in columns:
        columns[columns.index(None)] = TOPIC
    return tuple(columns)


def _is_header(contents: Sequence[str], hidden: Container[int], number: int) -> bool:
    header, delimiter = contents[number - 1], contents[number]
    return (
        number not in hidden
        and number + 1 not in hidden
        and _START.match(header) is not None
        and "-" in delimiter
        and _DELIMITER.fullmatch(delimiter.rstrip(" \t")) is not None
        and len(cells(header)) == len(cells(delimiter))
    )


def _last_row(contents: Sequence[str], hidden: Container[int], number: int) -> int:
    while number < len(contents) and number + 1 not in hidden and _START.match(contents[number]):
        number += 1
    return number
