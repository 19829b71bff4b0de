"""The commits that removed entries from a file, among them its consolidations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.entries.changes import removed_from_all
from learnings.core.entries.document import Entry
from learnings.history.blobs import BlobReader
from learnings.history.file_history import FileHistory
from learnings.history.versions import FileCommit, file_commits, real_commit


class Removal(NamedTuple):
    """A commit, and the entries that it removed from a file, relative to every parent."""

    file_commit: FileCommit
    entries: tuple[Entry, ...]


def removals(history: FileHistory, path: str) -> Iterator[Removal]:
    """Yield the commits that removed entries from a file, in git's default order.

    Rewording or moving entries, changing white space, and deleting or renaming the file remove
    nothing. What a branch removed counts once, at the commit that did it.
    """
    for file_commit in file_commits(history, path):
        removal = removal_of(file_commit, history)
        if removal.entries:
            yield removal


def removal_of(file_commit: FileCommit, history: FileHistory) -> Removal:
    """Return what a commit removed from the file relative to every parent; it may be nothing."""
    removed = _removed(file_commit, history.blobs)
    if removed:
        # The graph leaves out parents that never had the file, and knows them by older commits.
        file_commit = real_commit(history, file_commit)
        removed = _removed(file_commit, history.blobs)
    return Removal(file_commit, removed)


def _removed(file_commit: FileCommit, blobs: BlobReader) -> tuple[Entry, ...]:
    if file_commit.blob is None or not file_commit.before:
        return ()
    before = [blob for blob in file_commit.before if blob is not None and blob != file_commit.blob]
    if len(before) < len(file_commit.before):
        # Nothing was removed relative to a parent without the file, or with the same text.
        return ()
    if len(before) == 1 and blobs.only_inserts(before[0], file_commit.blob):
        return ()
    return removed_from_all(
        [
            blobs.changes(blob, file_commit.blob, *before[:index], *before[index + 1 :])
            for index, blob in enumerate(before)
        ]
    )


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
        for parent in file_commit.parents
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


def consolidations(history: FileHistory, path: str, *, min_removed: int) -> Iterator[Consolidation]:
    """Yield the commits that consolidated a file, in git's default order."""
    for removal in removals(history, path):
        if is_consolidation(removal, history.blobs, min_removed=min_removed):
            file_commit = removal.file_commit
            yield Consolidation(file_commit.commit, file_commit.date, len(removal.entries))


def last_consolidation(
    history: FileHistory, path: str, *, min_removed: int, until: str
) -> Consolidation | None:
    """Return the newest consolidation authored up to a date; the walk stops at the first one.

    Raises UntrustedHistory.
    """
    newest_first = consolidations(history, path, min_removed=min_removed)
    return next((c for c in newest_first if c.date <= until), None)
