"""The versions of a file on a branch, along the first parents, with merges as one step."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.due.forecast import BranchVersion
from learnings.core.text import count_lines
from learnings.history.blobs import BlobReader
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cached import Key
from learnings.history.git.repository import first_parent_of


def versions_since(history: FileHistory, since: str) -> tuple[BranchVersion, ...]:
    """Return the versions of a file on its branch, newest first, back to the first before a date.

    A version without the file has 0 lines. Raises UntrustedHistory.
    """
    key: Key = {"path": history.path}
    stored = history.cache.load("mainline", key, _decoded)
    versions = _continued(stored, history, since) if stored else None
    if versions is None:
        walked = history.through_renames(lambda: _walk(history.graph(), history.blobs, since))
        versions = _CachedVersions(history.repository.head, since, tuple(walked))
    history.cache.save("mainline", key, versions)
    return versions.versions


class _CachedVersions(NamedTuple):
    """Versions back to before a date, up to the commit that was HEAD."""

    head: str
    since: str
    versions: tuple[BranchVersion, ...]


_TEXT = cached.text
_version = cached.record(BranchVersion, _TEXT, cached.whole_number, _TEXT, _TEXT)
_decoded = cached.record(_CachedVersions, cached.object_id, _TEXT, cached.list_of(_version))


def _continued(stored: _CachedVersions, history: FileHistory, since: str) -> _CachedVersions | None:
    """Add the versions since stored.head; None if they cannot simply be added."""
    repository, head = history.repository, stored.head
    if stored.since > since or not first_parent_of(repository, head):
        return None
    if head == repository.head:
        return stored
    newer = history.in_part(lambda: _walk(history.graph(since=head), history.blobs, ""))
    if newer is None:
        return None
    return stored._replace(head=repository.head, versions=(*newer, *stored.versions))


def _walk(graph: FileGraph, blobs: BlobReader, since: str) -> list[BranchVersion]:
    """Return the versions of the branch, newest first, back to the first before a date."""
    versions: list[BranchVersion] = []
    for commit in graph.mainline():
        path, blob = graph.path_in(commit.commit) or graph.path, graph.blob(commit.commit)
        lines = count_lines(blobs.version(blob)) if blob else 0
        versions.append(BranchVersion(commit.date, lines, commit.commit, path))
        if commit.date < since:
            break
    return versions
