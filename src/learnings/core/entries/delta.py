"""What a change does to a memory file: lines and entries before and after."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.entries.changes import compare, pair_by_body
from learnings.core.entries.document import Document, Entry


class Delta(NamedTuple):
    """A memory file before and after a change; lines_before is None for a new file.

    file is its path as it is shown, reworded a number of entries. near holds pairs (entry that
    stayed, new entry) whose bodies are alike.
    """

    file: str
    lines_before: int | None
    lines_after: int
    limit: int
    added: tuple[Entry, ...]
    removed: tuple[Entry, ...]
    reworded: int
    near: tuple[tuple[Entry, Entry], ...]

    @property
    def is_empty(self) -> bool:
        """True if the change leaves the number of lines and the entries as they were."""
        entries = self.added or self.removed or self.reworded
        return self.lines_before == self.lines_after and not entries


def delta(file: str, before: Document | None, after: Document, *, limit: int) -> Delta:
    """Compare a file before and after a change; limit is the number of lines that triggers."""
    if before is None:
        return Delta(file, None, len(after.lines), limit, after.entries, (), 0, ())
    changes = compare(before, after)
    added = {entry.identity for entry in changes.added}
    stayed = [entry for entry in after.entries if entry.identity not in added]
    near = tuple(pair_by_body(stayed, changes.added)) if added else ()
    return Delta(
        file,
        len(before.lines),
        len(after.lines),
        limit,
        changes.added,
        changes.removed,
        len(changes.reworded),
        near,
    )
