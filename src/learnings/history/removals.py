"""When entries left a file: its consolidations."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.entries.changes import removed_from_all
from learnings.core.entries.document import Entry
from learnings.core.entries.insertion import only_inserts
from learnings.history.blobs import Blobs
from learnings.history.git.repository import Repository
from learnings.history.versions import FileCommit, file_commits


class Removal(NamedTuple):
    """A commit that took entries out of a file, relative to every parent."""

    file_commit: FileCommit
    entries: tuple[Entry, ...]


def removals(repository: Repository, path: str, blobs: Blobs) -> Generator[Removal, None, None]:
    """Give the commits that took entries out of a file, in git's default order.

    Reworded and moved entries, changes of white space, and the deletion or renaming of the file
    take nothing out. What a branch took out counts once, at the commit that did it.
    """
    with closing(file_commits(repository, path, blobs)) as walk:
        for file_commit in walk:
            taken = removed_by(file_commit, blobs)
            if taken:
                yield Removal(file_commit, taken)


def removed_by(file_commit: FileCommit, blobs: Blobs) -> tuple[Entry, ...]:
    """Return the entries that a commit took out of the file relative to every parent."""
    if file_commit.blob is None or not file_commit.before:
        return ()
    before = [blob for blob in file_commit.before if blob is not None and blob != file_commit.blob]
    if len(before) < len(file_commit.before):
        # A parent without the file, or with the same text, has nothing that was taken out.
        return ()
    if len(before) == 1 and only_inserts(blobs.sketch(before[0]), blobs.sketch(file_commit.blob)):
        return ()
    return removed_from_all(
        [
            blobs.changes(blob, file_commit.blob, *before[:place], *before[place + 1 :])
            for place, blob in enumerate(before)
        ]
    )


def consolidations(
    repository: Repository, path: str, blobs: Blobs, *, min_removed: int
) -> Generator[Consolidation, None, None]:
    """Give the commits that took enough entries out of a file, in git's default order."""
    with closing(removals(repository, path, blobs)) as found:
        for removal in found:
            if len(removal.entries) >= min_removed:
                file_commit = removal.file_commit
                yield Consolidation(file_commit.commit, file_commit.date, len(removal.entries))


def last_consolidation(
    repository: Repository, path: str, blobs: Blobs, *, min_removed: int, until: str
) -> Consolidation | None:
    """Return the newest consolidation authored up to a date; the walk ends at the first find.

    Raises UntrustedHistory.
    """
    with closing(consolidations(repository, path, blobs, min_removed=min_removed)) as found:
        return next((each for each in found if each.date <= until), None)
