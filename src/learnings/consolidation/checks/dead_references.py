"""Entries whose references are all dead, with their history as evidence."""

from __future__ import annotations

from learnings.consolidation.checks.precheck import DEAD_REFERENCE, DROP, LOOK, Against, Precheck
from learnings.core.entries.document import Entry
from learnings.core.text import short_commit
from learnings.references.dead import DeadReference
from learnings.references.entries import EntryReferences


def of_dead_references(entry: Entry, references: EntryReferences) -> Precheck | None:
    """Return the finding on an entry whose references are all dead; else None.

    It proposes to drop the entry only if commits removed all of them. If something was renamed, or
    is removed only in the working tree, it asks for a review.
    """
    if not references.are_all_dead:
        return None
    action = DROP if references.are_all_removed else LOOK
    removals = sorted({(d.removal.date, d.removal.commit) for d in references.dead if d.removal})
    against = Against(commit=removals[-1][1] if removals else None)
    evidence = dict.fromkeys(map(_evidence, references.dead))
    return Precheck(DEAD_REFERENCE, action, entry, against, 1.0, tuple(evidence))


def _evidence(dead: DeadReference) -> str:
    name = dead.reference.written
    if dead.removal is None:
        return f"{name} is removed in an uncommitted change"
    verb = "removed" if dead.successor is None else f"renamed to {dead.successor}"
    return f"{name} was {verb} in {short_commit(dead.removal.commit)} on {dead.removal.date}"
