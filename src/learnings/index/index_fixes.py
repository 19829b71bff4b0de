"""Fixes of a memory index: pure functions from an index to its bytes.

Rows of reworded headings get the new words, rows of another file's headings move, the rows of a
section are put in order, and rows of structural headings are removed. On request, headings without
a row get one. An index block is generated: it always gets a row for each entry, and loses rows that
match no entry or repeat another row. Everything else stays, byte for byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from learnings.core.errors import FixRefused
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.ignore_comments import without_ignores
from learnings.index.headings import HeadingLocation, IndexedFile, RowTarget
from learnings.index.index_file import (
    IndexRow,
    Match,
    MatchStatus,
    MemoryIndex,
    RowMatch,
    in_heading_order,
    styles_of,
)
from learnings.index.index_problems import (
    DUPLICATE_ROW,
    MISSING_ROW,
    ORDER,
    ORPHAN_ROW,
    STRUCTURAL_ROW,
    WRONG_SECTION,
    IndexProblem,
    blockers,
    is_without_file,
    subject_of_section,
)
from learnings.index.matching import match_rows, sole_pairs
from learnings.index.row_changes import Addition, RowChanges, add_rows, is_row_of, new_rows
from learnings.index.row_reading import cells

IgnoredProblem = tuple[str, str]
"""A problem that is not to be fixed: its kind and its subject, as in IndexProblem."""


class Rename(NamedTuple):
    """A row whose heading was reworded, with the current heading and the row's new text."""

    row: IndexRow
    target: RowTarget
    text: str


class IndexFixer(NamedTuple):
    """All fixes of an index that need no decision.

    files and fuzzy are described at index_problems.problems_of().
    """

    files: Sequence[IndexedFile]
    add_missing: bool = False
    ignored: Container[IgnoredProblem] = ()
    fuzzy: float | None = None

    def fixed(self, index: MemoryIndex) -> MemoryIndex:
        """Return the index after all fixes; a second fix changes nothing.

        Raises FixRefused if a line with text would be lost, if the new index could not be read as
        intended, or if the index block contains entries or a second marker.
        """
        index, renames = self.renamed(index)
        changes = self.changes(index)
        if not changes.have_effect(index) and not renames:
            return index
        for line, reason in blockers(index, self.files):
            raise FixRefused(f"{index.path}:{line}: {reason}")
        result = changes.applied_to(index)
        lost = changes.loss(index.lines, result.lines)
        gone = Counter(s.title for s in index.sections) - Counter(s.title for s in result.sections)
        for text in (*lost, *filter(None, gone)):
            raise FixRefused(
                f"cannot fix {index.path}: that would lose the line {quoted(text)}; "
                "fix that part by hand"
            )
        is_unstable = self.changes(result).have_effect(result) or self.renamed(result)[1]
        if is_unstable or self._hides_rows(changes, index, result):
            raise FixRefused(
                f"cannot fix {index.path}: its fences, comments or tables run into its rows, so "
                "the fix would not last; close them or put blank lines around them, then fix again"
            )
        return result

    def tried(self, index: MemoryIndex) -> MemoryIndex | None:
        """Return the index after a fix, None if the fix is refused."""
        try:
            return self.fixed(index)
        except FixRefused:
            return None

    def renamed(self, index: MemoryIndex) -> tuple[MemoryIndex, tuple[Rename, ...]]:
        """Return an index after its renames, and the renames; a block renames only rows it keeps.

        If an orphan row and a heading without a row are each other's only candidate, the heading
        was renamed. The row stays on its line and keeps its other text.
        """
        unused: set[int] = set()
        if index.form.lists_itself:
            if not self._is_whole(index):
                return index, ()
            unused = self._unused_lines(match_rows(index, self.files), index)
        renames: list[Rename] = []  # A pair can become unambiguous when others are gone.
        while found := list(_renames(index, match_rows(index, self.files, fuzzy=self.fuzzy))):
            chosen = [r for r in found if r.row.line not in unused and not self._is_ignored(r)]
            changes = RowChanges()
            changes.replaced.update({rename.row.line: rename.text for rename in chosen})
            after = changes.applied_to(index)
            if not chosen or not _are_read(chosen, match_rows(after, self.files)):
                break
            index = after
            renames += chosen
        return index, tuple(renames)

    def changes(self, index: MemoryIndex) -> RowChanges:
        """Return the changes that a fix makes to an index after its renames."""
        matched, changes = match_rows(index, self.files), RowChanges()
        if is_rebuilt := index.form.lists_itself and self._is_whole(index):
            changes.removed.update(self._unused_lines(matched, index))
            left = tuple(m for m in matched.row_matches if m.row.line not in changes.removed)
            matched = matched._replace(row_matches=left)
        moved = [m for m in matched.row_matches if self._is_moved(m, matched, index)]
        structural = [m.row for m in matched.row_matches if m.status is MatchStatus.STRUCTURAL]
        structural = [row for row in structural if (STRUCTURAL_ROW, row.text) not in self.ignored]
        changes.removed.update(m.row.line for m in moved)
        changes.removed.update(row.line for row in structural)
        for group in matched.groups():
            if not any((ORDER, m.row.text) in self.ignored for m in group):
                for before, after in zip(group, in_heading_order(group), strict=True):
                    if before.row.text != after.row.text:
                        changes.replaced[before.row.line] = after.row.text
        additions = [Addition(m.target, m.row.text) for m in moved if m.target]
        if self.add_missing or is_rebuilt:
            new = new_rows(index, matched)
            additions += [a for a in new if (MISSING_ROW, a.target.title) not in self.ignored]
        additions.sort(key=lambda addition: addition.target.line)
        add_rows(changes, index, self.files, matched, additions)
        return changes

    def _is_moved(self, row_match: RowMatch, matched: Match, index: MemoryIndex) -> bool:
        if row_match.status not in (MatchStatus.OTHER_FILE, MatchStatus.NO_FILE):
            return False
        is_section = is_without_file(row_match, matched)
        subject = subject_of_section(index, row_match.row) if is_section else row_match.row.text
        return index.form.moves_rows and (WRONG_SECTION, subject) not in self.ignored

    def _is_whole(self, index: MemoryIndex) -> bool:
        """Return True if entries are known: there are some, and no unclosed block hides more."""
        hiding = blocks_of(index.to_bytes()).outline.hiding_blocks
        return any(file.headings for file in self.files) and all(block.closed for block in hiding)

    def _unused_lines(self, matched: Match, index: MemoryIndex) -> set[int]:
        """Return the rows of a block that no entry needs and that contain nothing else."""
        kinds = {MatchStatus.ORPHAN: ORPHAN_ROW, MatchStatus.DUPLICATE: DUPLICATE_ROW}
        lines = set()
        for row_match in matched.row_matches:
            row, kind = row_match.row, kinds.get(row_match.status)
            if kind is not None and (kind, row.text) not in self.ignored:
                texts = zip_longest(cells(row.text), index.tables[row.group].columns)
                if not any(text and meaning is None for text, meaning in texts):
                    lines.add(row.line)
        return lines

    def _hides_rows(self, changes: RowChanges, before: MemoryIndex, after: MemoryIndex) -> bool:
        """Return True if a row would be unreadable, in a fence that is never closed."""
        stay = {MatchStatus.MATCHED, MatchStatus.OTHER_FILE, MatchStatus.NO_FILE}
        rows = match_rows(before, self.files).row_matches
        kept = (m for m in rows if m.status in stay or m.row.line not in changes.removed)
        left = Counter(m.row.text.strip() for m in match_rows(after, self.files).row_matches)
        return bool(Counter(m.row.text.strip() for m in kept) - left)

    def _is_ignored(self, rename: Rename) -> bool:
        problems = ((ORPHAN_ROW, rename.row.text), (MISSING_ROW, rename.target.title))
        return any(problem in self.ignored for problem in problems)


# The kinds of problems that a fix can remove from an index, and from an index block.
FIXABLE = frozenset({WRONG_SECTION, ORDER, STRUCTURAL_ROW, MISSING_ROW})
FIXABLE_IN_BLOCK = frozenset({ORDER, MISSING_ROW, ORPHAN_ROW, DUPLICATE_ROW})


def with_fixes(
    index: MemoryIndex,
    files: Sequence[IndexedFile],
    problems: Collection[IndexProblem],
    *,
    ignored: Container[IgnoredProblem] = (),
    fuzzy: float | None = None,
) -> Iterator[IndexProblem]:
    """Yield the problems of an index, with those marked that a trial run of the fixes removes."""
    in_block = index.form.lists_itself
    possible = FIXABLE_IN_BLOCK if in_block else FIXABLE
    kinds = {problem.kind for problem in problems}
    fixable: set[str] = set()
    plain = IndexFixer(files)
    if kinds & possible - {MISSING_ROW} and plain.tried(index):
        fixable = {STRUCTURAL_ROW, ORDER} | ({WRONG_SECTION} if index.form.moves_rows else set())
    added: Container[HeadingLocation] = ()
    if MISSING_ROW in kinds and (after := IndexFixer(files, add_missing=True).tried(index)):
        added = _missing_locations(index, files) - _missing_locations(after, files)
    removed: Container[int] = ()
    if fixable and in_block:
        removed = plain.changes(index).removed
    renames: set[tuple[str, str, int]] = set()
    fixer = IndexFixer(files, ignored=ignored, fuzzy=fuzzy)
    if {ORPHAN_ROW, MISSING_ROW} <= kinds and fixer.tried(index):
        for rename in fixer.renamed(index)[1]:
            renames.add((ORPHAN_ROW, index.path, rename.row.line))
            renames.add((MISSING_ROW, *rename.target.location))
    for problem in problems:
        is_renamed = (problem.kind, problem.path, problem.line) in renames
        is_added = problem.kind == MISSING_ROW and (problem.path, problem.line) in added
        is_removed = problem.kind in (ORPHAN_ROW, DUPLICATE_ROW) and problem.line in removed
        is_fixed = problem.kind in fixable or is_added or is_removed or is_renamed
        yield problem._replace(is_fixable=is_fixed, is_renamed=is_renamed, in_block=in_block)


def _missing_locations(index: MemoryIndex, files: Sequence[IndexedFile]) -> set[HeadingLocation]:
    missing = match_rows(index, files).missing
    return {(target.file.path, max(target.line, 1)) for target in missing}


def _renames(index: MemoryIndex, matched: Match) -> Iterator[Rename]:
    """Yield the renames whose new words can be written in a row."""
    styles = styles_of(matched)
    for row, target in sole_pairs(matched):
        table = index.form.table_for_new_row(index, row)
        visible = without_ignores(row.text).rstrip()
        text = index.form.renamed_row(visible, target, table, styles[target.file.path])
        if text is not None and is_row_of(text, index, target, table):
            yield Rename(row, target, text + row.text[len(visible) :])


def _are_read(renames: Sequence[Rename], matched: Match) -> bool:
    found = {
        row_match.row.line: row_match.target.location
        for row_match in matched.row_matches
        if row_match.status is MatchStatus.MATCHED and row_match.target is not None
    }
    return all(found.get(rename.row.line) == rename.target.location for rename in renames)
