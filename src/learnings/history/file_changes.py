"""All commits that changed a file, with the entries that each of them removed."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from learnings.core.entries.document import Entry
from learnings.history import activity
from learnings.history.blobs import BlobReader
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.removals import removed_by
from learnings.history.versions import FileCommit, file_commits


class FileChange(NamedTuple):
    """A commit that changed a file, and the identities of the entries that it removed."""

    file_commit: FileCommit
    removed: tuple[str, ...]

    def entry(self, identity: str, blobs: BlobReader) -> Entry:
        """Return one of the removed entries as it was before the commit."""
        before = (blobs.document(blob) for blob in self.file_commit.before if blob is not None)
        return next(v.by_identity[identity] for v in before if identity in v.by_identity)


def file_changes(history: FileHistory) -> tuple[FileChange, ...]:
    """Return all commits that changed a file, in no particular order.

    Empty where HEAD has no such file. What is cached for an older HEAD is used if only plain
    changes under the same name came after it. Raises UntrustedHistory.
    """
    if history.location.head_blob is None:
        return ()
    stored = history.cache.load("file-changes", history.key, _decoded)
    changes = None if stored is None else _continued(stored, history)
    if changes is None:
        changes = tuple(history.through_renames(lambda: _walk(history)))
    head = history.repository.head
    if stored is None or stored.head != head:
        history.cache.save("file-changes", history.key, _CachedChanges(head, changes))
    return changes


class _CachedChanges(NamedTuple):
    """The changes of a file up to the commit that was HEAD."""

    head: str
    changes: tuple[FileChange, ...]


def _continued(stored: _CachedChanges, history: FileHistory) -> tuple[FileChange, ...] | None:
    """Add the changes since stored.head; None where one renamed, created or deleted the file."""
    repository = history.repository
    if stored.head == repository.head:
        return stored.changes
    if not activity.all_reachable(repository, (stored.head,), (repository.head,)):
        return None
    newer = history.unless_renamed(lambda: _walk(history, stored.head))
    if newer is None or not all(_is_plain(change.file_commit, history.path) for change in newer):
        return None
    return (*newer, *stored.changes)


def _is_plain(file_commit: FileCommit, path: str) -> bool:
    """Return True if the file has the same name before and after a commit."""
    return file_commit.path == path and file_commit.blob is not None and all(file_commit.before)


def _walk(history: FileHistory, since: str | None = None) -> list[FileChange]:
    graph = history.graph(since=since)
    removed = ((c, removed_by(c, graph, history.blobs)) for c in file_commits(graph))
    return [FileChange(c, tuple(entry.identity for entry in entries)) for c, entries in removed]


def _decoded(value: Any) -> _CachedChanges:  # noqa: ANN401  (any JSON)
    head, changes = value
    return _CachedChanges(cached.object_id(head), cached.list_of(_file_change, changes))


def _file_change(value: Any) -> FileChange:  # noqa: ANN401  (any JSON)
    file_commit, removed = value
    blob = cached.optional(cached.object_id)
    fields = cached.row(
        file_commit,
        cached.object_id,
        cached.text,
        cached.text,
        blob,
        partial(cached.list_of, blob),
    )
    return FileChange(FileCommit(*fields), cached.list_of(cached.text, removed))
