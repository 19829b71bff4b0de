"""The rows of a memory index: their position, their heading, their style."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import Blocks
from learnings.core.patterns import lazy_pattern
from learnings.index.headings import HeadingLocation, RowTarget
from learnings.index.row_reading import RowReading, operator_and_trigger


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
        """The last row of the index that is about a file."""
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
        """Return the name of a heading or a file in a new row."""
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
