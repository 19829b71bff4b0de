"""Which problems of a memory index a fix removes, and what it does for each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType

from learnings.core.errors import FixRefused
from learnings.core.findings.fixes import Fix
from learnings.core.index.files import IndexedFile, Location
from learnings.core.index.fix import changes_of, index_after_fix
from learnings.core.index.matching import match
from learnings.core.index.model import IndexFile
from learnings.core.index.problem import (
    DUPLICATE_ROW,
    MISSING_ROW,
    ORDER,
    ORPHAN_ROW,
    STRUCTURAL_ROW,
    WRONG_SECTION,
    Problem,
)

FIXES: Mapping[str, Fix] = MappingProxyType(
    {
        WRONG_SECTION: Fix("moves rows to the section of their file"),
        ORDER: Fix("puts the rows in the order of the headings"),
        STRUCTURAL_ROW: Fix("removes the row"),
        MISSING_ROW: Fix("adds a row, if --add-missing is given", on_request=True),
    }
)
BLOCK_FIXES: Mapping[str, Fix] = MappingProxyType(
    {
        ORDER: FIXES[ORDER],
        MISSING_ROW: Fix("adds a row to the index block"),
        ORPHAN_ROW: Fix("removes the row from the index block"),
        DUPLICATE_ROW: Fix("removes the row from the index block"),
    }
)


def with_fixes(
    index: IndexFile, files: Sequence[IndexedFile], problems: Collection[Problem]
) -> Iterator[Problem]:
    """Give the problems of an index, those that fixed() fixes with their fix.

    Found out by making the fix; files as for check.problems().
    """
    fixes = BLOCK_FIXES if index.form.is_generated else FIXES
    kinds = {problem.kind for problem in problems}
    fixable = _fixed_kinds(index, files) if kinds & {*fixes} - {MISSING_ROW} else set()
    added = _added_locations(index, files) if MISSING_ROW in kinds else set()
    removed = _removed_lines(index, files) if fixable and index.form.is_generated else set()
    for problem in problems:
        is_added = problem.kind == MISSING_ROW and (problem.path, problem.line) in added
        is_removed = problem.kind in (ORPHAN_ROW, DUPLICATE_ROW) and problem.line in removed
        is_fixed = problem.kind in fixable or is_added or is_removed
        yield problem._replace(fix=fixes[problem.kind]) if is_fixed else problem


def _fixed_kinds(index: IndexFile, files: Sequence[IndexedFile]) -> set[str]:
    """Return the kinds of which a fix leaves no problem; none where it is refused."""
    try:
        index_after_fix(index, files, add_missing=False)
    except FixRefused:
        return set()
    return {STRUCTURAL_ROW, ORDER} | ({WRONG_SECTION} if index.form.moves_rows else set())


def _removed_lines(index: IndexFile, files: Sequence[IndexedFile]) -> set[int]:
    """Return the lines of an index block that a fix removes, where it is not refused."""
    return changes_of(index, files, add_missing=False, ignored=()).removed


def _added_locations(index: IndexFile, files: Sequence[IndexedFile]) -> set[Location]:
    """Return the file and the line of each heading without a row that a fix adds one for."""
    try:
        after = index_after_fix(index, files, add_missing=True)
    except FixRefused:
        return set()
    return _missing_locations(index, files) - _missing_locations(after, files)


def _missing_locations(index: IndexFile, files: Sequence[IndexedFile]) -> set[Location]:
    missing = match(index, files).missing
    return {(target.file.path, max(target.line, 1)) for target in missing}
