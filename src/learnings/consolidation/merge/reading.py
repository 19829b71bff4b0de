"""Three versions of a memory file, read in one dialect."""

from __future__ import annotations

from learnings.consolidation.merge.conflicts import without_markers
from learnings.core.entries.dialects import NONE, Dialect
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.errors import LearningsError
from learnings.core.text import decode, encode


class NotMerged(LearningsError):
    """The versions cannot be merged by entry; the sentence says why."""


def read_alike(
    base: bytes, ours: bytes, theirs: bytes, options: ReadOptions
) -> tuple[Document, Document, Document]:
    """Return the versions in one dialect: that of both sides, else that of the base if it has one.

    The markers of conflicts in the base are left out. Raises NotMerged where none has entries.
    """
    if b"<<<<<<<" in base:
        base = encode(without_markers(decode(base)))
    return _in_one_dialect(*(read(data, options) for data in (base, ours, theirs)))


def _in_one_dialect(*documents: Document) -> tuple[Document, Document, Document]:
    base, ours, theirs = documents
    dialect = ours.dialect if _is_alike(ours.dialect, theirs.dialect) else base.dialect
    with_entries = [version.dialect for version in (ours, theirs) if version.entries]
    if dialect.name == NONE:
        if not with_entries:
            raise NotMerged("no version of it has entries")
        dialect = with_entries[0]
    return base.read_as(dialect), ours.read_as(dialect), theirs.read_as(dialect)


def _is_alike(one: Dialect, other: Dialect) -> bool:
    """Return True if two dialects take the same lines for entries."""
    return one.level == other.level and NONE not in (one.name, other.name)
