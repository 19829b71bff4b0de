"""History facts about the things that an entry names, in the words of every output."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.due.ages import EntryUse
from learnings.core.text import counted
from learnings.references.entries import EntryReferences


def references_words(references: EntryReferences) -> str:
    """Return the number of dead references of an entry, empty if there are none."""
    if references.are_all_removed:
        return "names only what is gone"
    count = counted(references.known, "reference")
    return f"{len(references.dead)} of {count} dead" if references.dead else ""


def use_words(use: EntryUse) -> str:
    """Return when the files that an entry names were changed since it was written."""
    if use.last is None:
        return f"never, for {counted(use.idle, 'active day')}"
    return f"on {counted(use.active_days, 'active day')}, last on {use.last}"


def evidence_words(references: EntryReferences | None, use: EntryUse | None) -> Iterator[str]:
    """Yield the reasons to look at an entry, as clauses."""
    if references is not None and references.dead:
        yield references_words(references)
    if use is not None and use.is_long_unused:
        yield f"what it names did not change for {counted(use.idle, 'active day')}"
