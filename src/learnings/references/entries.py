"""The references of each entry of a memory file, and how many of them are dead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.references.dead import DeadReference, Judged


class EntryReferences(NamedTuple):
    """The paths and names in an entry, one for each mention, and the dead ones."""

    paths: tuple[str, ...] = ()
    dead: tuple[DeadReference, ...] = ()

    @property
    def known(self) -> int:
        """The number of references whose target exists or existed."""
        return len(self.paths)

    @property
    def are_all_dead(self) -> bool:
        """True if the entry has references, and all of them are dead."""
        return 0 < self.known == len(self.dead)

    @property
    def are_all_removed(self) -> bool:
        """True if commits removed every target of the entry, and nothing replaced them."""
        return self.are_all_dead and all(
            one.removal is not None and one.successor is None for one in self.dead
        )

    @property
    def places(self) -> frozenset[str]:
        """The paths that the entry is about, and the paths that replaced them."""
        return frozenset((*self.paths, *(one.successor for one in self.dead if one.successor)))


def references_in_lines(judged: Judged, first: int, last: int) -> EntryReferences:
    """Return the references on some lines of a file, both ends included."""
    paths = (named.path for named in judged.named if first <= named.line <= last)
    dead = (one for one in judged.dead if first <= one.reference.line <= last)
    return EntryReferences(tuple(paths), tuple(dead))


def references_by_entry(document: Document, judged: Judged) -> Mapping[str, EntryReferences]:
    """Return the references of a file's entries by identity, without entries that have none."""
    entries = (
        (entry.identity, references_in_lines(judged, entry.first, entry.last))
        for entry in document.entries
    )
    return {identity: references for identity, references in entries if references.known}
