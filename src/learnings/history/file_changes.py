"""All commits that changed a file, with the entries that each of them removed."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from learnings.core.entries.document import Entry
from learnings.history import activity
from learnings.history.blobs import BlobReader
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Cache, Key
from learnings.history.query import FileLocation, HistoryQuery
from learnings.history.removals import removal_of
from learnings.history.versions import FileCommit, file_commits

# Commits whose blobs are requested before they are compared, so that git reads while we do; chosen
# without a measurement.
_LOOK_AHEAD = 8


class FileChange(NamedTuple):
    """A commit that changed a file, and the identities of the entries that it removed."""

    file_commit: FileCommit
    removed: tuple[str, ...]

    def entry(self, identity: str, blobs: BlobReader) -> Entry:
        """Return one of the removed entries as it was before the commit."""
        before = (blobs.document(blob) for blob in self.file_commit.before if blob is not None)
        return next(v.by_identity[identity] for v in before if identity in v.by_identity)


def file_changes(
    query: HistoryQuery, location: FileLocation, history: FileHistory, cache: Cache
) -> tuple[FileChange, ...]:
    """Return all commits that changed a file, in no particular order.

    Empty where HEAD has no such file. What is cached for an older HEAD is used if only plain
    changes under the same name came after it. Raises UntrustedHistory.
    """
    if location.head_blob is None:
        return ()
    key: Key = {"path": location.path, "reading": list(query.read_options)}
    head = location.repository.head
    stored = cache.load("file-changes", key, _decoded)
    changes = None if stored is None else _continued(stored, history)
    if changes is None:
        changes = tuple(_walk(history, None))
    if stored is None or stored.head != head:
        cache.save("file-changes", key, _CachedChanges(head, changes))
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
    newer = _walk(history, f"{stored.head}..{repository.head}")
    plain = all(_is_plain(change.file_commit, history) for change in newer)
    return (*newer, *stored.changes) if plain else None


def _is_plain(file_commit: FileCommit, history: FileHistory) -> bool:
    """Return True if the file has the same name before and after a commit."""
    path, blobs = history.path, history.blobs
    blobs_before = (blobs.find(parent, path) for parent in file_commit.parents)
    return file_commit.path == path and file_commit.blob is not None and all(blobs_before)


def _walk(history: FileHistory, rev: str | None) -> list[FileChange]:
    commits = list(file_commits(history, history.path, rev=rev))
    changes = []
    for index, file_commit in enumerate(commits):
        ahead = commits[index : index + _LOOK_AHEAD]
        blobs = (blob for commit in ahead for blob in (commit.blob, *commit.before) if blob)
        history.blobs.prefetch(blobs)
        removal = removal_of(file_commit, history)
        removed = tuple(entry.identity for entry in removal.entries)
        changes.append(FileChange(removal.file_commit, removed))
    return changes


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
        partial(cached.list_of, cached.object_id),
        cached.text,
        blob,
        partial(cached.list_of, blob),
    )
    return FileChange(FileCommit(*fields), cached.list_of(cached.text, removed))
