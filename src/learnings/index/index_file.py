"""A memory index as a value: its spans, joined again, are the file byte for byte.

IndexForm is the interface of the forms of an index; `forms` has the table of them.
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

# The kind of a path before anyone looks it up, so that `Notes` is not taken for a file.
_FILE_NAME = lazy_pattern(r"\S+\.(?:md|markdown|mdx|mdc)", re.IGNORECASE)


class MemoryIndex(NamedTuple):
    """A memory index; path is POSIX, relative to the repository's root.

    lines have terminators, but no BOM. block is the first and last line of an index block,
    including its markers. faults are lines that prevent a rewrite of the block, each with the
    reason.
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
        """True if there is no index block, or if it is empty or a table of entries."""
        first, last = self.block or (0, 0)
        inside = range(first + 1, last)
        return bool(self.tables) or not any(self.content(number).strip() for number in inside)

    @property
    def newline(self) -> str:
        """The terminator for lines added to the file."""
        return newline_of("".join(self.lines))

    def content(self, number: int) -> str:
        """Return the line with this 1-based number, without its terminator."""
        return chomp(self.lines[number - 1])

    def to_bytes(self) -> bytes:
        """Return the file, byte for byte, from its spans."""
        parts = (self.lines[span.first - 1 : span.last] for span in self.sections)
        return encode(self.bom + "".join(line for part in parts for line in part))

    def resolve(self, path: str, known: Container[str]) -> str | None:
        """Return the path from the root that a path in this index means, None if it is not a file.

        known are the existing paths relative to the root; an unknown path counts if it looks like a
        file.
        """
        for candidate in _path_candidates(self.path, path):
            if candidate in known:
                return candidate
        if self.form.has_sections:
            return path if _FILE_NAME.fullmatch(path) else None
        return None if "://" in path else path

    def section_at(self, number: int) -> IndexSection:
        """Return the section that contains the line with this 1-based number."""
        below = bisect_right(self.sections, number, key=lambda section: section.first)
        return self.sections[below - 1]

    def section_paths(self) -> Iterator[tuple[str, int]]:
        """Yield the paths of the sections that may be files, with their lines."""
        for section in self.sections if self.form.has_sections else ():
            if section.level == 2 and section.title:
                yield section.path, section.first

    def named_paths(self) -> tuple[str, ...]:
        """Return the paths that the index may name, to be looked up from the repository's root."""
        written = [path for path, _ in self.section_paths()]
        written += [row.path for row in self.rows if row.path]
        candidates = (path for name in written for path in _path_candidates(self.path, name))
        return tuple(dict.fromkeys(candidates))


RowTexts = Mapping[str, Sequence[str]]
"""The texts of new rows by the path of their file."""


class IndexForm(ABC):
    """A way to write a memory index: how to read it, what needs a row, how to add a row."""

    name: ClassVar[str]  # the value of the setting `index-form`
    looks: ClassVar[str]  # the name of an index in this form, for messages
    example: ClassVar[str]  # the name of its rows, for messages
    lists_itself: ClassVar[bool] = False  # rows are about entries of the same file
    is_generated: ClassVar[bool] = False  # rows only repeat entries, so a fix adds and removes them
    has_sections: ClassVar[bool] = False  # a heading of level 2 may name the file of its rows
    moves_rows: ClassVar[bool] = False  # a row can be moved to another section unchanged
    has_unique_headings: ClassVar[bool] = False  # rows name headings by words alone

    @abstractmethod
    def read(self, index: MemoryIndex, blocks: Blocks) -> MemoryIndex:
        """Return an index with its rows and the form's other parts; blocks are of that file."""

    @abstractmethod
    def read_row(self, text: str, table: Table | None) -> RowReading | None:
        """Parse one line, None if it is not a row; table is the table that contains it."""

    @abstractmethod
    def row_text(self, target: RowTarget, table: Table | None, style: RowStyle) -> str:
        """Return the text of a new row, without terminator; table is its future table."""

    @abstractmethod
    def renamed_row(
        self, text: str, target: RowTarget, table: Table | None, style: RowStyle
    ) -> str | None:
        """Return a row with the name of another heading and all its other text.

        text is a row of this form, table the table that contains it. None if the row has no name.
        """

    @abstractmethod
    def insertion_at_end(
        self, index: MemoryIndex, texts: RowTexts, *, last: IndexRow | None, known: Container[str]
    ) -> Insertion:
        """Return where the first rows of files go, with lines around them; no texts: no room.

        last is the last row about a file, known are all paths.
        """

    def headings_of_files(self, index: MemoryIndex, known: Container[str]) -> Mapping[str, int]:
        """Return, by path, the line of the heading below which the first rows of a file go."""
        del index, known
        return {}

    def table_for_new_row(self, index: MemoryIndex, neighbour: IndexRow | None) -> Table | None:
        """Return the table for a new row beside a row of the index; a form may have no tables."""
        del index, neighbour
        return None

    def targets_of_row(self, keys: Sequence[str], file: IndexedFile) -> Sequence[RowTarget]:
        """Return the possible targets of a row with these keys in its own file."""
        headings = file.headings_with(keys, HeadingKind.SEMANTIC)
        headings = headings or file.headings_with(keys, HeadingKind.EXEMPT)
        return [RowTarget(file, heading) for heading in headings]

    def targets_of_file(
        self, index: MemoryIndex, file: IndexedFile, *, matched: Container[HeadingLocation]
    ) -> Iterator[RowTarget]:
        """Yield what must have a row in a file; matched are the locations that have one."""
        del index, matched
        # A second heading with the same words is a finding; no row could tell the two apart.
        for headings in file.by_key[HeadingKind.SEMANTIC].values():
            yield RowTarget(file, headings[0])


# All rows of a section have its path.
@lru_cache(maxsize=1024)
def _path_candidates(index_path: str, path: str) -> tuple[str, str]:
    return normpath(path), normpath(join(dirname(index_path), path))
