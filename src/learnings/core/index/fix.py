"""The fixes of a memory index: pure, from an index to its bytes.

What is moved: rows of headings of another file. What is put in order: the rows of a section, on
the lines that have rows of it. What is removed: rows of structural headings. What is added, when
asked for: rows of headings that have none. All else stays, byte for byte.

An index block is generated: it gets a row for each entry that has none, without being asked, and
loses those that stand for no entry or repeat another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from itertools import zip_longest

from learnings.core.errors import FixRefused
from learnings.core.findings.finding import quoted
from learnings.core.findings.fixes import edited
from learnings.core.index.additions import Addition, add, new_rows
from learnings.core.index.changes import Changes
from learnings.core.index.check import blockers
from learnings.core.index.files import IndexedFile
from learnings.core.index.forms import with_lines
from learnings.core.index.match import Match, MatchStatus, RowMatch, in_heading_order
from learnings.core.index.matching import match
from learnings.core.index.model import IndexFile
from learnings.core.index.problem import (
    DUPLICATE_ROW,
    MISSING_ROW,
    ORDER,
    ORPHAN_ROW,
    STRUCTURAL_ROW,
    WRONG_SECTION,
)
from learnings.core.index.tables import cells
from learnings.core.index.without_file import is_without_file, subject_of_section
from learnings.core.markdown.blocks import blocks_of

Ignored = tuple[str, str]
"""A problem that is not to be fixed: its kind and its subject, as in Problem."""


def fixed(
    index: IndexFile,
    files: Sequence[IndexedFile],
    *,
    add_missing: bool = False,
    ignored: Container[Ignored] = (),
) -> bytes:
    """Return the index file with all fixed that needs no decision.

    files as for check.problems(). What is in order comes back unchanged, and a second fix changes
    nothing. Raises FixRefused where a line with text would be lost, where the index cannot be read
    afterwards as intended, or where the index block holds entries or a second marker.
    """
    return index_after_fix(index, files, add_missing=add_missing, ignored=ignored).to_bytes()


def index_after_fix(
    index: IndexFile,
    files: Sequence[IndexedFile],
    *,
    add_missing: bool,
    ignored: Container[Ignored] = (),
) -> IndexFile:
    """Return the index that fixed() gives as bytes; raises as it does."""
    changes = changes_of(index, files, add_missing=add_missing, ignored=ignored)
    edits = changes.edits(index.lines, index.newline)
    if not edits:
        return index
    for line, reason in blockers(index, files):
        raise FixRefused(f"{index.path}:{line}: {reason}")
    result = with_lines(index, edited(index.lines, edits, path=index.path))
    _refuse_loss(changes, index, result)
    again = changes_of(result, files, add_missing=add_missing, ignored=ignored)
    if again.edits(result.lines, result.newline) or _hides_rows(changes, index, result, files):
        raise FixRefused(
            f"{index.path} is left as it is: its fences, comments or tables run into its rows, so "
            "that a fix would not last; close them or put blank lines around them, then fix again"
        )
    return result


def changes_of(
    index: IndexFile,
    files: Sequence[IndexedFile],
    *,
    add_missing: bool,
    ignored: Container[Ignored],
) -> Changes:
    """Return the changes that fixed() makes, before it is known whether they would last."""
    matched, changes = match(index, files), Changes()
    if is_rebuilt := index.form.is_generated and _is_whole(index, files):
        unused = [m for m in matched.row_matches if _is_unused(m, index, ignored)]
        changes.removed.update(m.row.line for m in unused)
        left = tuple(m for m in matched.row_matches if m.row.line not in changes.removed)
        matched = matched._replace(row_matches=left)
    moved = [m for m in matched.row_matches if _is_moved(m, matched, index, ignored)]
    removed = (m for m in matched.row_matches if _is_removed(m, ignored))
    changes.removed.update(m.row.line for m in (*moved, *removed))
    for group in matched.groups():
        if not any((ORDER, m.row.text) in ignored for m in group):
            _order(changes, group)
    additions = [Addition(m.target, m.row.text) for m in moved if m.target]
    if add_missing or is_rebuilt:
        new = new_rows(index, matched)
        additions += [row for row in new if (MISSING_ROW, row.target.title) not in ignored]
    additions.sort(key=lambda addition: addition.target.line)
    add(changes, index, files, matched, additions)
    return changes


def _is_moved(
    row_match: RowMatch, matched: Match, index: IndexFile, ignored: Container[Ignored]
) -> bool:
    if row_match.status not in (MatchStatus.OTHER_FILE, MatchStatus.NO_FILE):
        return False
    is_section = is_without_file(row_match, matched)
    subject = subject_of_section(index, row_match.row) if is_section else row_match.row.text
    return index.form.moves_rows and (WRONG_SECTION, subject) not in ignored


def _is_removed(row_match: RowMatch, ignored: Container[Ignored]) -> bool:
    is_structural = row_match.status is MatchStatus.STRUCTURAL
    return is_structural and (STRUCTURAL_ROW, row_match.row.text) not in ignored


def _is_whole(index: IndexFile, files: Sequence[IndexedFile]) -> bool:
    """Return True if the entries of a file are known: it has some, and nothing open hides more."""
    hiding = blocks_of(index.to_bytes()).outline.hiding_blocks
    return any(file.headings for file in files) and all(block.closed for block in hiding)


def _is_unused(row_match: RowMatch, index: IndexFile, ignored: Container[Ignored]) -> bool:
    """Return True for a row of a block that no entry needs and that says nothing else."""
    kind = {MatchStatus.ORPHAN: ORPHAN_ROW, MatchStatus.DUPLICATE: DUPLICATE_ROW}
    if row_match.status not in kind or (kind[row_match.status], row_match.row.text) in ignored:
        return False
    table = index.tables[row_match.row.group]
    texts = zip_longest(cells(row_match.row.text), table.columns)
    return not any(text and meaning is None for text, meaning in texts)


def _order(changes: Changes, group: Sequence[RowMatch]) -> None:
    for before, after in zip(group, in_heading_order(group), strict=True):
        if before.row.text != after.row.text:
            changes.replaced[before.row.line] = after.row.text


def _refuse_loss(changes: Changes, before: IndexFile, after: IndexFile) -> None:
    lost = changes.loss(before.lines, after.lines)
    gone = Counter(s.title for s in before.sections) - Counter(s.title for s in after.sections)
    for text in (*lost, *filter(None, gone)):
        raise FixRefused(
            f"{before.path} is left as it is: a fix would lose the line {quoted(text)}; "
            "fix that part by hand"
        )


def _hides_rows(
    changes: Changes, before: IndexFile, after: IndexFile, files: Sequence[IndexedFile]
) -> bool:
    """Return True if a row would stand where it is not read, in a fence that is never closed."""
    stay = {MatchStatus.MATCHED, MatchStatus.OTHER_FILE, MatchStatus.NO_FILE}
    rows = [
        row_match
        for row_match in match(before, files).row_matches
        if row_match.status in stay or row_match.row.line not in changes.removed
    ]
    left = (row_match.row.text.strip() for row_match in match(after, files).row_matches)
    return bool(Counter(row_match.row.text.strip() for row_match in rows) - Counter(left))
