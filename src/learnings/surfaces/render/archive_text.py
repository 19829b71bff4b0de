"""What `learnings archive` has done, as text for people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from learnings.core.text import counted, printable

if TYPE_CHECKING:
    from learnings.app.consolidate.archiving import Archiving, Rescue
    from learnings.app.consolidate.restoring import Restoring
    from learnings.core.entries.document import Entry


def archived(plan: Archiving) -> str:
    """Return which entries left their file, and for which archive."""
    number = counted(len(plan.entries), "entry", "entries")
    file, archive = printable(plan.file), printable(plan.archive)
    return f"Moved {number} from {file} to {archive}:\n{_listed(plan.entries)}"


def nothing_left(plan: Archiving) -> str:
    """Return that all entries that are meant left their file before."""
    file = printable(plan.file)
    return f"Nothing left to do: archived and not in {file}:\n{_listed(plan.done)}"


def restored(plan: Restoring) -> str:
    """Return which entries came back to their file."""
    number = counted(len(plan.entries), "entry", "entries")
    lines = "".join(
        f"  {printable(row.entry.heading)} (from {printable(row.path)}:{row.line})\n"
        for row in plan.entries
    )
    return f"Put {number} back into {printable(plan.file)}; the archive keeps them:\n{lines}"


def rescued(plan: Rescue) -> str:
    """Return which entries that had left a file are in its archive now."""
    file = printable(plan.file)
    if plan.change is None:
        return f"Nothing to archive: no entry left {file} since {plan.commit} without an archive\n"
    number = counted(len(plan.entries), "entry", "entries")
    archive = printable(plan.change.path)
    line = f"Archived {number} that left {file} since {plan.commit} in {archive}:\n"
    return line + _listed(plan.entries)


def _listed(entries: Iterable[Entry]) -> str:
    return "".join(f"  {printable(entry.heading)}\n" for entry in entries)
