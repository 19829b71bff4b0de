"""A memory index as a value: its lines, its rows with the place of each part, and their writer.

A form is an item of FORMS, a name in INDEX_FORMS (core/settings/keys.py), an example in the tests
and a paragraph of docs/memory-index.md; only this module knows how it is read and written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from posixpath import dirname, join, normpath, relpath
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.entries.dialects import INDEX_END, INDEX_MARK, INDEX_START
from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.markdown.inline_text import cells_of
from learnings.core.markdown.line_kinds import BULLET_MARKER, LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode
from learnings.index.headings import OPERATORS, Heading, index_key, operator_row

Span = tuple[int, int]
"""The place of a part in its line, as offsets."""
MISSING: Span = (-1, -1)


class Pointer(NamedTuple):
    """Lines that a row points at, 1-based; path is None for lines of the row's own file."""

    path: str | None
    first: int
    last: int
    path_at: Span
    first_at: Span
    last_at: Span


class Table(NamedTuple):
    """A table by its 1-based lines: header first, delimiter second, last its last row.

    columns are the meanings of the columns, None for an unknown one.
    """

    first: int
    last: int
    columns: tuple[str | None, ...]


class Row(NamedTuple):
    """A line that is a row or, if it is not plain, a note that is a row if a heading has its key.

    keys are all readings of its key, longest first, because a heading may contain the sign that
    ends a key; the last one counts if no heading decides. name and path_at are the places of the
    words for the heading and of the path, if the row itself has one. path is written there or in
    the heading above; empty if neither could name a file, None if the row should and does not.
    Rows are ordered within a group: a section or a table. fault is a clause about the form.
    """

    text: str
    keys: tuple[str, ...] = ()
    name: Span = MISSING
    pointers: tuple[Pointer, ...] = ()
    path: str | None = None
    path_at: Span = MISSING
    fault: str | None = None
    plain: bool = True
    line: int = 0
    group: int = 0
    table: Table | None = None

    @property
    def bullet(self) -> str:
        """The marker of a list item, with the blanks behind it."""
        return "" if self.table or self.fault else self.text[: self.name[0]]


class Section(NamedTuple):
    """A run of lines below a heading of level 1 or 2; title is None above the first heading.

    level is 0 there. Lines are 1-based; first (the heading) and last belong to the section.
    """

    title: str | None
    level: int
    first: int
    last: int

    @property
    def path(self) -> str:
        """The path in a heading of level 2, without code marks; else empty."""
        title = (self.title or "") if self.level == 2 else ""
        inner = title[1:-1] if len(title) > 2 and title[0] == title[-1] == "`" else title
        return inner.removeprefix("./")


class Form(NamedTuple):
    """A form of an index; looks and example are for messages, head begins each of its tables."""

    name: str
    looks: str
    example: str
    head: tuple[str, ...] = ()
    is_block: bool = False  # rows repeat the entries of the same file, so a fix rebuilds them


FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "rows": Form(
            "rows",
            "sections of rows",
            "a line such as `/when a build hangs`, `/how read a log` or `Caches — what is kept`, "
            "below a heading `## path/of/file.md`",
        ),
        "table": Form(
            "table",
            "a table",
            "a line such as `| Builds | path/of/file.md | When a build hangs |`, below the head "
            "`| Topic | File | Key |`",
            ("| Topic | File | Key |", "|---|---|---|"),
        ),
        "block": Form(
            "block",
            "an index block",
            "a line such as `| 2026-03-01 | When a build hangs |`, in a table between the comments "
            "`INDEX:START` and `INDEX:END`",
            ("| Date | Entry |", "|---|---|"),
            is_block=True,
        ),
    }
)

# The kind of a path before anyone looks it up, so that `Notes` is not taken for a file.
_FILE_NAME = lazy_pattern(r"\S+\.(?:md|markdown|mdx|mdc)", re.IGNORECASE)


class Index(NamedTuple):
    """A memory index; path is POSIX, relative to the repository's root.

    lines have terminators, but no BOM. unread are paths of files that exist and nobody can read.
    block is the first and last line of an index block, including its markers; faults are lines that
    prevent a rewrite of the block, each with the reason.
    """

    path: str
    form: Form
    bom: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    unread: frozenset[str] = frozenset()
    rows: tuple[Row, ...] = ()
    tables: tuple[Table, ...] = ()
    block: tuple[int, int] | None = None
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def is_block_readable(self) -> bool:
        """True if there is no index block, or if it is empty or a table of entries."""
        first, last = self.block or (0, 1)
        return bool(self.tables) or not "".join(self.lines[first : last - 1]).strip()

    def to_bytes(self) -> bytes:
        return encode(self.bom + "".join(self.lines))

    def with_lines(self, lines: Iterable[str]) -> Index:
        """Return the index with other lines, given with their terminators."""
        data = encode(self.bom + "".join(lines))
        return read_index(data, form=self.form.name, path=self.path, unread=self.unread)

    def resolve(self, path: str, known: Container[str]) -> str | None:
        """Return the path from the root that a path in this index means, None if it is not a file.

        known are the existing paths relative to the root; an unknown path counts if it looks like a
        file.
        """
        for candidate in _path_candidates(self.path, path):
            if candidate in known or candidate in self.unread:
                return candidate
        return path if _FILE_NAME.fullmatch(path) else None

    def path_like(self, written: str, old: str, new: str) -> str:
        """Return a new path in the way that `written` names the old one: from root or folder."""
        is_from_root = normpath(written) == old and not written.startswith("../")
        return new if is_from_root else relpath(new, dirname(self.path) or ".")

    def section_at(self, number: int) -> Section:
        """Return the section that contains the line with this 1-based number."""
        below = bisect_right(self.sections, number, key=lambda section: section.first)
        return self.sections[below - 1]

    def section_paths(self) -> Iterator[tuple[str, int]]:
        """Yield the paths of the sections that may be files, with their lines."""
        for section in () if self.form.is_block else self.sections:
            if section.path:
                yield section.path, section.first

    def named_paths(self) -> tuple[str, ...]:
        """Return the paths that the index may name, to be looked up from the repository's root."""
        written = [path for path, _ in self.section_paths()]
        written += [row.path for row in self.rows if row.path]
        candidates = (path for name in written for path in _path_candidates(self.path, name))
        return tuple(dict.fromkeys(candidates))


# All rows of a section have its path.
@lru_cache(maxsize=1024)
def _path_candidates(index_path: str, path: str) -> tuple[str, str]:
    return normpath(path), normpath(join(dirname(index_path), path))


def read_index(
    data: bytes, *, form: str = "rows", path: str = "", unread: Iterable[str] = ()
) -> Index:
    """Parse a memory index in the form of this name; accepts any input.

    path is a POSIX path relative to the repository's root. Raises ValueError if form is not in
    FORMS.
    """
    if form not in FORMS:
        raise ValueError(f"{form!r} is not a form of a memory index; use one of {', '.join(FORMS)}")
    blocks = blocks_of(data)
    lines = blocks.lines
    bom = BOM if lines and lines[0].startswith(BOM) else ""
    if bom:
        lines = (lines[0].removeprefix(bom), *lines[1:])
    index = Index(path, FORMS[form], bom, lines, tuple(_sections(blocks)), frozenset(unread))
    return _with_table_rows(index, blocks) if index.form.head else _with_rows(index, blocks)


def has_block(data: bytes) -> bool:
    """Return True if a file has an index block that is or shall become a table."""
    # A list between the markers is maintained by another program.
    if INDEX_MARK not in data:
        return False
    index = read_index(data, form="block")
    return bool(index.faults) or (index.block is not None and index.is_block_readable)


def _sections(blocks: Blocks) -> Iterator[Section]:
    """Yield the sections of a file; joined again they are all of its lines."""
    title, level, first = None, 0, 1
    for heading in blocks.outline.headings:
        if heading.level <= 2:
            if heading.line > first:
                yield Section(title, level, first, heading.line - 1)
            title = heading_text(blocks.lines[heading.line - 1])
            level, first = heading.level, heading.line
    if first <= len(blocks.lines):
        yield Section(title, level, first, len(blocks.lines))


def hidden_lines(blocks: Blocks) -> set[int]:
    """Return the 1-based lines without rows: front matter, headings, fenced code, comments."""
    headings = (heading.line for heading in blocks.outline.headings)
    return {*blocks.outline.hidden_lines(blocks.front_matter), *headings}


# Rows as lines of a section.

# A dash between blanks, or at the end, ends the key.
_DASH = lazy_pattern(r"(?<![ \t])[ \t]+[—–](?=[ \t]|$)")
# Most bars or dashes tried as the end of a key: each attempt reads the line once, and a line may
# have megabytes of them. In 18,000 lines of real memory files none has more than 3 dashes.
_MOST_ENDS = 8
# `/when`, `/how` or another single word after a slash; not a path such as `/usr/bin`.
_OPERATOR_WORD = lazy_pattern(r"/([A-Za-z][\w-]*)(?=[ \t|]|$)")
_TRIGGER_END = lazy_pattern(r"\|")  # the separator between the trigger and the extra words
_BULLET = lazy_pattern(rf"{BULLET_MARKER}[ \t]+")
# Lines that Markdown or a reader takes for something other than a row, unless a heading matches:
# bullets, quotes, tables, HTML, rules, emphasis, code, numbered items, link definitions.
_NO_ROW = lazy_pattern(rf"[-*+>|<~=—–#]|__|`{{3}}|{LIST_MARKER}(?:[ \t]|$)|\[[^\]]*\]:")


def _with_rows(index: Index, blocks: Blocks) -> Index:
    """Find the rows; rows above the first heading of level 2 have no path."""
    hidden = hidden_lines(blocks)
    contents = ["", *map(chomp, index.lines), ""]
    rows = []
    for group, section in enumerate(index.sections):
        for number in range(section.first, section.last + 1):
            text = contents[number]
            row = None if number in hidden else read_line(without_ignores(text))
            if row is None:
                continue
            near = [contents[n] for n in (number - 1, number + 1) if n not in hidden]
            is_prose = any(line[:1].isalpha() and read_line(line) is None for line in near)
            if row.bullet and (is_prose or contents[number + 1][:1] in (" ", "\t")):
                continue  # an item of several lines
            plain = row.plain and (text.startswith("/") or not is_prose)
            row = row._replace(text=text, plain=plain, path=section.path, line=number, group=group)
            rows.append(row)
    return index._replace(rows=tuple(rows))


def read_line(text: str) -> Row | None:
    """Parse a line without terminator; None if it is not a row, which begins in the first column.

    A list item is read behind its marker.
    """
    if not text or text[0] in " \t":
        return None
    bullet = _BULLET.match(text)
    start = bullet.end() if bullet else 0
    row = _read_operator(text, start)
    if row is None:
        ends = [dash.start() for dash in islice(_DASH.finditer(text, start), _MOST_ENDS)]
        if not ends:
            return None
        keys = _unique(index_key(text[start:end]) for end in (len(text), *reversed(ends)))
        row = Row(text, keys, (start, ends[0]), _pointers_in(text, ends[0]))
    if bullet and row.fault:
        return None
    return row._replace(plain=_NO_ROW.match(text) is None)


def _read_operator(text: str, start: int = 0) -> Row | None:
    """Parse `/when trigger | words` or `/how …`; None if no word follows a slash."""
    match = _OPERATOR_WORD.match(text, start)
    if match is None:
        return None
    operator = match[1].casefold()
    if operator not in OPERATORS:
        known = " or ".join(f"/{name}" for name in OPERATORS)
        return Row(text, fault=f"/{match[1][:20]} is not an operator; use {known}")
    ends = [bar.start() for bar in islice(_TRIGGER_END.finditer(text, match.end()), _MOST_ENDS)]
    triggers = (text[match.end() : end] for end in (len(text), *reversed(ends)))
    keys = _unique(index_key(trigger, operator=operator) for trigger in triggers)
    if "" in keys:
        return Row(text, fault=f"/{operator} has no trigger; write the heading after it")
    end = ends[0] if ends else len(text)
    return Row(text, keys, (start, len(text[:end].rstrip())), _pointers_in(text, end))


def _unique(keys: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(keys))


# Rows as lines of a table.

KEY, TOPIC, FILE, DATE, LINE = "key", "topic", "file", "date", "line"
_COLUMN_MEANINGS = {
    **dict.fromkeys(("key", "heading", "trigger"), KEY),
    **dict.fromkeys(("topic", "title", "name", "entry", "learning", "decision", "lesson"), TOPIC),
    **dict.fromkeys(("file", "path"), FILE),
    **dict.fromkeys(("date",), DATE),
    **dict.fromkeys(("line", "lines"), LINE),
}
# The line below the header: `|---|:-:|`, with or without outer bars. It matches no trailing blanks,
# which would cause backtracking.
_DELIMITER = lazy_pattern(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_ROW_START = lazy_pattern(r" {0,3}\|")  # four blanks would make it code


def _with_table_rows(index: Index, blocks: Blocks) -> Index:
    """Find the rows of tables with a heading column, in an index block only there.

    Other tables are left alone.
    """
    hidden, is_block, lines = hidden_lines(blocks), index.form.is_block, index.lines
    if is_block:
        index = _with_block(index, blocks)
        first, last = index.block or (len(lines), len(lines))
        hidden |= {*range(1, first + 1), *range(last, len(lines) + 1)}
    index = index._replace(tables=tuple(_tables_in(lines, hidden, guess=is_block)))
    rows = []
    for group, table in enumerate(index.tables):
        default = index.section_at(table.first).path or (None if FILE in table.columns else "")
        for number in range(table.first + 2, table.last + 1):
            text = chomp(lines[number - 1])
            row = read_cells(without_ignores(text), table)
            row = row._replace(text=text, line=number, group=group, path=row.path or default)
            if is_block:
                row = row._replace(path=index.path, path_at=MISSING)
            elif row.path is None and not row.fault:
                row = row._replace(fault="the row names no file; fill the cell, or remove the row")
            rows.append(row)
    return index._replace(rows=tuple(rows))


def _with_block(index: Index, blocks: Blocks) -> Index:
    comments = [
        (block.first, "".join(blocks.lines[block.first - 1 : block.last]))
        for block in blocks.outline.comments
    ]
    starts = [line for line, text in comments if INDEX_START.search(text)]
    ends = [line for line, text in comments if INDEX_END.search(text)]
    faults = [
        (line, "a second marker of the index block; remove one of them")
        for line in sorted([*starts[1:], *ends[1:]])[:1]
    ]
    if len(starts) != len(ends) or starts > ends:
        only = min(starts + ends)
        faults += [(only, "the index block needs one INDEX:START and one INDEX:END below it")]
    if faults or not starts:
        return index._replace(faults=tuple(faults[:1]))
    inside = [h.line for h in blocks.outline.headings if starts[0] < h.line < ends[0]]
    reason = "a heading is inside the index block, and a rebuild would delete it; move it out"
    return index._replace(block=(starts[0], ends[0]), faults=tuple((n, reason) for n in inside))


def _tables_in(
    lines: Sequence[str], hidden: Container[int], *, guess: bool = False
) -> Iterator[Table]:
    """Yield the tables with a heading column.

    hidden are code, comments and headings. If no column is known to hold headings, guess takes the
    first one without a known meaning.
    """
    number = 1
    while number < len(lines):
        header, delimiter = lines[number - 1], lines[number].rstrip()
        if (
            number not in hidden
            and number + 1 not in hidden
            and _ROW_START.match(header)
            and _DELIMITER.fullmatch(delimiter)
            and len(cells(header)) == len(cells(delimiter))
        ):
            last = number + 1
            while last < len(lines) and last + 1 not in hidden and _ROW_START.match(lines[last]):
                last += 1
            columns = columns_of(header, guess=guess)
            if KEY in columns or TOPIC in columns:
                yield Table(number, last, columns)
            number = last
        number += 1


def columns_of(header: str, *, guess: bool = False) -> tuple[str | None, ...]:
    """Return the meanings of the columns of a header line; guess is described at _tables_in()."""
    columns = [_COLUMN_MEANINGS.get(name.strip("*` ").casefold()) for name in cells(header)]
    if guess and KEY not in columns and TOPIC not in columns and None in columns:
        columns[columns.index(None)] = TOPIC
    return tuple(columns)


def cell_spans(text: str) -> list[Span]:
    """Return the places of the cells of a row, with the blanks around their contents."""
    return [(start, start + len(cell)) for cell, start in cells_of(text)]


def cells(text: str) -> list[str]:
    r"""Return the cells of a row, `\|` as `|`, without the blanks around them."""
    return [_unescaped(text[start:end]).strip() for start, end in cell_spans(text)]


def _unescaped(cell: str) -> str:
    return cell.replace("\\|", "|")


def read_cells(text: str, table: Table) -> Row:
    """Parse a row of a table; path is empty if no cell names one."""
    pairs = [*zip(table.columns, cell_spans(text), strict=False)]
    at = dict(reversed(pairs))  # the first of two columns with one meaning
    cell = at.get(KEY if KEY in table.columns else TOPIC, MISSING)
    name = _inner(text, _inner(text, cell, 1), 1)
    keys = keys_of_cell(_unescaped(text[slice(*cell)]))
    if _OPERATOR_WORD.match(text, *name):
        name = _trimmed(text, (name[0], name[0] + len(re.split(r"\\?\|", text[slice(*name)])[0])))
    fault = None if keys else "the row names no heading; fill the cell, or remove the row"
    path_at = _path_at(text, at[FILE]) if FILE in at else MISSING
    path = _unescaped(text[slice(*path_at)])
    pointers = _pointers(_POINTER_CELL.fullmatch(text, *at[LINE])) if LINE in at else ()
    pointers += _pointers_in(text, *at[FILE]) if FILE in at else ()
    return Row(text, keys, name, pointers, path, path_at if path else MISSING, fault, table=table)


_CODE_SPAN = lazy_pattern(r"`([^`]+)`")  # a whole text in code marks
_LINK = lazy_pattern(r"\[([^\]]+)\]\(<?([^)>]*?)>?\)")  # `[text](target)`, `[text](<target>)`


def keys_of_cell(cell: str) -> tuple[str, ...]:
    """Return the keys of a cell: as written or with an operator, without code marks or link."""
    span = (0, len(cell))
    keys: list[str] = []
    for text in (cell.strip(), cell[slice(*_inner(cell, _inner(cell, span, 1), 1))]):
        row = _read_operator(text)
        keys += [*(row.keys if row else ()), index_key(text)]
    return _unique(filter(None, keys))


def _inner(text: str, cell: Span, part: int) -> Span:
    """Return the place of a text in code marks, or of a link's title (part 1) or target (2)."""
    start, end = _trimmed(text, cell)
    if link := _LINK.fullmatch(text, start, end):
        return _trimmed(text, link.span(part))
    code = _CODE_SPAN.fullmatch(text, start, end)
    return _trimmed(text, code.span(1)) if code else (start, end)


def _path_at(text: str, cell: Span) -> Span:
    """Return the place of the path in a cell, without code marks, link, anchor or line."""
    start, end = _inner(text, cell, 2)
    pointer = _POINTER.fullmatch(text, start, end)
    if pointer and pointer["path"]:
        start, end = pointer.span("path")
    anchor = text.find("#", start, end)
    return start, end if anchor < 0 else anchor


def _trimmed(text: str, span: Span) -> Span:
    part = text[slice(*span)]
    start = span[0] + len(part) - len(part.lstrip())
    return start, start + len(part.strip())


# Lines that rows point at.

# A line may have megabytes. In 18,000 lines of real memory files, all pointers are within the first
# 180 characters.
_LONGEST_POINTER_TEXT = 1000
# Longer numbers are not line numbers, and int() refuses very long ones.
_MOST_DIGITS = 9
# A path begins after the surrounding text: starting at each of its letters took 0.2 s for a row of
# 1,000 letters. `path.md:12`, `path.md#L12-L20` · `(line 12)`, `[lines 12-20]` · a cell `| L12 |`.
_POINTER = lazy_pattern(
    r"(?<![^\s`|()\[\]→])(?P<path>[^\s`|()\[\]→]+\.\w+)(?::|\#L)(\d+)(?:-L?(\d+))?(?![\w-]|\.\w)"
    r"|[(\[](?:lines?[ ]|L)(\d+)(?:[ ]?[-–][ ]?L?(\d+))?[)\]]"
    r"|\|[ \t]*(?:lines?[ ]|L)(\d+)(?:[ ]?[-–][ ]?L?(\d+))?[ \t]*(?=\||$)"
)
# The same as a whole cell, in a column of lines: `12`, `12-20`, `line 12`.
_POINTER_CELL = lazy_pattern(
    r"[ \t]*(?P<path>(?!))?(?:lines?[ ]|L)?(\d+)(?:[ ]?[-–][ ]?L?(\d+))?[ \t]*"
)


def _pointers_in(text: str, start: int, end: int | None = None) -> tuple[Pointer, ...]:
    """Return the lines that a part of a text points at: `x.md:12`, `(line 12)`, `| L12-20`."""
    end = min(start + _LONGEST_POINTER_TEXT, len(text) if end is None else end)
    matches = _POINTER.finditer(text, start, end)
    return tuple(pointer for match in matches for pointer in _pointers(match))


def _pointers(match: re.Match[str] | None) -> tuple[Pointer, ...]:
    if match is None:
        return ()
    first, *last = (n for n in range(2, match.re.groups + 1) if match[n])
    number = match[first], match[last[0] if last else first]
    if max(map(len, number)) > _MOST_DIGITS:
        return ()
    places = match.span("path"), match.span(first), match.span(last[0]) if last else MISSING
    return (Pointer(match["path"], int(number[0]), int(number[1]), *places),)


# The writer.


class RowStyle(NamedTuple):
    """The style in which rows name their headings; a value is None if no row shows it.

    lower: in lower case although the headings are not. operators: with `/when` and `/how` for
    headings that begin with "When" and "How to". bullet: the marker of a list item, or empty.
    """

    lower: bool | None = None
    operators: bool | None = None
    bullet: str = ""

    def name_of(self, heading: Heading) -> str:
        return heading.name.lower() if self.lower else heading.name


def new_row(heading: Heading, summary: str, style: RowStyle, table: Table | None) -> str:
    """Return the text of a new row in its future table: its known cells, others empty.

    Without a table it is `/when …` or `/how …` for a title that these express, else title and
    summary.
    """
    name = style.name_of(heading)
    short = None if style.operators is False else operator_row(name)
    if table is None:
        return style.bullet + (short or f"{name} — {summary}")
    topic = heading.name if KEY in table.columns else name
    values = {TOPIC: topic, KEY: short or name, FILE: heading.path, LINE: str(heading.line)}
    values[DATE] = (heading.stated or "")[:10]
    texts = (values.get(column or "", "") for column in table.columns)
    inner = " | ".join(" ".join(text.split()).replace("|", "\\|") for text in texts)
    return f"| {inner} |"


def edited(text: str, parts: Mapping[Span, str]) -> str:
    """Return a line with new texts for some of its parts; missing parts stay missing."""
    for (start, end), new in sorted(parts.items(), reverse=True):
        text = text[:start] + new + text[end:] if start >= 0 else text
    return text


def renamed(row: Row, heading: Heading, summary: str, style: RowStyle) -> str:
    """Return a row with the name of another heading, in the same marks, and all its other text."""
    name = style.name_of(heading)
    start, end = row.name
    if _OPERATOR_WORD.match(row.text, start, end):
        if row.table is None and operator_row(name) is None:  # then a dash divides
            visible = without_ignores(row.text).rstrip()
            extra = visible[end:].partition("|")[2].strip() or summary
            return row.text[:start] + f"{name} — {extra}" + row.text[len(visible) :]
        name = operator_row(name) or name
    return edited(row.text, {row.name: name.replace("|", "\\|") if row.table else name})
