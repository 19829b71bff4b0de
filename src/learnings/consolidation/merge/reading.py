"""Three versions of a memory file, read so that their entries can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import without_markers
from learnings.core.entries.dialects import NONE, Dialect
from learnings.core.entries.document import Document, ReadOptions, read_older
from learnings.core.errors import LearningsError
from learnings.core.text import decode, encode


class NotMerged(LearningsError):
    """The versions cannot be merged by entry; the sentence says why."""


class Readings(NamedTuple):
    """Three versions of a file, each in the dialect that its entries have; dialect is the result's.

    has_one_dialect says that all three take the same lines for entries.
    """

    base: Document
    ours: Document
    theirs: Document
    dialect: Dialect

    @property
    def has_one_dialect(self) -> bool:
        documents = self.base, self.ours, self.theirs
        return all(_is_alike(document.dialect, self.dialect) for document in documents)


def read_versions(base: bytes, ours: bytes, theirs: bytes, options: ReadOptions) -> Readings:
    """Return the versions, read so that their entries can be compared.

    The markers of conflicts in the base are left out. Raises NotMerged where none has entries, and
    where one side has made list items of headings, or the reverse.
    """
    if b"<<<<<<<" in base:
        base = encode(without_markers(decode(base)))
    readings = _readings(*(read_older(data, options) for data in (base, ours, theirs)))
    levels = {d.dialect.level for d in readings[:3] if d.entries}
    if 0 in levels and len(levels) > 1:
        raise NotMerged("one side has changed how its entries are written")
    return readings


def _readings(base: Document, ours: Document, theirs: Document) -> Readings:
    if _is_alike(ours.dialect, theirs.dialect):
        base = _as_alike(base, [ours, theirs], ours.dialect)
        return Readings(base, ours, theirs.read_as(ours.dialect), ours.dialect)
    if base.dialect.name == NONE:
        dialects = [version.dialect for version in (ours, theirs) if version.entries]
        if not dialects:
            raise NotMerged("no version of it has entries")
        base = base.read_as(dialects[0])
        ours, theirs = (
            side if side.entries else side.read_as(dialects[0]) for side in (ours, theirs)
        )
        return Readings(base, ours, theirs, dialects[0])
    ours, theirs = (_as_alike(side, [base], base.dialect) for side in (ours, theirs))
    changed = [d.dialect for d in (ours, theirs) if not _is_alike(d.dialect, base.dialect)]
    return Readings(base, ours, theirs, changed[0] if changed else base.dialect)


def _as_alike(document: Document, others: Sequence[Document], dialect: Dialect) -> Document:
    """Return a version read in the dialect of others, or in its own if more entries recur in it.

    A version with few entries shows its dialect less clearly than they do. Where it has none in
    common with them, the level of its headings decides.
    """
    alike = document.read_as(dialect)
    names = set().union(*map(_names, others))
    in_alike, in_own = (len(_names(version) & names) for version in (alike, document))
    has_headings = document.dialect.level > 0 and dialect.level > 0
    is_own = in_own > in_alike or (not in_own and (has_headings or not alike.entries))
    return document if is_own and document.entries else alike


def _names(document: Document) -> set[str]:
    """Return the titles and texts of the entries, by which they are found in another dialect."""
    titles = {entry.title.casefold() for entry in document.entries}
    return titles | {" ".join(entry.body.split()) for entry in document.entries if entry.level}


def _is_alike(one: Dialect, other: Dialect) -> bool:
    """Return True if two dialects take the same lines for entries."""
    return one.level == other.level and NONE not in (one.name, other.name)
