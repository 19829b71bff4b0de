"""What the rows of a memory index stand for, as values; matching.py finds it out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from learnings.core.index.files import Location, Target
from learnings.core.index.lines import Row


class MatchStatus(Enum):
    """What a line of the index turned out to be."""

    MATCHED = "matched"  # the row of a heading of its file
    OTHER_FILE = "other-file"  # the row of a heading of another file
    NO_FILE = "no-file"  # the row of a heading, in a section that names no file
    DUPLICATE = "duplicate"  # its heading has a row with that key already
    STRUCTURAL = "structural"  # its heading is structural
    FUZZY = "fuzzy"  # no heading has its key, one without a row has a similar one
    COLLISION = "collision"  # no heading has its key, the most similar one has a row
    ORPHAN = "orphan"  # no heading has its key
    FILE_MISSING = "file-missing"  # its file is missing, and no other file has the heading
    UNREADABLE = "unreadable"  # it has the form of a row, but no key


class RowMatch(NamedTuple):
    """A row with what it stands for.

    path is that of its file, from the root, empty in a section that names none; rival is the row
    that its heading has already.
    """

    row: Row
    path: str
    status: MatchStatus
    target: Target | None = None
    rival: Row | None = None

    @property
    def line(self) -> int:
        """The line of the heading that the row stands for, 0 for a file or nothing."""
        return self.target.line if self.target else 0


class Match(NamedTuple):
    """An index compared with its files.

    row_matches are in the order of the rows. missing are the targets without a row; similar are
    rows with a key like that of such a target, by its location. absent are the files that the
    index names and that are not there, each with its lines. notes are lines that would be rows,
    but stand in a section that names no file and name no heading that lacks a row.
    """

    row_matches: tuple[RowMatch, ...]
    missing: tuple[Target, ...]
    similar: Mapping[Location, Row]
    absent: Mapping[str, tuple[int, ...]]
    notes: tuple[Row, ...] = ()

    @property
    def last_row(self) -> Row | None:
        """The last row of the index that is about a file."""
        return next((m.row for m in reversed(self.row_matches) if m.path), None)

    def groups(self) -> list[list[RowMatch]]:
        """Return the rows to keep in order: those of one file in one section or table, as they are.

        Duplicates are among them: else the order would decide which of two rows is the first.
        """
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
    """Return the rows of a group in the order of their headings; as they are, if that is right.

    Duplicates do not make an order wrong, but follow what they repeat when it is put right.
    """
    lines = [row_match.line for row_match in group if row_match.status is MatchStatus.MATCHED]
    return list(group) if lines == sorted(lines) else sorted(group, key=lambda match: match.line)
