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
from learnings.history.versions import Touch, touches


class Removal(NamedTuple):
    """A commit that took entries out of a file, relative to every parent."""

    touch: Touch
    entries: tuple[Entry, ...]


def removals(repository: Repository, path: str, blobs: Blobs) -> Generator[Removal, None, None]:
    """Give the commits that took entries out of a file, in git's default order.

    Reworded and moved entries, changes of white space, and the deletion or renaming of the file
    take nothing out. What a branch took out counts once, at the commit that did it.
    """
    with closing(touches(repository, path, blobs)) as walk:
        for touch in walk:
            taken = removed_by(touch, blobs)
            if taken:
                yield Removal(touch, taken)


def removed_by(touch: Touch, blobs: Blobs) -> tuple[Entry, ...]:
    """Return the entries that a commit took out of the file relative to every parent."""
    if touch.blob is None or not touch.before:
        return ()
    before = [blob for blob in touch.before if blob is not None and blob != touch.blob]
    if len(before) < len(touch.before):
        # A parent without the file, or with the same text, has nothing that was taken out.
        return ()
    if len(before) == 1 and only_inserts(blobs.sketch(before[0]), blobs.sketch(touch.blob)):
        return ()
    return removed_from_all(
        [
            blobs.changes(blob, touch.blob, *before[:place], *before[place + 1 :])
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
                touch = removal.touch
                yield Consolidation(touch.commit, touch.date, len(removal.entries))


def last_consolidation(
    repository: Repository, path: str, blobs: Blobs, *, min_removed: int, until: str
) -> Consolidation | None:
    """Return the newest consolidation authored up to a date; the walk ends at the first find.

    Raises UntrustedHistory.
    """
    with closing(consolidations(repository, path, blobs, min_removed=min_removed)) as found:
        return next((each for each in found if each.date <= until), None)
