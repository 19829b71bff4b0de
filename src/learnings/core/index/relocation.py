"""Rows of a memory index that follow their headings to other files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.findings.fixes import edited
from learnings.core.index.additions import Addition, add
from learnings.core.index.changes import Changes
from learnings.core.index.files import IndexedFile, IndexedHeading, Location, Target
from learnings.core.index.forms import with_lines
from learnings.core.index.match import MatchStatus, RowMatch
from learnings.core.index.matching import match
from learnings.core.index.model import IndexFile
from learnings.core.index.pointers import Pointer


class _Relocated(NamedTuple):
    """A row of a heading, with the heading as it is now."""

    row_match: RowMatch
    target: Target
    text: str


def relocated(
    index: IndexFile,
    before: Sequence[IndexedFile],
    after: Sequence[IndexedFile],
    moves: Mapping[Location, Location],
) -> IndexFile:
    """Return an index whose rows have followed their headings, and the line numbers in them too.

    before and after are the files that the index lists, moves are the headings that are elsewhere
    now, in another line or another file. Rows of other headings stay as they are.
    """
    changes = Changes()
    additions = []
    for row in _relocated(index, before, after, moves):
        line = row.row_match.row.line
        if index.form.has_sections and row.target.file.path != row.row_match.path:
            changes.removed.add(line)
            additions.append(Addition(row.target, row.text))
        elif row.text != row.row_match.row.text:
            changes.replaced[line] = row.text
    additions.sort(key=lambda addition: addition.target.line)
    add(changes, index, after, match(index, after), additions)
    edits = changes.edits(index.lines, index.newline)
    return with_lines(index, edited(index.lines, edits, path=index.path))


def _relocated(
    index: IndexFile,
    before: Sequence[IndexedFile],
    after: Sequence[IndexedFile],
    moves: Mapping[Location, Location],
) -> Iterator[_Relocated]:
    headings = {(file.path, h.line): Target(file, h) for file in after for h in file.headings}
    for row_match in match(index, before).row_matches:
        old = row_match.target
        is_row = row_match.status in (MatchStatus.MATCHED, MatchStatus.DUPLICATE)
        new = headings.get(moves.get(old.location, ("", 0))) if old and is_row else None
        if old is None or old.heading is None or new is None or new.heading is None:
            continue
        text = _with_path(row_match, new.file.path)
        for pointer in row_match.row.reading.pointers:
            text = _with_lines(text, pointer, old.heading, new.heading)
        yield _Relocated(row_match, new, text)


def _with_path(row_match: RowMatch, path: str) -> str:
    """Return the text of a row with the file's new name wherever it names the file.

    The new one is in the same folder.
    """
    text = row_match.row.text
    old, name = row_match.path.rpartition("/")[2], path.rpartition("/")[2]
    # The name, not as a part of a longer one.
    return re.sub(rf"(?<![\w.-]){re.escape(old)}(?![\w-]|\.\w)", lambda _: name, text)


def _with_lines(text: str, pointer: Pointer, old: IndexedHeading, new: IndexedHeading) -> str:
    """Return the text of a row with a pointer at the heading's new line, unless it was wrong."""
    if pointer.first != old.line:
        return text
    # The number and the end of its range; the last such number in the row is the pointer.
    span = rf"(?<!\d){pointer.first}(?!\d)(?:([ ]?[-–][ ]?L?){pointer.last}(?!\d))?"
    *_, match = re.finditer(span, text)
    last = min(new.line + pointer.last - pointer.first, new.last)
    lines = f"{new.line}{match[1]}{last}" if match[1] else str(new.line)
    return text[: match.start()] + lines + text[match.end() :]
