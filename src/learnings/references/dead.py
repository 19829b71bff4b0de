"""Dead references, in a file and by entry: once in git history, now not in the tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.past import Removal
from learnings.references.written import Reference


class DeadReference(NamedTuple):
    """A reference to something that is gone.

    path is its target, relative to the root; for a command, its name. is_path is False if the file
    exists but lacks the line or heading. removal is None if the removal is uncommitted. successor
    is the only path that the target became, or the file of a renamed heading. replacement is what
    to write instead of `replaced`. Both are None if that is not certain.
    """

    reference: Reference
    path: str
    is_path: bool
    removal: Removal | None
    successor: str | None = None
    replacement: str | None = None

    @property
    def replaced(self) -> str:
        """The part of the text that the replacement stands for."""
        return self.reference.text if self.is_path else self.reference.written


class Judged(NamedTuple):
    """What a file names that exists or existed, by line, and its dead references.

    A path is from the root; a command stands as its name.
    """

    named: tuple[tuple[int, str], ...]
    dead: tuple[DeadReference, ...]


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
        return self.are_all_dead and all(one.removal and not one.successor for one in self.dead)

    @property
    def places(self) -> frozenset[str]:
        """The paths that the entry is about, and the paths that replaced them."""
        return frozenset((*self.paths, *(one.successor for one in self.dead if one.successor)))


def references_by_entry(document: Document, judged: Judged) -> Mapping[str, EntryReferences]:
    """Return the references of a file's entries by identity, without entries that have none."""
    found = {}
    for entry in document.entries:
        paths = (path for line, path in judged.named if entry.first <= line <= entry.last)
        dead = (one for one in judged.dead if entry.first <= one.reference.line <= entry.last)
        found[entry.identity] = EntryReferences(tuple(paths), tuple(dead))
    return {identity: references for identity, references in found.items() if references.paths}
