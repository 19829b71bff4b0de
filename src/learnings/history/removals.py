"""The commits that removed entries from a file, among them its consolidations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.entries.changes import removed_from_all
from learnings.core.entries.document import Entry
from learnings.history.blobs import BlobReader
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.versions import FileCommit, file_commits


class Removal(NamedTuple):
    """A commit, and the entries that it removed from a file, relative to every parent."""

    file_commit: FileCommit
    entries: tuple[Entry, ...]


def removals(history: FileHistory) -> Iterator[Removal]:
    """Yield the commits that removed entries from a file, in git's default order.

    Rewording or moving entries, changing white space, and deleting or renaming the file remove
    nothing. What a branch removed counts once, at the commit that did it. Raises OlderName.
    """
    graph = history.graph()
    for file_commit in file_commits(graph):
        entries = removed_by(file_commit, graph, history.blobs)
        if entries:
            yield Removal(file_commit, entries)


def removed_by(file_commit: FileCommit, graph: FileGraph, blobs: BlobReader) -> tuple[Entry, ...]:
    """Return the entries that a commit removed relative to every parent; raises OlderName."""
    before = [blob for blob in file_commit.before if blob is not None]
    if file_commit.blob is None or not before:
        return ()
    if len(before) == 1 and blobs.keeps_entries(before[0], file_commit.blob):
        return ()
    removed = removed_from_all(
        [
            blobs.changes(blob, file_commit.blob, *before[:index], *before[index + 1 :])
            for index, blob in enumerate(before)
        ]
    )
    if removed and not graph.is_in_parents(file_commit.commit):
        graph.read_for_names()
        return ()
    return removed


def is_consolidation(removal: Removal, blobs: BlobReader, *, min_removed: int) -> bool:
    """Return True if a removal is more than upkeep.

    It takes out at least min_removed entries or, however few, some that it puts into a group of an
    archive.
    """
    return len(removal.entries) >= min_removed or _puts_into_group(removal, blobs)


def _puts_into_group(removal: Removal, blobs: BlobReader) -> bool:
    from learnings.core.entries import archives  # noqa: PLC0415  (few removals are that small)

    file_commit = removal.file_commit
    folder = archives.folder_of(file_commit.path)
    after = _archives(blobs.files_in(file_commit.commit, folder), file_commit.path)
    before = {
        blob
        for parent in blobs.parents(file_commit.commit)
        for blob in _archives(blobs.files_in(parent, folder), file_commit.path)
    }
    if after <= before:
        return False
    _, grouped = archives.put_into(
        removal.entries,
        after=[archives.read_archive(blobs.version(blob)) for blob in after - before],
        before=[archives.read_archive(blobs.version(blob)) for blob in before],
    )
    return bool(grouped)


def _archives(files: Mapping[str, str], path: str) -> set[str]:
    from learnings.core.entries import archives  # noqa: PLC0415  (as above)

    return {blob for name, blob in files.items() if archives.is_archive_name(name, path)}


def last_consolidation(
    history: FileHistory, *, min_removed: int, until: str
) -> Consolidation | None:
    """Return the newest consolidation authored up to a date; the walk stops at the first one.

    Raises UntrustedHistory.
    """

    def first() -> Consolidation | None:
        for removal in removals(history):
            commit, date = removal.file_commit.commit, removal.file_commit.date
            if date <= until and is_consolidation(removal, history.blobs, min_removed=min_removed):
                return Consolidation(commit, date, len(removal.entries))
        return None

    return history.through_renames(first)
