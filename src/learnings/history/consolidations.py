"""The consolidations of a file: the commits that took many entries out of it, or archived some."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.core.due.ages import Consolidation
from learnings.history.blobs import BlobReader
from learnings.history.file_changes import FileChange, changes_in
from learnings.history.file_history import FileHistory


def find_last_consolidation(history: FileHistory) -> Consolidation | None:
    """Return the newest consolidation as of the query's date; the walk stops at the first one.

    Raises UntrustedHistory.
    """
    query, blobs = history.query, history.blobs

    def first() -> Consolidation | None:
        for change in changes_in(history.graph(), blobs):
            is_counted = change.date <= (query.as_of or query.tomorrow)
            if is_counted and is_consolidation(change, blobs, min_removed=query.min_removed):
                return Consolidation(change.commit, change.date, len(change.removed))
        return None

    return history.through_renames(first)


def is_consolidation(change: FileChange, blobs: BlobReader, *, min_removed: int) -> bool:
    """Return True if a commit removed entries, and that is more than upkeep.

    It takes out at least min_removed entries or, however few, some that it puts into a group of an
    archive.
    """
    if not change.removed:
        return False
    return len(change.removed) >= min_removed or _puts_into_group(change, blobs)


def _puts_into_group(change: FileChange, blobs: BlobReader) -> bool:
    from learnings.core.entries import archives  # noqa: PLC0415  (few removals are that small)

    folder = archives.archive_folder(change.path)
    after = _archives(blobs.files_in(change.commit, folder), change.path)
    before = {
        blob
        for parent in blobs.parents(change.commit)
        for blob in _archives(blobs.files_in(parent, folder), change.path)
    }
    if after <= before:
        return False
    _, grouped = archives.put_into(
        change.entries(blobs),
        after=[archives.read_archive(blobs.version(blob)) for blob in after - before],
        before=[archives.read_archive(blobs.version(blob)) for blob in before],
    )
    return bool(grouped)


def _archives(files: Mapping[str, str], path: str) -> set[str]:
    from learnings.core.entries import archives  # noqa: PLC0415  (as above)

    return {blob for name, blob in files.items() if archives.is_archive_name(name, path)}
