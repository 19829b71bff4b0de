"""Headings that were reworded: the rows that still have the old words, and get the new ones.

If an orphan row and a heading without a row are each other's only candidate, the heading was
renamed. The row stays on its line and keeps its other text.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from typing import NamedTuple

from learnings.core.findings.fixes import edited
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.index.forms import with_lines
from learnings.index.headings import IndexedFile, RowTarget
from learnings.index.index_file import MemoryIndex
from learnings.index.index_problems import MISSING_ROW, ORPHAN_ROW
from learnings.index.matching import match_rows, sole_pairs
from learnings.index.row_changes import RowChanges, is_row_of
from learnings.index.rows import IndexRow, Match, MatchStatus, RowStyle, styles_of

IgnoredProblem = tuple[str, str]
"""A problem that is not to be fixed: its kind and its subject, as in IndexProblem."""


class Rename(NamedTuple):
    """A row whose heading was reworded, with the heading as it is now and the text it gets."""

    row: IndexRow
    target: RowTarget
    text: str


def with_renames(
    index: MemoryIndex,
    files: Sequence[IndexedFile],
    *,
    ignored: Container[IgnoredProblem] = (),
    fuzzy: float | None = None,
    unused: Collection[int] = (),
) -> tuple[MemoryIndex, tuple[Rename, ...]]:
    """Return an index in which every rename is made, and the renames.

    files and fuzzy are as for index_problems.problems_of(), so that a row that is not an orphan to
    the check keeps its words. unused are the lines of rows that are removed instead.
    """
    renames: list[Rename] = []
    # A pair can become the only one left when others are gone.
    while found := list(_renames(index, match_rows(index, files, fuzzy=fuzzy))):
        chosen = [r for r in found if r.row.line not in unused and not _is_ignored(r, ignored)]
        changes = RowChanges()
        changes.replaced.update({rename.row.line: rename.text for rename in chosen})
        edits = changes.edits(index.lines, index.newline)
        after = with_lines(index, edited(index.lines, edits, path=index.path))
        if not chosen or not _are_read(chosen, match_rows(after, files)):
            break
        index = after
        renames += chosen
    return index, tuple(renames)


def _is_ignored(rename: Rename, ignored: Container[IgnoredProblem]) -> bool:
    problems = ((ORPHAN_ROW, rename.row.text), (MISSING_ROW, rename.target.title))
    return any(problem in ignored for problem in problems)


def _renames(index: MemoryIndex, matched: Match) -> Iterator[Rename]:
    styles = styles_of(matched)
    for row, target in sole_pairs(matched):
        text = _renamed_text(index, row, target, styles[target.file.path])
        if text is not None:
            yield Rename(row, target, text)


def _renamed_text(
    index: MemoryIndex, row: IndexRow, target: RowTarget, style: RowStyle
) -> str | None:
    table = index.form.table_for_new_row(index, row)
    visible = without_ignores(row.text).rstrip()
    text = index.form.renamed_row(visible, target, table, style)
    if text is None or not is_row_of(text, index, target, table):
        return None
    return text + row.text[len(visible) :]


def _are_read(renames: Sequence[Rename], matched: Match) -> bool:
    found = {
        row_match.row.line: row_match.target.location
        for row_match in matched.row_matches
        if row_match.status is MatchStatus.MATCHED and row_match.target is not None
    }
    return all(found.get(rename.row.line) == rename.target.location for rename in renames)
