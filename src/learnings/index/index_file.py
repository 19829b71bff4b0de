"""A memory index as a value of rows and other spans, which joined are the file byte for byte.

IndexForm is the interface of the forms of an index; `forms` has the table of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from posixpath import dirname, join, normpath
from typing import ClassVar, NamedTuple

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import Blocks
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, encode, newline_of
from learnings.index.headings import HeadingKind, HeadingLocation, IndexedFile, RowTarget
from learnings.index.row_reading import RowReading, Table, operator_and_trigger


class IndexSection(NamedTuple):
    """A run of lines below a heading of level 1 or 2; title is None above the first heading.

    level is 0 there. Lines are 1-based; first (the heading) and last belong to the section.
    """

    title: str | None
    level: int
    first: int
    last: int

    @property
    def path(self) -> str:
        """The path in the heading, without code marks; empty above the first heading."""
        title = self.title or ""
        inner = title[1:-1] if len(title) > 2 and title[0] == title[-1] == "`" else title
        return inner.removeprefix("./")


class IndexRow(NamedTuple):
    """A line that is a row or, if its reading is not plain, may be one.

    group is the number of its section or table, within which rows are ordered. path is the path of
    its file as written in the row or the heading above; empty if neither could name one, None if
    the row should name one and does not.
    """

    line: int
    text: str
    group: int
    path: str | None
    reading: RowReading


class Insertion(NamedTuple):
    """Lines to add below a 1-based line, 0 for the top; texts have no terminators."""

    below: int
    texts: list[str]


def sections_of(blocks: Blocks) -> Iterator[IndexSection]:
    """Yield the sections of a file; joined again they are all of its lines."""
    title, level, first = None, 0, 1
    for heading in blocks.outline.headings:
        if heading.level <= 2:
            if heading.line > first:
                yield IndexSection(title, level, first, heading.line - 1)
            title = heading_text(blocks.lines[heading.line - 1])
            level, first = heading.level, heading.line
    if first <= len(blocks.lines):
        yield IndexSection(title, level, first, len(blocks.lines))


def hidden_lines(blocks: Blocks) -> set[int]:
    """Return the 1-based lines without rows: front matter, headings, fenced code, comments."""
    headings = (heading.line for heading in blocks.outline.headings)
    return {*blocks.outline.hidden_lines(blocks.front_matter), *headings}


class MatchStatus(Enum):
    """The result of matching a line of the index."""

    MATCHED = "matched"  # the row of a heading of its file
    OTHER_FILE = "other-file"  # the row of a heading of another file
    NO_FILE = "no-file"  # the row of a heading, in a section that names no file
    DUPLICATE = "duplicate"  # its heading already has a row with that key
    STRUCTURAL = "structural"  # its heading is structural
    FUZZY = "fuzzy"  # no heading has its key; one without a row has a similar key
    COLLISION = "collision"  # no heading has its key; the most similar heading has a row
    ORPHAN = "orphan"  # no heading has its key
    FILE_MISSING = "file-missing"  # its file is missing, and no other file has the heading
    UNREADABLE = "unreadable"  # it has the form of a row, but no key


class RowMatch(NamedTuple):
    """A row, the path of its file from the root (or empty), and the matching target.

    rival is the row that its heading already has.
    """

    row: IndexRow
    path: str
    status: MatchStatus
    target: RowTarget | None = None
    rival: IndexRow | None = None

    @property
    def line(self) -> int:
        """The line of the row's heading, 0 for a file or no target."""
        return self.target.line if self.target else 0


class Match(NamedTuple):
    """An index compared with its files; row_matches are in the order of the rows.

    missing are the targets without a row; similar are rows with a key like theirs, by location.
    absent are named files that do not exist, each with its lines. notes are lines like rows in a
    section without a file that name no heading without a row.
    """

    row_matches: tuple[RowMatch, ...]
    missing: tuple[RowTarget, ...]
    similar: Mapping[HeadingLocation, IndexRow]
    absent: Mapping[str, tuple[int, ...]]
    notes: tuple[IndexRow, ...] = ()

    @property
    def last_row(self) -> IndexRow | None:
        return next((m.row for m in reversed(self.row_matches) if m.path), None)

    def groups(self) -> list[list[RowMatch]]:
        """Return the rows of each file in each section or table, which are kept in order."""
        # Including duplicates: otherwise the order would decide which of two rows is the first.
        groups: defaultdict[tuple[int, str], list[RowMatch]] = defaultdict(list)
        for row_match in self.row_matches:
            is_own = row_match.target is not None and row_match.target.file.path == row_match.path
            if is_own and row_match.status in (MatchStatus.MATCHED, MatchStatus.DUPLICATE):
                groups[row_match.row.group, row_match.path].append(row_match)
        return list(groups.values())

    def first_groups(self) -> dict[str, list[RowMatch]]:
        """Return the first group of each file, by the file's path: new rows go there."""
        return {group[0].path: group for group in reversed(self.groups())}


def in_heading_order(group: Sequence[RowMatch]) -> list[RowMatch]:
    """Return the rows of a group in the order of their headings; duplicates follow the first.

    Duplicates alone do not make an order wrong.
    """
    lines = [row_match.line for row_match in group if row_match.status is MatchStatus.MATCHED]
    return list(group) if lines == sorted(lines) else sorted(group, key=lambda match: match.line)


# `/when` or `/how` at the start of a row or a cell; not within a path.
_WRITTEN_OPERATOR = lazy_pattern(r"(?:^|[ \t|`])/(?:when|how)[ \t]", re.IGNORECASE)


class RowStyle(NamedTuple):
    """The style in which rows name their headings; a value is None if no row shows it.

    lower: in lower case although the headings are not. operators: with `/when` and `/how` for
    headings that begin with "When" and "How to".
    """

    lower: bool | None = None
    operators: bool | None = None

    def name_of(self, target: RowTarget) -> str:
        return target.name.lower() if self.lower else target.name

    def over(self, other: RowStyle) -> RowStyle:
        """Return this style, with unknown values taken from another one."""
        lower = other.lower if self.lower is None else self.lower
        return RowStyle(lower, other.operators if self.operators is None else self.operators)


def style_of(row_matches: Iterable[RowMatch]) -> RowStyle:
    """Return the style of most rows that name a heading."""
    lower: Counter[bool] = Counter()
    operators: Counter[bool] = Counter()
    for row_match in row_matches:
        if row_match.status is not MatchStatus.MATCHED or row_match.target is None:
            continue
        title, text = row_match.target.name, row_match.row.text
        parts = operator_and_trigger(title)
        words = parts[1] if parts else title
        if parts:
            operators[_WRITTEN_OPERATOR.search(text) is not None] += 1
        if words != words.lower() and words.lower() in text.lower():
            lower[words not in text and words.lower() in text] += 1
    return RowStyle(_majority(lower), _majority(operators))


def styles_of(matched: Match) -> Mapping[str, RowStyle]:
    """Return the style of each file's rows, by path: of its first group, else of all rows."""
    style = style_of(matched.row_matches)
    groups = matched.first_groups().items()
    return defaultdict(lambda: style, {path: style_of(rows).over(style) for path, rows in groups})


def _majority(votes: Counter[bool]) -> bool | None:
    return None if votes[True] == votes[False] else votes[True] > votes[False]


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
    # Rows only repeat the entries of the same file, so a fix adds and removes them.
    lists_itself: ClassVar[bool] = False
    has_sections: ClassVar[bool] = False  # a heading of level 2 may name the file of its rows
    moves_rows: ClassVar[bool] = False  # a row can be moved to another section unchanged

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
        self, index: MemoryIndex, texts: RowTexts, last: IndexRow | None, known: Container[str]
    ) -> Insertion:
        """Return where the first rows of files go, with lines around them; no texts: no room.

        last is the last row about a file, known are all paths.
        """

    def headings_of_files(self, _index: MemoryIndex, _known: Container[str]) -> Mapping[str, int]:
        """Return, by path, the line of the heading below which the first rows of a file go."""
        return {}

    def table_for_new_row(self, _index: MemoryIndex, _neighbour: IndexRow | None) -> Table | None:
        """Return the table for a new row beside a row of the index; a form may have no tables."""
        return None

    def targets_of_row(self, keys: Sequence[str], file: IndexedFile) -> Sequence[RowTarget]:
        """Return the possible targets of a row with these keys in its own file."""
        headings = file.headings_with(keys, HeadingKind.SEMANTIC)
        headings = headings or file.headings_with(keys, HeadingKind.EXEMPT)
        return [RowTarget(file, heading) for heading in headings]

    def targets_of_file(
        self, _index: MemoryIndex, file: IndexedFile, _matched: Container[HeadingLocation]
    ) -> Iterator[RowTarget]:
        """Yield what must have a row in a file; matched are the locations that have one."""
        # A second heading with the same words is a finding; no row could tell the two apart.
        for headings in file.by_key[HeadingKind.SEMANTIC].values():
            yield RowTarget(file, headings[0])


# All rows of a section have its path.
@lru_cache(maxsize=1024)
def _path_candidates(index_path: str, path: str) -> tuple[str, str]:
    return normpath(path), normpath(join(dirname(index_path), path))
