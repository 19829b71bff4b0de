"""The changes of a consolidation in the indexes of a repository: added and removed rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.check.memory_index import form_of, load_index, other_form_of
from learnings.core.errors import FixRefused
from learnings.index.forms import with_lines
from learnings.index.headings import IndexedFile
from learnings.index.index_file import MemoryIndex
from learnings.index.index_fixes import fixed_index
from learnings.index.index_problems import ORPHAN_ROW, IndexProblem, problems_of
from learnings.store.files import Change
from learnings.workspace.disk import read_file
from learnings.workspace.workspace import Workspace


class IndexChange(NamedTuple):
    """An index before and after; note says why it could not be updated, if so."""

    path: str
    before: bytes
    after: bytes
    note: str = ""


class ChangedContents(NamedTuple):
    """Contents of files by path before and after a consolidation, and titles of merged entries."""

    before: Mapping[str, bytes]
    after: Mapping[str, bytes]
    merged: tuple[str, ...] = ()


def with_own_index(workspace: Workspace, path: str, contents: ChangedContents) -> IndexChange:
    """Return the future content of a learnings file with its index block updated."""
    data = contents.after[path]
    if form_of(workspace, path, data) is None:
        return IndexChange(path, data, data)
    return _updated(workspace, path, contents.before[path], data, contents)


def index_changes(workspace: Workspace, contents: ChangedContents) -> Iterator[IndexChange]:
    """Yield the memory indexes that change with these files, or should; raises as read_file()."""
    for candidate in workspace.index_files():
        if candidate.included and candidate.path not in contents.after:
            data = read_file(workspace.root / candidate.path, shown=candidate.path)
            change = _updated(workspace, candidate.path, data, data, contents)
            if change.note or change.after != change.before:
                yield change


class IndexedChange(NamedTuple):
    """A change of a learnings file and of the indexes; notes say why an index stays unchanged."""

    source: Change
    indexes: tuple[Change, ...]
    notes: tuple[str, ...]


def indexed_change(
    workspace: Workspace, path: str, before: bytes | None, after: bytes
) -> IndexedChange:
    """Return the change of a learnings file (before is None if new) and of all indexes."""
    contents = ChangedContents({path: before or b""}, {path: after})
    own = with_own_index(workspace, path, contents)
    indexes = list(index_changes(workspace, contents._replace(after={path: own.after})))
    return IndexedChange(
        Change(path, before, own.after),
        tuple(Change(i.path, i.before, i.after) for i in indexes if i.after != i.before),
        tuple(change.note for change in (own, *indexes) if change.note),
    )


def _updated(
    workspace: Workspace, path: str, before: bytes, after: bytes, contents: ChangedContents
) -> IndexChange:
    """Update an index; earlier errors stay."""
    index, files = load_index(workspace, path, before, contents.before)
    known = {(p.kind, p.subject) for p in problems_of(index, files)}
    index, files = load_index(workspace, path, after, contents.after)
    if other_form_of(workspace, index, files) is not None:
        return IndexChange(path, after, after)
    try:
        index = _without_orphans(index, files, known, contents.merged)
        result = fixed_index(index, files, add_missing=True, ignored=known)
    except FixRefused as error:
        return IndexChange(path, after, after, str(error))
    return IndexChange(path, after, result)


def _without_orphans(
    index: MemoryIndex,
    files: Sequence[IndexedFile],
    known: set[tuple[str, str]],
    merged: Sequence[str],
) -> MemoryIndex:
    """Remove the rows whose headings have just gone.

    An interrupted run leaves a row for a merged entry with the time stamp of that run.
    """
    titles = "|".join(map(re.escape, merged))
    left_behind = re.compile(rf"[^\[\w]*\[\d[^\]]*\] (?:{titles})(?=\W|$)", re.IGNORECASE)

    def is_gone(problem: IndexProblem) -> bool:
        if problem.kind != ORPHAN_ROW or problem.path != index.path:
            return False
        is_left = bool(merged) and left_behind.match(index.lines[problem.line - 1]) is not None
        return is_left or (problem.kind, problem.subject) not in known

    lines = {problem.line for problem in problems_of(index, files) if is_gone(problem)}
    if not lines or index.form.is_generated:  # there fixed() removes them
        return index
    return with_lines(index, [line for n, line in enumerate(index.lines, 1) if n not in lines])
