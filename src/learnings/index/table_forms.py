"""The forms `table` and `block` of a memory index, whose rows are table rows.

A block is one table between the comments `<!-- INDEX:START -->` and `<!-- INDEX:END -->`, about the
entries of the same file.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import chain
from typing import ClassVar

from learnings.core.entries.layout import INDEX_END, INDEX_START
from learnings.core.markdown.blocks import Blocks
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.text import chomp
from learnings.index import row_reading
from learnings.index.headings import HeadingKind, HeadingLocation, IndexedFile, RowTarget
from learnings.index.index_file import (
    IndexForm,
    IndexRow,
    Insertion,
    MemoryIndex,
    RowStyle,
    RowTexts,
    hidden_lines,
)
from learnings.index.row_reading import RowReading, Table

_NO_FILE_NAMED = "the row names no file; fill the cell, or remove the row"


class TableForm(IndexForm):
    """Rows of tables with a heading column; other tables are left alone.

    head are the first two lines of a new table.
    """

    name = "table"
    looks = "a table"
    example = (
        "a line such as `| Builds | path/of/file.md | When a build hangs |`, below the head "
        "`| Topic | File | Key |`"
    )
    has_sections = True
    head: ClassVar[tuple[str, str]] = ("| Topic | File | Key |", "|---|---|---|")

    def read(self, index: MemoryIndex, blocks: Blocks) -> MemoryIndex:
        contents = [chomp(line) for line in index.lines]
        tables = tuple(row_reading.tables_in(contents, hidden_lines(blocks)))
        rows = []
        for group, table in enumerate(tables):
            section = index.section_at(table.first)
            default = section.path if section.level == 2 else None
            if default is None and row_reading.FILE_COLUMN not in table.columns:
                default = ""  # no cell for it
            for row in rows_of_table(index, table, group):
                reading = row.reading
                path = reading.path or default
                if path is None and reading.fault is None:
                    reading = reading._replace(fault=_NO_FILE_NAMED)
                rows.append(row._replace(path=path, reading=reading))
        return index._replace(rows=tuple(rows), tables=tables)

    def read_row(self, text: str, table: Table | None) -> RowReading | None:
        return row_reading.read_cells(text, table) if table else None

    def row_text(self, target: RowTarget, table: Table | None, style: RowStyle) -> str:
        name = style.name_of(target)
        short = None if style.operators is False else row_reading.operator_row(name)
        topic = target.name if table and row_reading.KEY_COLUMN in table.columns else name
        values = {
            row_reading.TOPIC_COLUMN: topic,
            row_reading.KEY_COLUMN: short or name,
            row_reading.FILE_COLUMN: target.file.path,
        }
        values |= {row_reading.LINE_COLUMN: str(target.line), row_reading.DATE_COLUMN: target.date}
        return row_reading.row_of(table, values) if table else ""

    def renamed_row(
        self, text: str, target: RowTarget, table: Table | None, style: RowStyle
    ) -> str | None:
        """Return the row with another heading cell; a topic beside it stays."""
        return row_reading.with_subject(text, table, style.name_of(target)) if table else None

    def table_for_new_row(self, index: MemoryIndex, neighbour: IndexRow | None) -> Table | None:
        """Return the table of a neighbour, else the first table, else the table to be added."""
        if not index.tables:
            return Table(0, 0, row_reading.columns_of(self.head[0]))
        return index.tables[neighbour.group if neighbour else 0]

    def insertion_at_end(
        self, index: MemoryIndex, texts: RowTexts, last: IndexRow | None, _known: Container[str]
    ) -> Insertion:
        """Add rows to the table of the last row, or a new table at the end."""
        rows = list(chain(*texts.values()))
        table = self.table_for_new_row(index, last)
        if table is not None and table.last:
            return Insertion(table.last, rows)
        return self.insertion_of_table(index, [*self.head, *rows])

    def insertion_of_table(self, index: MemoryIndex, texts: Sequence[str]) -> Insertion:
        """Return the position of the first table."""
        return Insertion(len(index.lines), ["", *texts])


def rows_of_table(index: MemoryIndex, table: Table, group: int) -> Iterator[IndexRow]:
    """Yield the rows of a table, given by number, without their paths."""
    for number in range(table.first + 2, table.last + 1):
        content = index.content(number)
        yield IndexRow(
            number, content, group, None, row_reading.read_cells(without_ignores(content), table)
        )


class BlockForm(TableForm):
    """The table in the only index block of a file, one row per entry."""

    name = "block"
    looks = "an index block"
    example = (
        "a line such as `| 2026-03-01 | When a build hangs |`, in a table between the comments "
        "`INDEX:START` and `INDEX:END`"
    )
    lists_itself = True
    has_sections = False
    head = ("| Date | Entry |", "|---|---|")

    def read(self, index: MemoryIndex, blocks: Blocks) -> MemoryIndex:
        block, faults = _index_block(blocks)
        contents = [chomp(line) for line in index.lines]
        first, last = block or (len(contents), len(contents))
        hidden = hidden_lines(blocks).union(range(1, first + 1), range(last, len(contents) + 1))
        tables = tuple(row_reading.tables_in(contents, hidden, guess=True))
        rows = tuple(
            row._replace(path=index.path, reading=row.reading._replace(path=None))
            for group, table in enumerate(tables)
            for row in rows_of_table(index, table, group)
        )
        return index._replace(rows=rows, tables=tables, block=block, faults=faults)

    def insertion_of_table(self, index: MemoryIndex, texts: Sequence[str]) -> Insertion:
        """Return the end of the block; nothing is added if there is none."""
        return Insertion(index.block[1] - 1, [*texts]) if index.block else Insertion(0, [])

    def targets_of_file(
        self, index: MemoryIndex, file: IndexedFile, _matched: Container[HeadingLocation]
    ) -> Iterator[RowTarget]:
        """Yield the entries of a block, also several with one title; the order tells them apart."""
        if index.block is not None:
            for headings in file.by_key[HeadingKind.SEMANTIC].values():
                yield from (RowTarget(file, heading) for heading in headings)


def _index_block(blocks: Blocks) -> tuple[tuple[int, int] | None, tuple[tuple[int, str], ...]]:
    comments = [
        (block.first, "".join(blocks.lines[block.first - 1 : block.last]))
        for block in blocks.outline.comments
    ]
    starts = [line for line, text in comments if INDEX_START.search(text)]
    ends = [line for line, text in comments if INDEX_END.search(text)]
    if not starts and not ends:
        return None, ()
    repeated = [*starts[1:], *ends[1:]]
    if repeated:
        return None, ((min(repeated), "a second marker of the index block; remove one of them"),)
    if not starts or not ends or starts[0] >= ends[0]:
        only = min(starts + ends)
        return None, ((only, "the index block needs one INDEX:START and one INDEX:END below it"),)
    inside = [h.line for h in blocks.outline.headings if starts[0] < h.line < ends[0]]
    reason = "a heading is inside the index block, and a rebuild would delete it; move it out"
    return (starts[0], ends[0]), tuple((line, reason) for line in inside)
