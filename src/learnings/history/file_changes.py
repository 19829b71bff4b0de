"""The commits that changed a file, with the entries that each of them removed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.entries.entry_changes import removed_from_all
from learnings.history.blobs import BlobReader
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.git import cached


class FileChange(NamedTuple):
    """A commit that changed a file; a merge counts if it differs from every parent.

    date is the author's ISO day or LATEST. blob is the file after the commit, `before` the file in
    each parent in the graph; None means no file. removed has the identities of the entries that
    every parent has and the commit lacks.
    """

    commit: str
    date: str
    path: str
    blob: str | None
    before: tuple[str | None, ...]
    removed: tuple[str, ...] = ()

    @property
    def older_blobs(self) -> list[str]:
        """The blobs of the file in the parents that have it."""
        return [blob for blob in self.before if blob is not None]

    def entry(self, identity: str, blobs: BlobReader) -> Entry:
        """Return one of the removed entries as it was before the commit."""
        versions = map(blobs.document, self.older_blobs)
        return next(v.by_identity[identity] for v in versions if identity in v.by_identity)

    def entries(self, blobs: BlobReader) -> tuple[Entry, ...]:
        """Return the removed entries as they were before the commit."""
        return tuple(self.entry(identity, blobs) for identity in self.removed)


def changes_in(graph: FileGraph, blobs: BlobReader) -> Iterator[FileChange]:
    """Yield the commits of a graph that changed its file, in git's default order.

    Rewording or moving entries removes nothing, and neither does deleting or renaming the file. A
    removal on a branch counts once, not again in the merge. Raises OlderName or NotInPart.
    """
    for commit in (commit for commit in graph if commit.touches):
        blob, before = graph.blob(commit.commit), graph.blobs_before(commit)
        if blob not in before:
            path = graph.path_in(commit.commit) or graph.path
            change = FileChange(commit.commit, commit.date, path, blob, before)
            removed = _removed(change, blobs)
            if removed and not graph.is_in_parents(commit.commit):
                graph.read_for_names()
                removed = ()
            yield change._replace(removed=removed)


def _removed(change: FileChange, blobs: BlobReader) -> tuple[str, ...]:
    before, blob = change.older_blobs, change.blob
    if blob is None or not before:
        return ()
    if len(before) == 1 and blobs.version_change(before[0], blob).keeps_entries:
        return ()
    removed = removed_from_all(
        [
            blobs.changes(older, blob, *before[:index], *before[index + 1 :])
            for index, older in enumerate(before)
        ]
    )
    return tuple(entry.identity for entry in removed)


def all_changes(history: FileHistory) -> tuple[FileChange, ...]:
    """Return all commits that changed a file, the newest first; empty if HEAD has no such file.

    The cache of an older HEAD is used if only plain changes followed. Raises UntrustedHistory.
    """
    if history.head_blob is None:
        return ()
    head, known = history.cache.load("file-changes", history.key, _decoded) or ("", ())
    newer = changes_since(history, head) if head else None
    if newer is None:
        changes = history.through_renames(lambda: (*changes_in(history.graph(), history.blobs),))
    else:
        changes = *newer, *known
    history.cache.save("file-changes", history.key, (history.repository.head, changes))
    return changes


def changes_since(history: FileHistory, old_head: str) -> list[FileChange] | None:
    """Return the commits since an older HEAD that changed a file.

    None if the result is incomplete: a commit renamed, created or deleted the file.
    """
    if old_head == history.repository.head:
        return []
    if not history.has_all_of(old_head):
        return None

    def plain_changes() -> list[FileChange] | None:
        graph = history.graph(since=old_head)
        changes = [*changes_in(graph, history.blobs)]
        is_plain = all(
            change.path == graph.path and change.blob and graph.is_in_parents(change.commit)
            for change in changes
        )
        return changes if is_plain else None

    return history.in_part(plain_changes)


_WORDS = cached.object_id, cached.text, cached.text
_BLOB, _REMOVED = cached.optional(cached.object_id), cached.list_of(cached.text)
_file_change = cached.record(FileChange, *_WORDS, _BLOB, cached.list_of(_BLOB), _REMOVED)
_decoded = cached.row(cached.object_id, cached.list_of(_file_change))
