"""The form `table`: a table with a column of files, or one below the heading of its file."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar

from learnings.core.index.files import Target
from learnings.core.index.keys import operator_row
from learnings.core.index.lines import Insertion, Row, hidden_lines
from learnings.core.index.model import Form, IndexFile
from learnings.core.index.reading import Reading
from learnings.core.index.style import RowStyle
from learnings.core.index.tables import (
    DATE,
    FILE,
    KEY,
    LINE,
    TOPIC,
    Table,
    columns_of,
    read_cells,
    row_of,
    tables_in,
)
from learnings.core.markdown.blocks import Blocks
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.core.text import chomp

_NO_FILE = "the row names no file; fill the cell, or remove the row"


class TableRows(Form):
    """Rows of tables that have a column of headings; other tables are left alone.

    head are the first two lines of a table that is added.
    """

    name = "table"
    looks = "a table"
    example = (
        "a line such as `| Builds | path/of/file.md | When a build hangs |`, below the head "
        "`| Topic | File | Key |`"
    )
    has_sections = True
    has_unique_headings = True
    head: ClassVar[tuple[str, str]] = ("| Topic | File | Key |", "|---|---|---|")

    def read(self, index: IndexFile, blocks: Blocks) -> IndexFile:
        """Find the tables and their rows."""
        contents = [chomp(line) for line in index.lines]
        tables = tuple(tables_in(contents, hidden_lines(blocks)))
        index = index._replace(tables=tables)
        return index._replace(rows=tuple(_rows(index)))

    def read_row(self, text: str, table: Table | None) -> Reading | None:
        """Read the cells of a row."""
        return read_cells(text, table) if table else None

    def row_text(self, target: Target, table: Table | None, style: RowStyle) -> str:
        """Return the row of a heading, its cells by what the columns mean."""
        name = style.name_of(target)
        short = None if style.operators is False else operator_row(name)
        topic = target.name if table and KEY in table.columns else name
        values = {TOPIC: topic, KEY: short or name}
        values |= {FILE: target.file.path, LINE: str(target.line), DATE: target.date}
        return row_of(table, values) if table else ""

    def table_beside(self, index: IndexFile, row: Row | None) -> Table | None:
        """Return the table of a row, else the first one, else the one that is to be added."""
        if not index.tables:
            return Table(0, 0, columns_of(self.head[0]))
        return index.tables[row.group if row else 0]

    def insertion_at_end(
        self,
        index: IndexFile,
        texts: Mapping[str, Sequence[str]],
        *,
        last: Row | None,
        known: Container[str],
    ) -> Insertion:
        """Add rows to the table of the last row, or a new table at the end."""
        del known
        rows = list(chain(*texts.values()))
        table = self.table_beside(index, last)
        if table is not None and table.last:
            return Insertion(table.last, rows)
        return self.insertion_of_table(index, [*self.head, *rows])

    def insertion_of_table(self, index: IndexFile, texts: Sequence[str]) -> Insertion:
        """Return where the first table goes."""
        return Insertion(len(index.lines), ["", *texts])


def _rows(index: IndexFile) -> Iterator[Row]:
    for group, table in enumerate(index.tables):
        section = index.section_at(table.first)
        default = section.path if section.level == 2 else None
        if default is None and FILE not in table.columns:
            default = ""  # there is no cell for it
        for row in rows_of_table(index, table, group):
            path = row.reading.path or default
            reading = row.reading
            if path is None and reading.fault is None:
                reading = reading._replace(fault=_NO_FILE)
            yield row._replace(path=path, reading=reading)


def rows_of_table(index: IndexFile, table: Table, group: int) -> Iterator[Row]:
    """Give the rows of a table, which is the one with this number, without their paths."""
    for number in range(table.first + 2, table.last + 1):
        content = index.content(number)
        yield Row(number, content, group, None, read_cells(without_ignores(content), table))
