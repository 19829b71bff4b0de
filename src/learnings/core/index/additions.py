"""Rows that are added to a memory index: how a new one is written, and where each one goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.index.changes import Changes
from learnings.core.index.files import HeadingKind, IndexedFile, Target
from learnings.core.index.match import Match, MatchStatus, RowMatch, in_heading_order
from learnings.core.index.model import IndexFile
from learnings.core.index.style import PLAIN, RowStyle, style_of
from learnings.core.index.tables import Table
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.outline import Outline


class Addition(NamedTuple):
    """A row to add to the rows of a file, moved there or new; text is without terminator."""

    target: Target
    text: str


def new_rows(index: IndexFile, matched: Match) -> Iterator[Addition]:
    """Give a row for each heading that has none and that a row can name.

    It is written as the rows of its file are, else as those of the index.
    """
    if not matched.missing:
        return
    groups, style = matched.first_groups(), style_of(matched.row_matches)
    styles = {path: style_of(group).over(style) for path, group in groups.items()}
    for target in matched.missing:
        group = groups.get(target.file.path)
        beside = group[0].row if group else matched.last_row
        table = index.form.table_beside(index, beside)
        text = new_row(index, target, table, styles.get(target.file.path, style))
        if text is not None:
            yield Addition(target, text)


def new_row(
    index: IndexFile, target: Target, table: Table | None, style: RowStyle = PLAIN
) -> str | None:
    """Return the row of a heading that has none, without terminator; None if no row can name it.

    table is the one that the row goes to, None in a form without tables. A title that Markdown
    would take for code, a comment or a heading at the beginning of a row, or that is read
    differently there, has none.
    """
    text = index.form.row_text(target, table, style)
    return text if _is_row_of(text, index, target, table) else None


def _is_row_of(text: str, index: IndexFile, target: Target, table: Table | None) -> bool:
    """Return True if a line is read as a row of just that heading or file."""
    reading = index.form.read_row(text, table)
    if reading is None or reading.fault is not None or not _stands_alone(text):
        return False
    if target.heading is None:
        return bool(target.file.names.intersection(reading.keys))
    headings = target.file.headings_with(reading.keys, HeadingKind.SEMANTIC)
    return bool(headings) and headings[0].key == target.heading.key


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
    known = {file.path for file in files}
    groups, headings = matched.first_groups(), index.form.headings_of_files(index, known)
    at_end: dict[str, list[str]] = {}
    for path, file_additions in _by_path(files, additions).items():
        texts = [addition.text for addition in file_additions]
        if path in groups:
            _add_among(changes, groups[path], file_additions)
        elif path in headings:
            _add_below_heading(changes, index, headings[path], texts)
        else:
            at_end[path] = texts
    if at_end:
        last = matched.last_row
        end = index.form.insertion_at_end(index, at_end, last=last, known=known)
        changes.add(end.below, end.texts)


def _by_path(
    files: Sequence[IndexedFile], additions: Sequence[Addition]
) -> dict[str, list[Addition]]:
    """Return the rows to add for each file, by its path, in the order of the files."""
    by_path: dict[str, list[Addition]] = {file.path: [] for file in files}
    for addition in additions:
        by_path[addition.target.file.path].append(addition)
    return {path: file_additions for path, file_additions in by_path.items() if file_additions}


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
