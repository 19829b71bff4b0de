"""Rows of a memory index that led to a heading before a change and lead to none after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.proof.model import ROW, Loss, Place
from learnings.index.headings import IndexedFile
from learnings.index.index_file import MemoryIndex
from learnings.index.matching import match_rows
from learnings.index.rows import MatchStatus, RowMatch

# The row is there, and what it stands for is not.
_UNRESOLVED = (MatchStatus.ORPHAN, MatchStatus.FILE_MISSING)


class Indexed(NamedTuple):
    """A memory index with the files that it lists."""

    memory_index: MemoryIndex
    files: Sequence[IndexedFile]


def lost_rows(before: Indexed, after: Indexed) -> Iterator[Loss]:
    """Give the rows that no longer resolve; those that never did, and new ones, are not lost."""
    resolved = Counter(m.row.text.strip() for m in _matches(before) if m.status not in _UNRESOLVED)
    lines = {m.row.text.strip(): m.row.line for m in _matches(before)}
    for row_match in _matches(after):
        text = row_match.row.text.strip()
        if row_match.status in _UNRESOLVED and resolved[text]:
            path = after.memory_index.path
            where = f"no heading of {row_match.path} reads so" if row_match.path else ""
            gone = f"there is no file {row_match.path}"
            yield Loss(
                ROW,
                text,
                text,
                Place(path, lines[text]),
                Place(path, row_match.row.line),
                detail=gone if row_match.status is MatchStatus.FILE_MISSING else where,
            )


def _matches(indexed: Indexed) -> Sequence[RowMatch]:
    return match_rows(indexed.memory_index, indexed.files).row_matches
