"""Entries that a file held and holds no more: which of them stand in another file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.entries import archives
from learnings.core.entries.document import Entry
from learnings.core.text import split_lines


class GoneEntries(NamedTuple):
    """The entries of a file that has none any more.

    commit is the one that still has them: its id, `HEAD` for the last one. total is their number
    there, missing the headings of those that are in no other file.
    """

    commit: str
    total: int
    missing: tuple[str, ...]


def missing_entries(entries: Sequence[Entry], texts: Iterable[str]) -> list[Entry]:
    """Return the entries that none of the texts holds, as archives.contains() sees it."""
    missing = list(entries)
    for text in texts:
        if not missing:
            break
        lines = archives.comparable(split_lines(text))
        missing = [entry for entry in missing if not archives.contains(lines, entry)]
    return missing
