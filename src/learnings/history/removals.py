"""The commits that removed entries from a file, among them its consolidations."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.entries.changes import removed_from_all
from learnings.core.entries.document import Entry
from learnings.history.blobs import BlobReader
from learnings.history.git import cached
from learnings.history.git.repository import Repository
from learnings.history.versions import FileCommit, file_commits


class Removal(NamedTuple):
    """A commit, and the entries that it removed from a file, relative to every parent."""

    file_commit: FileCommit
    entries: tuple[Entry, ...]


def removals(
    repository: Repository, path: str, blobs: BlobReader
) -> Generator[Removal, None, None]:
    """Yield the commits that removed entries from a file, in git's default order.

    Rewording or moving entries, changing white space, and deleting or renaming the file remove
    nothing. What a branch removed counts once, at the commit that did it.
    """
    with closing(file_commits(repository, path, blobs)) as walk:
        for file_commit in walk:
            removed = removed_by(file_commit, blobs)
            if removed:
                yield Removal(file_commit, removed)


def removed_by(file_commit: FileCommit, blobs: BlobReader) -> tuple[Entry, ...]:
    """Return the entries that a commit removed from the file relative to every parent."""
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


def consolidations(
    repository: Repository, path: str, blobs: BlobReader, *, min_removed: int
) -> Generator[Consolidation, None, None]:
    """Yield the commits that consolidated a file, in git's default order."""
    with closing(removals(repository, path, blobs)) as walk:
        for removal in walk:
            if is_consolidation(removal, blobs, min_removed=min_removed):
                file_commit = removal.file_commit
                yield Consolidation(file_commit.commit, file_commit.date, len(removal.entries))


def last_consolidation(
    repository: Repository, path: str, blobs: BlobReader, *, min_removed: int, until: str
) -> Consolidation | None:
    """Return the newest consolidation authored up to a date; the walk stops at the first one.

    Raises UntrustedHistory.
    """
    with closing(consolidations(repository, path, blobs, min_removed=min_removed)) as walk:
        return next((c for c in walk if c.date <= until), None)


def decoded_consolidation(value: Any) -> Consolidation:  # noqa: ANN401  (any JSON)
    """Return a consolidation from the cache; raises TypeError."""
    commit = cached.optional(cached.object_id)
    return Consolidation(*cached.row(value, commit, cached.text, cached.whole_number))
