"""Parses the text of a row, without its terminator: keys, lines, a path, cells."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.entries.titles import identity_key
from learnings.core.patterns import lazy_pattern

# The operators of rows, and the first words of the headings that they name.
OPERATORS: Mapping[str, str] = MappingProxyType({"when": "when", "how": "how to"})


def index_key(words: str, *, operator: str = "") -> str:
    """Return the key of a heading's text, or of the words after an operator (`when`, `how`).

    Casefolded, white space collapsed, inline markup kept. A heading `How to X` has the key of the
    rows `/how X` and `/how to X`. Raises KeyError for an unknown operator.
    """
    key = identity_key(None, words)
    lead = OPERATORS[operator] if operator else ""
    if lead == "how to" and key.startswith("to "):
        key = key.removeprefix("to ")
    return f"{lead} {key}" if lead and key else key


def operator_and_trigger(title: str) -> tuple[str, str] | None:
    """Return operator and trigger of a heading, ("how", "X") for `How to X`, or None."""
    words = title.split()
    for operator, lead in OPERATORS.items():
        size = len(lead.split())
        trigger = " ".join(words[size:])
        if index_key(" ".join(words[:size])) == lead and trigger:
            return operator, trigger
    return None


def operator_row(title: str) -> str | None:
    """Return the row `/when X` for a heading with operator and trigger; None if there is none."""
    parts = operator_and_trigger(title)
    return f"/{parts[0]} {parts[1]}" if parts else None


# A line may have megabytes. In 18,000 lines of real memory files, all pointers are within the first
# 180 characters.
_LONGEST_POINTER_TEXT = 1000
# Longer numbers are not line numbers, and int() refuses very long ones.
_MOST_DIGITS = 9
# A path begins after the surrounding text: starting at each of its letters took 0.2 s for a row of
# 1,000 letters. `path.md:12`, `path.md#L12-L20` · `(line 12)`, `[lines 12-20]` · a cell `| L12 |`.
_POINTER = lazy_pattern(
    r"(?<![^\s`|()\[\]→])(?P<path>[^\s`|()\[\]→]+\.\w+)(?::|\#L)(?P<a>\d+)(?:-L?(?P<b>\d+))?(?![\w-]|\.\w)"
    r"|[(\[](?:lines?[ ]|L)(?P<c>\d+)(?:[ ]?[-–][ ]?L?(?P<d>\d+))?[)\]]"
    r"|\|[ \t]*(?:lines?[ ]|L)(?P<e>\d+)(?:[ ]?[-–][ ]?L?(?P<f>\d+))?[ \t]*(?=\||$)"
)
# The same as a whole cell, in a column of lines: `12`, `12-20`, `line 12`.
_POINTER_CELL = lazy_pattern(r"[ \t]*(?:lines?[ ]|L)?(\d+)(?:[ ]?[-–][ ]?L?(\d+))?[ \t]*")


class Pointer(NamedTuple):
    """Lines that a row points at, 1-based; path is None for lines of the row's own file."""

    path: str | None
    first: int
    last: int


def pointers_in(text: str) -> tuple[Pointer, ...]:
    """Return the lines that a text points at: `x.md:12`, `x.md#L12`, `(line 12)`, `| L12-20`."""
    pointers: list[Pointer] = []
    for match in _POINTER.finditer(text[:_LONGEST_POINTER_TEXT]):
        first = match["a"] or match["c"] or match["e"]
        last = match["b"] or match["d"] or match["f"] or first
        pointers += _pointer(match["path"], first, last)
    return tuple(pointers)


def pointers_of_cell(cell: str) -> tuple[Pointer, ...]:
    """Return the lines in a cell of a column of lines: `12`, `12-20`, `L12`."""
    match = _POINTER_CELL.fullmatch(cell)
    return _pointer(None, match[1], match[2] or match[1]) if match else ()


def _pointer(path: str | None, first: str, last: str) -> tuple[Pointer, ...]:
    is_line = max(len(first), len(last)) <= _MOST_DIGITS
    return (Pointer(path, int(first), int(last)),) if is_line else ()


# Most bars or dashes tried as the end of a key: each attempt reads the line once, and a line may
# have megabytes of them. In 18,000 lines of real memory files none has more than 3 dashes.
MOST_ENDS = 8
# `/when`, `/how` or another single word after a slash; not a path such as `/usr/bin`.
_OPERATOR_WORD = lazy_pattern(r"/([A-Za-z][\w-]*)(?=[ \t|]|$)")
_TRIGGER_END = lazy_pattern(r"\|")  # the separator between the trigger and the extra words
_CODE_SPAN = lazy_pattern(r"`([^`]+)`")  # a whole text in code marks
_LINK = lazy_pattern(r"\[([^\]]+)\]\(<?([^)>]*?)>?\)")  # `[text](target)`, `[text](<target>)`


class RowReading(NamedTuple):
    """The content of one line, if it is a row.

    keys are all readings of its key, longest first, because a heading may contain the sign that
    ends a key. The last one counts if no heading decides. plain is False for a note that is a row
    only if a heading has its key. path comes from the row itself. fault is a clause about its form.
    """

    keys: tuple[str, ...] = ()
    plain: bool = True
    path: str | None = None
    fault: str | None = None
    pointers: tuple[Pointer, ...] = ()


def read_operator(text: str) -> RowReading | None:
    """Parse `/when trigger | words` or `/how …`; None if no word follows a slash."""
    match = _OPERATOR_WORD.match(text)
    if match is None:
        return None
    operator = match[1].casefold()
    if operator not in OPERATORS:
        known = " or ".join(f"/{name}" for name in OPERATORS)
        return RowReading(fault=f"/{match[1][:20]} is not an operator; use {known}")
    start = match.end()
    ends = [bar.start() for bar in islice(_TRIGGER_END.finditer(text, start), MOST_ENDS)]
    triggers = [text[start:end] for end in (len(text), *reversed(ends))]
    keys = unique_keys(index_key(trigger, operator=operator) for trigger in triggers)
    if "" in keys:
        return RowReading(fault=f"/{operator} has no trigger; write the heading after it")
    return RowReading(keys, pointers=pointers_in(text[ends[0] :]) if ends else ())


def keys_of_cell(cell: str) -> tuple[str, ...]:
    """Return the keys of a cell: as written or with an operator, without code marks or link."""
    texts = [cell.strip()]
    matches = (pattern.fullmatch(texts[0]) for pattern in (_CODE_SPAN, _LINK))
    texts += [match[1].strip() for match in matches if match]
    keys: list[str] = []
    for text in texts:
        reading = read_operator(text)
        keys += [*(reading.keys if reading else ()), index_key(text)]
    return unique_keys(key for key in keys if key)


def renamed_cell(cell: str, name: str) -> str:
    """Return a cell with the name of another heading, in the same marks and blanks."""
    text = cell.strip()
    lead = cell[: len(cell) - len(cell.lstrip())]
    tail = cell[len(lead) + len(text) :]
    if code := _CODE_SPAN.fullmatch(text):
        return f"{lead}`{renamed_cell(code[1], name)}`{tail}"
    if link := _LINK.fullmatch(text):
        return f"{lead}[{renamed_cell(link[1], name)}{text[link.end(1) :]}{tail}"
    words, bar, extra = text.partition("|")
    if read_operator(text) is None:
        return f"{lead}{name}{tail}"
    gap = words[len(words.rstrip()) :]
    return f"{lead}{operator_row(name) or name}{gap}{bar}{extra}{tail}"


def path_of_cell(cell: str) -> str:
    """Return the path in a cell, without code marks, link, anchor or line."""
    text = cell.strip()
    if link := _LINK.fullmatch(text):
        text = link[2].strip()
    elif code := _CODE_SPAN.fullmatch(text):
        text = code[1].strip()
    pointer = _POINTER.fullmatch(text)
    return ((pointer["path"] if pointer else None) or text).partition("#")[0]


def unique_keys(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


KEY_COLUMN, TOPIC_COLUMN, FILE_COLUMN = "key", "topic", "file"
DATE_COLUMN, LINE_COLUMN = "date", "line"
_COLUMN_MEANINGS = {
    **dict.fromkeys(("key", "heading", "trigger"), KEY_COLUMN),
    **dict.fromkeys(
        ("topic", "title", "name", "entry", "learning", "decision", "lesson"), TOPIC_COLUMN
    ),
    **dict.fromkeys(("file", "path"), FILE_COLUMN),
    **dict.fromkeys(("date",), DATE_COLUMN),
    **dict.fromkeys(("line", "lines"), LINE_COLUMN),
}
# The line below the header: `|---|:-:|`, with or without outer bars. It matches no trailing blanks,
# which would cause backtracking.
_DELIMITER = lazy_pattern(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_ROW_START = lazy_pattern(r" {0,3}\|")  # four blanks would make it code
_CELL_END = lazy_pattern(r"(?<!\\)\|")  # an unescaped bar: the end of a cell


class Table(NamedTuple):
    """A table by its 1-based lines: header first, delimiter second, last its last row.

    columns are the meanings of the columns, None for an unknown one.
    """

    first: int
    last: int
    columns: tuple[str | None, ...]

    @property
    def subject(self) -> int | None:
        """The column whose cell names a heading, counted from 0."""
        subjects = (name for name in (KEY_COLUMN, TOPIC_COLUMN) if name in self.columns)
        subject = next(subjects, None)
        return None if subject is None else self.columns.index(subject)


def tables_in(
    contents: Sequence[str], hidden: Container[int], *, guess: bool = False
) -> Iterator[Table]:
    """Yield the tables with a heading column, in lines without terminators.

    hidden are code, comments and headings. If no column is known to hold headings, guess takes the
    first one without a known meaning.
    """
    number = 1
    while number < len(contents):
        header, delimiter = contents[number - 1], contents[number]
        if (
            number not in hidden
            and number + 1 not in hidden
            and _ROW_START.match(header) is not None
            and _DELIMITER.fullmatch(delimiter.rstrip(" \t")) is not None
            and len(cells(header)) == len(cells(delimiter))
        ):
            columns = columns_of(header, guess=guess)
            last = number + 1
            while (
                last < len(contents) and last + 1 not in hidden and _ROW_START.match(contents[last])
            ):
                last += 1
            table = Table(number, last, columns)
            if table.subject is not None:
                yield table
            number = last
        number += 1


def cells(content: str) -> list[str]:
    r"""Return the cells of a row, `\|` as `|`, without the blanks around them."""
    parts = _CELL_END.split(content.strip(" \t").removeprefix("|"))
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    return [part.strip().replace("\\|", "|") for part in parts]


def read_cells(content: str, table: Table) -> RowReading:
    by_meaning = dict(zip(table.columns, cells(content), strict=False))
    subject = table.columns[table.subject or 0]
    keys = keys_of_cell(by_meaning.get(subject, ""))
    path = path_of_cell(by_meaning.get(FILE_COLUMN, "")) or None
    fault = None if keys else "the row names no heading; fill the cell, or remove the row"
    pointers = pointers_of_cell(by_meaning.get(LINE_COLUMN, ""))
    pointers = pointers or pointers_in(by_meaning.get(FILE_COLUMN, ""))
    return RowReading(keys, path=path, fault=fault, pointers=pointers)


def row_of(table: Table, values: Mapping[str, str]) -> str:
    """Return a row with the given values in their columns, and the other cells empty."""
    texts = (values.get(column or "", "") for column in table.columns)
    inner = " | ".join(" ".join(text.split()).replace("|", "\\|") for text in texts)
    return f"| {inner} |"


def with_subject(content: str, table: Table, name: str) -> str | None:
    """Return a row with another name in its heading cell; None if it has no such cell."""
    start = len(content) - len(content.lstrip(" \t"))
    start += content.startswith("|", start)
    ends = [bar.start() for bar in _CELL_END.finditer(content, start)]
    spans = list(zip([start, *(end + 1 for end in ends)], [*ends, len(content)], strict=True))
    number = table.subject
    if number is None or number >= len(spans):
        return None
    first, last = spans[number]
    cell = renamed_cell(content[first:last].replace("\\|", "|"), name)
    return content[:first] + cell.replace("|", "\\|") + content[last:]


def columns_of(header: str, *, guess: bool = False) -> tuple[str | None, ...]:
    """Return the meanings of the columns of a header line; guess is described at tables_in()."""
    columns = [_COLUMN_MEANINGS.get(name.strip("*` ").casefold()) for name in cells(header)]
    if guess and KEY_COLUMN not in columns and TOPIC_COLUMN not in columns and None in columns:
        columns[columns.index(None)] = TOPIC_COLUMN
    return tuple(columns)
