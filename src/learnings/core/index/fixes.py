"""Which problems of a memory index a fix would mend: found out by making the fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from learnings.core.errors import FixRefused
from learnings.core.findings.fixes import Fix
from learnings.core.index.check import (
    MISSING_ROW,
    ORDER,
    STRUCTURAL_ROW,
    WRONG_SECTION,
)
from learnings.core.index.files import IndexedFile
from learnings.core.index.fix import fixed
from learnings.core.index.forms import ROWS
from learnings.core.index.match import match
from learnings.core.index.model import IndexFile, read_index
from learnings.core.index.problem import Problem

FIXES: Mapping[str, Fix] = MappingProxyType(
    {
        WRONG_SECTION: Fix("moves the row to the section of its file"),
        ORDER: Fix("puts the rows in the order of the headings"),
        STRUCTURAL_ROW: Fix("removes the row"),
        MISSING_ROW: Fix("adds a row, if --add-missing is given"),
    }
)


def with_fixes(
    index: IndexFile, files: Sequence[IndexedFile], found: Iterable[Problem]
) -> Iterator[Problem]:
    """Give the problems of an index, those that index_fix.fixed() mends with their fix.

    files as for index_check.problems().
    """
    each_found = list(found)
    kinds = {each.kind for each in each_found}
    mends = set(_mended_kinds(index, files)) if kinds & {*FIXES} - {MISSING_ROW} else set()
    added = _added(index, files) if MISSING_ROW in kinds else set()
    for each in each_found:
        is_added = each.kind == MISSING_ROW and (each.path, each.line) in added
        yield each._replace(fix=FIXES[each.kind]) if each.kind in mends or is_added else each


def _mended_kinds(index: IndexFile, files: Sequence[IndexedFile]) -> tuple[str, ...]:
    """Return what no problem of is left by a fix; nothing where it is refused."""
    if _after(index, files, add_missing=False) is None:
        return ()
    return (STRUCTURAL_ROW, ORDER, WRONG_SECTION) if index.form == ROWS else (STRUCTURAL_ROW, ORDER)


def _added(index: IndexFile, files: Sequence[IndexedFile]) -> set[tuple[str, int]]:
    """Return the headings without a row that a fix adds one for: file and line."""
    after = _after(index, files, add_missing=True)
    if after is None:
        return set()
    places = [
        {(target.file.path, max(target.line, 1)) for target in match(each, files).missing}
        for each in (index, after)
    ]
    return places[0] - places[1]


def _after(
    index: IndexFile, files: Sequence[IndexedFile], *, add_missing: bool
) -> IndexFile | None:
    try:
        data = fixed(index, files, add_missing=add_missing)
    except FixRefused:
        return None
    return read_index(data, form=index.form, path=index.path)
