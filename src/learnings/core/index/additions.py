"""Rows that come to a memory index: how a new one is written, and where each one goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.index.changes import Changes
from learnings.core.index.files import HeadingKind, IndexedFile, Target
from learnings.core.index.lines import Row
from learnings.core.index.match import Match, MatchStatus, RowMatch, in_heading_order
from learnings.core.index.model import IndexFile
from learnings.core.index.tables import Table
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.outline import Outline


class Addition(NamedTuple):
    """A row that comes to a file's rows, moved there or new; text is without terminator."""

    target: Target
    text: str


def new_rows(index: IndexFile, matched: Match) -> Iterator[Addition]:
    """Give a row for each heading that has none and that a row can name."""
    for target in matched.missing:
        table = index.form.table_beside(index, _row_of_file(target.file.path, matched))
        text = new_row(index, target, table)
        if text is not None:
            yield Addition(target, text)


def new_row(index: IndexFile, target: Target, table: Table | None) -> str | None:
    """Return the row of a heading that has none, without terminator; None if no row can name it.

    table is the one that the row goes to, None in a form without tables. A title that Markdown
    would take for code, a comment or a heading at the beginning of a row, or that is read
    differently there, has none.
    """
    text = index.form.row_text(target, table)
    reading = index.form.read_row(text, table)
    if reading is None or reading.fault is not None or not _stands_alone(text):
        return None
    if target.heading is None:
        return text if target.file.names.intersection(reading.keys) else None
    headings = target.file.headings_with(reading.keys, HeadingKind.SEMANTIC)
    return text if headings and headings[0].key == target.heading.key else None


def add(
    changes: Changes,
    index: IndexFile,
    files: Sequence[IndexedFile],
    matched: Match,
    additions: Sequence[Addition],
) -> None:
    """Add rows, those of one file in the order given, to the changes of an index.

    They go among the rows of their file, else below its heading, else where the form says.
    """
    by_path: defaultdict[str, list[Addition]] = defaultdict(list)
    for addition in additions:
        by_path[addition.target.file.path].append(addition)
    groups: dict[str, list[RowMatch]] = {}
    for group in matched.groups():
        groups.setdefault(group[0].path, group)
    known = {file.path for file in files}
    headings = index.form.headings_of_files(index, known)
    at_end: dict[str, list[str]] = {}
    for path in (file.path for file in files if by_path[file.path]):
        texts = [addition.text for addition in by_path[path]]
        if path in groups:
            _add_among(changes, groups[path], by_path[path])
        elif path in headings:
            _add_below_heading(changes, index, headings[path], texts)
        else:
            at_end[path] = texts
    last = matched.last_row
    end = at_end and index.form.insertion_at_end(index, at_end, last=last, known=known)
    if end:
        changes.add(end.below, end.texts)


def _row_of_file(path: str, matched: Match) -> Row | None:
    """Return a row of this file, else the last row of the index."""
    rows = (group[0].row for group in matched.groups() if group[0].path == path)
    return next(rows, matched.last_row)


def _add_among(changes: Changes, group: Sequence[RowMatch], additions: Sequence[Addition]) -> None:
    """Add rows between those that are there, each below the last one of an earlier heading."""
    lines = [
        (before.row.line, after.line)
        for before, after in zip(group, in_heading_order(group), strict=True)
        if after.status is MatchStatus.MATCHED
    ]
    for addition in additions:
        above = [line for line, heading in lines if heading <= addition.target.line]
        changes.add(above[-1] if above else group[0].row.line - 1, [addition.text])


def _add_below_heading(changes: Changes, index: IndexFile, heading: int, texts: list[str]) -> None:
    """Add the first rows of a section: below its heading and one blank line."""
    is_blank = heading < len(index.lines) and not index.content(heading + 1).strip()
    below = heading + 1 if is_blank else heading
    is_followed = below < len(index.lines) and index.content(below + 1).strip()
    changes.add(below, ["", *texts, *([""] if is_followed else [])])


def _stands_alone(text: str) -> bool:
    """Return True if Markdown begins nothing with this line that takes in the lines below."""
    outline = outline_of([text + "\n"])
    begins = Outline(items=outline.items) != outline
    return not begins and not text.startswith("<")
