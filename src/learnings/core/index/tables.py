"""The tables of a memory index: where they are, what their columns mean, their cells."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.index.forms import Reading, cell_keys, cell_path, pointer_cell, pointers_in

KEY, TOPIC, FILE, DATE, LINE = "key", "topic", "file", "date", "line"

_ROLES = {
    **dict.fromkeys(("key", "heading", "trigger"), KEY),
    **dict.fromkeys(("topic", "title", "name", "entry", "learning", "decision", "lesson"), TOPIC),
    **dict.fromkeys(("file", "path"), FILE),
    **dict.fromkeys(("date",), DATE),
    **dict.fromkeys(("line", "lines"), LINE),
}
_DELIMITER = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_START = re.compile(r" {0,3}\|")
_BAR = re.compile(r"(?<!\\)\|")


class Table(NamedTuple):
    """A table by its lines, 1-based: header first, delimiter second, last its last row.

    columns says what each column means, None for one of the reader's own.
    """

    first: int
    last: int
    columns: tuple[str | None, ...]

    @property
    def subject(self) -> int | None:
        """The column whose cell names a heading, counted from 0."""
        return next(
            (self.columns.index(role) for role in (KEY, TOPIC) if role in self.columns), None
        )


def tables(
    contents: Sequence[str], hidden: Container[int], *, guess: bool = False
) -> Iterator[Table]:
    """Give the tables in a file's lines (without terminators) that have a column of headings.

    hidden are lines that are code, comments, headings. guess takes the first column that has no
    meaning of its own for that column where none says so.
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
    found = dict(zip(table.columns, cells(content), strict=False))
    subject = table.columns[table.subject or 0]
    keys = cell_keys(found.get(subject, ""))
    place = cell_path(found.get(FILE, "")) or None
    fault = None if keys else "the row names no heading; fill the cell, or remove the row"
    pointers = pointer_cell(found.get(LINE, "")) or pointers_in(found.get(FILE, ""))
    return Reading(keys, place=place, fault=fault, pointers=pointers)


def row_of(table: Table, values: Mapping[str, str]) -> str:
    """Return a row with the given values in the columns that mean them, the others empty."""
    texts = (values.get(column or "", "") for column in table.columns)
    inner = " | ".join(" ".join(text.split()).replace("|", "\\|") for text in texts)
    return f"| {inner} |"


def columns_of(header: str, *, guess: bool = False) -> tuple[str | None, ...]:
    """Return what the columns of a header line mean."""
    columns = [_ROLES.get(name.strip("*` ").casefold()) for name in cells(header)]
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
        and _DELIMITER.fullmatch(delimiter) is not None
        and len(cells(header)) == len(cells(delimiter))
    )


def _last_row(contents: Sequence[str], hidden: Container[int], number: int) -> int:
    while number < len(contents) and number + 1 not in hidden and _START.match(contents[number]):
        number += 1
    return number
