"""The versions of a file on a branch, along the first parents, with merges as one step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from learnings.core.due.forecast import BranchVersion
from learnings.core.entries.dialects import SECTIONS
from learnings.core.entries.document import Size, excess_of, size_of
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.git.cached import Key
from learnings.history.git.repository import first_parent_of

_SizeOf = Callable[[str], Size]


def versions_since(history: FileHistory, since: str) -> tuple[BranchVersion, ...]:
    """Return the versions of a file on its branch, newest first, back to the first before a date.

    If one section of the file is the memory now, the lines of that section count in all versions. A
    version without the file has 0 lines. Raises UntrustedHistory.
    """
    in_section = history.document.dialect.name == SECTIONS
    key: Key = {**history.key, "in_section": in_section}

    def size(blob: str) -> Size:
        data = history.blobs.version(blob)
        if in_section and excess_of(data) is None:
            return history.document_at(blob).size
        return size_of(data)

    head, start, known = history.cache.load("mainline", key, _decoded) or ("", since, ())
    newer = _newer(history, head, size) if head and start <= since else None
    if newer is None:
        start, known = since, ()
        newer = _walk(history.graph(), size, since)
    versions = (*newer, *known)
    history.cache.save("mainline", key, (history.repository.head, start, versions))
    # Below the first version before the date, a clock that was ahead wrote others after it.
    older = (number for number, version in enumerate(versions, start=1) if version.date < since)
    return versions[: next(older, None)]


# What is stored: HEAD at that time, and the versions from there back to before a date.
def _decoded(value: list[Any]) -> tuple[str, str, tuple[BranchVersion, ...]]:
    head, start, rows = value
    return head, start, tuple(BranchVersion(day, Size(*size), *row) for day, size, *row in rows)


def _newer(history: FileHistory, head: str, size: _SizeOf) -> list[BranchVersion] | None:
    """Return the versions since an older HEAD, or None if they cannot simply be added."""
    if not first_parent_of(history.repository, head):
        return None
    if head == history.repository.head:
        return []
    graph = history.graph_since(head)
    return _walk(graph, size, "") if graph else None


def _walk(graph: FileGraph, size: _SizeOf, since: str) -> list[BranchVersion]:
    """Return the versions of the branch, newest first, back to the first before a date."""
    versions: list[BranchVersion] = []
    for commit in graph.mainline():
        path, blob = graph.path_in(commit.commit) or graph.path, graph.blob(commit.commit)
        found = size(blob) if blob else Size()
        versions.append(BranchVersion(commit.date, found, commit.commit, path))
        if commit.date < since:
            break
    return versions
