"""Entries that a file held and holds no more: which of them stand in another file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Entry

# What an entry begins with: the marks of a heading or a list item.
_MARKS = "#-*+ \t"


class GoneEntries(NamedTuple):
    """The entries of a file that has none any more.

    commit is the one that still has them: its id, `HEAD` for the last one. total is their number
    there, missing the headings of those that are in no other file.
    """

    commit: str
    total: int
    missing: tuple[str, ...]


def missing_entries(entries: Sequence[Entry], texts: Iterable[str]) -> list[Entry]:
    """Return the entries that none of the texts holds with all their lines.

    Indentation, blank lines and the mark of a heading or list item do not matter: an archive may
    put them at another level.
    """
    missing = list(entries)
    for text in texts:
        if not missing:
            break
        lines = {line.strip() for line in text.splitlines()}
        missing = [entry for entry in missing if not _holds(lines, entry)]
    return missing


def _holds(lines: set[str], entry: Entry) -> bool:
    body = (line.strip() for line in entry.lines[1:])
    if not all(line in lines for line in body if line):
        return False
    first = entry.lines[0].strip().lstrip(_MARKS)
    return any(first in line for line in lines)
