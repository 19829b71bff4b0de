"""The versions of a file on a branch, along the first parents, with merges as one step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from learnings.core.due.forecast import BranchVersion
from learnings.core.entries.dialects import SECTIONS
from learnings.core.entries.document import Size, excess_of, size_of
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.git.repository import first_parent_of

_Known = tuple[str, tuple[BranchVersion, ...]]
"""The date that versions go back to, and the versions."""


def versions_since(history: FileHistory, since: str) -> tuple[BranchVersion, ...]:
    """Return the versions of a file on its branch, newest first, back to the first before a date.

    If one section of the file is the memory now, the lines of that section count in all versions. A
    version without the file has 0 lines. Raises UntrustedHistory.
    """
    in_section = history.document.dialect.name == SECTIONS

    def decode(value: list[Any]) -> _Known | None:
        start, rows = value
        versions = (BranchVersion(day, Size(*size), *row) for day, size, *row in rows)
        return (start, tuple(versions)) if start <= since else None

    def whole() -> _Known:
        return since, tuple(_walk(history.graph(), size, since))

    def newer(graph: FileGraph, known: _Known) -> _Known | None:
        start, versions = known
        if not first_parent_of(history.repository, graph.since or ""):
            return None
        return start, (*_walk(graph, size, ""), *versions)

    def size(blob: str) -> Size:
        data = history.blobs.version(blob)
        if in_section and excess_of(data) is None:
            return history.document_at(blob).size
        return size_of(data)

    kind = "section-versions" if in_section else "versions"
    _, versions = history.answer(kind, decode, whole, newer)
    # Below the first version before the date, a clock that was ahead wrote others after it.
    older = (number for number, version in enumerate(versions, start=1) if version.date < since)
    return versions[: next(older, None)]


def _walk(graph: FileGraph, size: Callable[[str], Size], since: str) -> Iterator[BranchVersion]:
    """Yield the versions of the branch, newest first, back to the first before a date."""
    for commit in graph.mainline():
        path, blob = graph.path_in(commit.commit) or graph.path, graph.blob(commit.commit)
        yield BranchVersion(commit.date, size(blob) if blob else Size(), commit.commit, path)
        if commit.date < since:
            break
