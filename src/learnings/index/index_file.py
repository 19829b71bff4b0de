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

    lines have terminators, but no BOM. block is the first and the last line of an index block with
    its markers; faults are lines that forbid to rewrite it, each with the reason.
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
        """Return the path from the root that a path in this index stands for, None for no file.

        known are the existing paths from the root; an unknown path counts if it looks like a file.
        """
        for candidate in _path_candidates(self.path, path):
            if candidate in known:
                return candidate
        if self.form.has_sections:
            return path if _FILE_NAME.fullmatch(path) else None
        return None if "://" in path else path

    def section_at(self, number: int) -> IndexSection:
        """Return the section that the line with this 1-based number belongs to."""
        below = bisect_right(self.sections, number, key=lambda section: section.first)
        return self.sections[below - 1]

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
    """One way to write a memory index: how it is read, what needs a row, how a row is added."""

    name: ClassVar[str]  # the value of the setting `index-form`
    looks: ClassVar[str]  # what messages call an index in this form
    example: ClassVar[str]  # what messages call its rows
    lists_itself: ClassVar[bool] = False  # rows are about entries of the file they stand in
    is_generated: ClassVar[bool] = False  # a fix adds and removes rows: they only repeat entries
    has_sections: ClassVar[bool] = False  # a heading of level 2 may name the file of its rows
    moves_rows: ClassVar[bool] = False  # a row can be moved to another section as it is
    has_unique_headings: ClassVar[bool] = False  # rows name headings by words alone

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
        """Return where the first rows of files go, and the lines around them; no texts: no room.

        texts are the rows by path, last is the last row about a file, known are all paths.
        """

    def headings_of_files(self, index: MemoryIndex, known: Container[str]) -> Mapping[str, int]:
        """Return the line of the heading, by path, below which the first rows of a file go."""
        del index, known
        return {}

    def table_for_new_row(self, index: MemoryIndex, neighbour: IndexRow | None) -> Table | None:
        """Return the table of a new row beside a row of the index; a form may have no tables."""
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
        """Give what must have a row in a file; matched are the locations of all that have one."""
        del index, matched
        # The second heading with the same words is a finding; no row could distinguish them.
        for headings in file.by_key[HeadingKind.SEMANTIC].values():
            yield RowTarget(file, headings[0])


# All rows of a section have its path.
@lru_cache(maxsize=1024)
def _path_candidates(index_path: str, path: str) -> tuple[str, str]:
    return normpath(path), normpath(join(dirname(index_path), path))
