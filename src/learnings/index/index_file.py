"""A memory index as a value: its spans, joined again, are the file byte for byte.

IndexForm is what the forms of an index implement; `forms` has the table of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import ClassVar, NamedTuple

from learnings.core.markdown.blocks import Blocks
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, encode, newline_of
from learnings.index.headings import HeadingKind, HeadingLocation, IndexedFile, RowTarget
from learnings.index.row_reading import RowReading, Table
from learnings.index.rows import IndexRow, IndexSection, Insertion, RowStyle

# What a file is called that nobody has looked for yet, so that `Notes` is not taken for one.
_FILE_NAME = lazy_pattern(r"\S+\.(?:md|markdown|mdx|mdc)", re.IGNORECASE)


class MemoryIndex(NamedTuple):
    """A memory index; path is POSIX from the repository's root.

    lines are those of the file without a BOM, with their terminators. block is the first and the
    last line of an index block, its markers included. faults are lines that forbid to rewrite that
    block, each with the reason.
    """

    path: str
    form: IndexForm
    bom: str
    lines: tuple[str, ...]
    sections: tuple[IndexSection, ...]
    rows: tuple[IndexRow, ...] = ()
    tables: tuple[Table, ...] = ()
    block: tuple[int, int] | None = None
    faults: tuple[tuple[int, str], ...] = ()

    @property
    def is_block_readable(self) -> bool:
        """True if the index block, if there is one, is a table of entries or empty."""
        first, last = self.block or (0, 0)
        inside = range(first + 1, last)
        return bool(self.tables) or not any(self.content(number).strip() for number in inside)

    @property
    def newline(self) -> str:
        """The terminator that lines added to the file should take."""
        return newline_of("".join(self.lines))

    def content(self, number: int) -> str:
        """Return the line with this 1-based number, without its terminator."""
        return chomp(self.lines[number - 1])

    def to_bytes(self) -> bytes:
        """Return the file, byte for byte, from its spans."""
        parts = (self.lines[span.first - 1 : span.last] for span in self.sections)
        return encode(self.bom + "".join(line for part in parts for line in part))

    def resolve(self, path: str, known: Container[str]) -> str | None:
        """Return the path from the repository's root that a path in this index stands for.

        known are the paths there are, from the root. A path that is none of them, from the root or
        from the index's own folder, still means a file where it looks like one; else None.
        """
        for candidate in _path_candidates(self.path, path):
            if candidate in known:
                return candidate
        if self.form.has_sections:
            return path if _FILE_NAME.fullmatch(path) else None
        return None if "://" in path else path

    def section_at(self, number: int) -> IndexSection:
        """Return the section that the line with this 1-based number belongs to."""
        return self.sections[bisect_right(self.sections, number, key=_first_line) - 1]

    def section_paths(self) -> Iterator[tuple[str, int]]:
        """Give what the sections that may be files have as their path, with their lines."""
        for section in self.sections if self.form.has_sections else ():
            if section.level == 2 and section.title:
                yield section.path, section.first

    def named_paths(self) -> tuple[str, ...]:
        """Return the paths that the index may name, to be looked up from the repository's root."""
        written = [path for path, _ in self.section_paths()]
        written += [row.path for row in self.rows if row.path]
        candidates = (path for name in written for path in _path_candidates(self.path, name))
        return tuple(dict.fromkeys(candidates))


class IndexForm(ABC):
    """One way to write a memory index: how it is read, what needs a row, how a row is added.

    name is the value of the setting `index-form`. looks says in messages what an index in this form
    is, example what its rows are. lists_itself is True where the rows are about
    the entries of the file that the index stands in, and no other file. is_generated is True where
    rows hold nothing but what the entries say, so that a fix adds and removes them. has_sections is
    True where a heading of level 2 may name the file that the rows below it are about. moves_rows
    is True where a row of another file's heading can be moved as it is. has_unique_headings is True
    where a row names a heading by its words alone, so that no two headings may have the same.
    """

    name: ClassVar[str]
    looks: ClassVar[str]
    example: ClassVar[str]
    lists_itself: ClassVar[bool] = False
    is_generated: ClassVar[bool] = False
    has_sections: ClassVar[bool] = False
    moves_rows: ClassVar[bool] = False
    has_unique_headings: ClassVar[bool] = False

    @abstractmethod
    def read(self, index: MemoryIndex, blocks: Blocks) -> MemoryIndex:
        """Return an index with its rows, and what else this form has; blocks are of that file."""

    @abstractmethod
    def read_row(self, text: str, table: Table | None) -> RowReading | None:
        """Read one line, None if it is not a row; table is the one that it stands in."""

    @abstractmethod
    def row_text(self, target: RowTarget, table: Table | None, style: RowStyle) -> str:
        """Return how a new row is written, without terminator; table is the one it goes to."""

    @abstractmethod
    def renamed_row(
        self, text: str, target: RowTarget, table: Table | None, style: RowStyle
    ) -> str | None:
        """Return a row with the name of another heading and all of its other text.

        text is that of a row of this form, table the one it stands in. None where it has no name.
        """

    @abstractmethod
    def insertion_at_end(
        self,
        index: MemoryIndex,
        texts: Mapping[str, Sequence[str]],
        *,
        last: IndexRow | None,
        known: Container[str],
    ) -> Insertion:
        """Return where the first rows of files go, and what is written around them.

        texts are the rows by the path of their file, last is the last row of the index that is
        about a file, known are the paths of all files. Without texts where the form has no room.
        """

    def headings_of_files(self, index: MemoryIndex, known: Container[str]) -> Mapping[str, int]:
        """Return the line of the heading, by path, below which the first rows of a file go.

        A file without one is added by insertion_at_end().
        """
        del index, known
        return {}

    def table_for_new_row(self, index: MemoryIndex, neighbour: IndexRow | None) -> Table | None:
        """Return the table that a new row goes to when it is added beside a row of the index.

        None in a form without tables.
        """
        del index, neighbour
        return None

    def targets_of_row(self, keys: Sequence[str], file: IndexedFile) -> Sequence[RowTarget]:
        """Return what a row with these keys may stand for in its own file."""
        headings = file.headings_with(keys, HeadingKind.SEMANTIC)
        headings = headings or file.headings_with(keys, HeadingKind.EXEMPT)
        return [RowTarget(file, heading) for heading in headings]

    def targets_of_file(
        self, index: MemoryIndex, file: IndexedFile, *, matched: Container[HeadingLocation]
    ) -> Iterator[RowTarget]:
        """Give what must have a row in a file; matched are the locations of all that have one.

        Of headings with the same words the first: the second is a finding of its own, and no row
        could distinguish them.
        """
        del index, matched
        for headings in file.by_key[HeadingKind.SEMANTIC].values():
            yield RowTarget(file, headings[0])


def _first_line(section: IndexSection) -> int:
    return section.first


# All rows of a section have its path.
@lru_cache(maxsize=1024)
def _path_candidates(index_path: str, path: str) -> tuple[str, str]:
    return normpath(path), normpath(join(dirname(index_path), path))
