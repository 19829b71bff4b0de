"""The references of each entry of a memory file, and how many of them are dead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.references.dead import DeadReference, Judged


class EntryReferences(NamedTuple):
    """How many things an entry names that are there or were there, and which of them are gone."""

    known: int = 0
    dead: tuple[DeadReference, ...] = ()

    @property
    def are_all_dead(self) -> bool:
        """True if the entry names something, and nothing of it is left."""
        return 0 < self.known == len(self.dead)

    @property
    def are_all_removed(self) -> bool:
        """True if commits removed all that the entry names, and nothing took its place."""
        return self.are_all_dead and all(
            one.removal is not None and one.successor is None for one in self.dead
        )


def references_by_entry(document: Document, judged: Judged) -> Mapping[str, EntryReferences]:
    """Return the references of a file's entries by identity; entries without any are left out."""
    found: dict[str, EntryReferences] = {}
    for entry in document.entries:
        lines = range(entry.first, entry.last + 1)
        known = sum(line in lines for line in judged.lines)
        if known:
            dead = tuple(one for one in judged.dead if one.reference.line in lines)
            found[entry.identity] = EntryReferences(known, dead)
    return found
