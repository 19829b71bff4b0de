"""A memory index as values: spans and rows that joined again are the file, byte for byte.

Four forms (index-form): sections `## path` with one row per line (`rows`), a table with a column of
files (`table`), a table between `<!-- INDEX:START -->` and `<!-- INDEX:END -->` about the entries
of the file it stands in (`block`), and `**name** — summary → path` (`arrow`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import NamedTuple

from learnings.core.entries.titles import heading_text
from learnings.core.index.forms import ARROW, BLOCK, FORMS, ROWS, Reading, read_arrow, read_row
from learnings.core.index.tables import FILE, Table, read_cells, tables
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.text import chomp, decode, encode, newline_of

__all__ = ["ARROW", "BLOCK", "FORMS", "ROWS", "TABLE", "IndexFile", "Row", "Section", "read_index"]

TABLE = "table"

_NO_FILE = "the row names no file; fill the cell, or remove the row"
_START = re.compile(r"<!--\s*INDEX:START\b")
_END = re.compile(r"<!--\s*INDEX:END\b")
_FILE_NAME = re.compile(r"\S+\.(?:md|markdown|mdx|mdc)", re.IGNORECASE)


class Section(NamedTuple):
    """A run of lines below a heading of level 1 or 2; title is None above the first of them.

    level is 0 there. Lines are 1-based, first (the heading) and last are part of it.
    """

    title: str | None
    level: int
    first: int
    last: int


class Row(NamedTuple):
    """A line that is a row or, where its reading is not plain, may be one.

    group numbers the section or the table that it stands in: rows are put into order within it.
    place is the path as it is written, in the row or in the heading above; None where it has none.
    """

    line: int
    text: str
    group: int
    place: str | None
    reading: Reading


class IndexFile(NamedTuple):
    """A memory index; path is POSIX from the repository's root.

    lines are those of the file without a BOM, with their terminators. block is the first and the
    last line of an index block, its markers included. faults are lines that forbid to rewrite that
    block, each with the reason.
    """

    path: str
    form: str
    bom: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]
    rows: tuple[Row, ...]
    tables: tuple[Table, ...] = ()
    block: tuple[int, int] | None = None
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def newline(self) -> str:
        """The terminator that lines added to the file should take."""
        return newline_of("".join(self.lines))

    def content(self, number: int) -> str:
        """The line with this 1-based number, without its terminator."""
        return chomp(self.lines[number - 1])

    def to_bytes(self) -> bytes:
        """Return the file, byte for byte, from its spans."""
        parts = (self.lines[span.first - 1 : span.last] for span in self.sections)
        return encode(self.bom + "".join(line for part in parts for line in part))

    def with_lines(self, lines: Iterable[str]) -> IndexFile:
        """Return the index that the file is with other lines, given with their terminators."""
        return read_index(encode(self.bom + "".join(lines)), form=self.form, path=self.path)

    def resolved(self, place: str, known: Iterable[str]) -> str | None:
        """Return the path that a place in this index stands for; None: it means no file.

        known are the paths there are, from the repository's root. What is none of them, from the
        root or from the index's own folder, still means a file where it looks like its name.
        """
        known = known if isinstance(known, (set, frozenset, dict)) else set(known)
        for path in _candidates(self.path, place):
            if path in known:
                return path
        if self.form in (ROWS, TABLE):
            return place if _FILE_NAME.fullmatch(place) else None
        return None if "://" in place else place

    def headings(self) -> Iterator[tuple[str, int]]:
        """Give what the sections that may be files have as their path, with their lines."""
        for section in self.sections if self.form in (ROWS, TABLE) else ():
            if section.level == 2 and section.title:
                yield _place(section.title), section.first

    def places(self) -> tuple[str, ...]:
        """The paths that the index may speak of, to be looked up from the repository's root."""
        written = [place for place, _ in self.headings()]
        written += [row.place for row in self.rows if row.place]
        found = (path for place in written for path in _candidates(self.path, place))
        return tuple(dict.fromkeys(found))


def read_index(data: bytes, *, form: str = ROWS, path: str = "") -> IndexFile:
    """Read a memory index; there is no input that it refuses.

    Rows are looked for outside front matter, fenced code, comments and headings: below a level 2
    heading (`rows`), in a table (`table`), in the block (`block`), anywhere (`arrow`).
    Raises ValueError for a form that is not in FORMS.
    """
    if form not in FORMS:
        raise ValueError(f"{form!r} is no form of a memory index; those are {', '.join(FORMS)}")
    blocks = blocks_of(data)
    text = decode(data)
    bom = "\ufeff" if text.startswith("\ufeff") else ""
    lines = (blocks.lines[0].removeprefix("\ufeff"), *blocks.lines[1:]) if bom else blocks.lines
    sections = tuple(_sections(blocks))
    block, faults = _block(blocks) if form == BLOCK else (None, ())
    contents = [chomp(line) for line in lines]
    hidden = _hidden(blocks)
    if form == BLOCK:
        first, last = block or (len(lines), len(lines))
        hidden.update(range(1, first + 1), range(last, len(lines) + 1))
    found = () if form in (ROWS, ARROW) else tuple(tables(contents, hidden, guess=form == BLOCK))
    rows = tuple(
        _line_rows(contents, hidden, sections, form=form)
        if form in (ROWS, ARROW)
        else _table_rows(contents, found, sections, path if form == BLOCK else None)
    )
    return IndexFile(path, form, bom, lines, sections, rows, found, block, faults)


def _sections(blocks: Blocks) -> Iterator[Section]:
    title, level, first = None, 0, 1
    for heading in blocks.outline.headings:
        if heading.level <= 2:
            if heading.line > first:
                yield Section(title, level, first, heading.line - 1)
            title = heading_text(blocks.lines[heading.line - 1])
            level, first = heading.level, heading.line
    if first <= len(blocks.lines):
        yield Section(title, level, first, len(blocks.lines))


def _line_rows(
    contents: Sequence[str], hidden: set[int], sections: Sequence[Section], *, form: str
) -> Iterator[Row]:
    reader = read_row if form == ROWS else read_arrow
    for group, section in enumerate(sections):
        if form == ROWS and section.level != 2:
            continue
        for number in range(section.first, section.last + 1):
            text = without_ignores(contents[number - 1])
            reading = None if number in hidden else reader(text)
            if reading is not None:
                if form == ROWS and _in_prose(contents, hidden, number):
                    reading = reading._replace(plain=False)
                place = _place(section.title or "") if form == ROWS else reading.place
                yield Row(number, contents[number - 1], group, place, reading)


def _in_prose(contents: Sequence[str], hidden: set[int], number: int) -> bool:
    """Whether a line with a dash belongs to a paragraph that has lines which are no rows."""
    if contents[number - 1].startswith("/"):
        return False
    near = [n for n in (number - 1, number + 1) if 0 < n <= len(contents) and n not in hidden]
    texts = [contents[n - 1] for n in near]
    return any(text[:1].isalpha() and read_row(text) is None for text in texts)


def _table_rows(
    contents: Sequence[str], found: Sequence[Table], sections: Sequence[Section], own: str | None
) -> Iterator[Row]:
    for group, table in enumerate(found):
        above = next(s for s in sections if s.first <= table.first <= s.last)
        default = own or (_place(above.title or "") if above.level == 2 else None)
        if default is None and FILE not in table.columns:
            continue
        for number in range(table.first + 2, table.last + 1):
            reading = read_cells(without_ignores(contents[number - 1]), table)
            place = own or reading.place or default
            if place is None and reading.fault is None:
                reading = reading._replace(fault=_NO_FILE)
            yield Row(number, contents[number - 1], group, place, reading)


def _hidden(blocks: Blocks) -> set[int]:
    """Return the lines that hold no row, whatever they look like."""
    headings = (heading.line for heading in blocks.outline.headings)
    return {*blocks.outline.hidden_lines(blocks.front_matter), *headings}


def _block(blocks: Blocks) -> tuple[tuple[int, int] | None, tuple[tuple[int, str], ...]]:
    """Return the span of the index block, and what forbids to rewrite it."""
    comments = [
        (block.first, "".join(blocks.lines[block.first - 1 : block.last]))
        for block in blocks.outline.comments
    ]
    starts = [line for line, text in comments if _START.search(text)]
    ends = [line for line, text in comments if _END.search(text)]
    if not starts and not ends:
        return None, ()
    second = [*starts[1:], *ends[1:]]
    if second:
        return None, ((min(second), "a second marker of the index block; remove one of them"),)
    if not starts or not ends or starts[0] >= ends[0]:
        lonely = min(starts + ends)
        return None, ((lonely, "the index block needs one INDEX:START and INDEX:END below it"),)
    inside = [h.line for h in blocks.outline.headings if starts[0] < h.line < ends[0]]
    reason = "a heading inside the index block, which a rebuild would delete; move it out"
    return (starts[0], ends[0]), tuple((line, reason) for line in inside)


def _place(title: str) -> str:
    """Return the path that the heading of a section writes, out of code marks."""
    inner = title[1:-1] if len(title) > 2 and title[0] == title[-1] == "`" else title
    return inner.removeprefix("./")


# All rows of a section have its path.
@lru_cache(maxsize=1024)
def _candidates(index_path: str, place: str) -> tuple[str, str]:
    return normpath(place), normpath(join(dirname(index_path), place))
