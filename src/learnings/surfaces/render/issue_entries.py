"""The entries of a consolidation issue, each with its age, its text and where it may go."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.consolidate.suggestions import Destination
from learnings.core.due.ages import EntryAge
from learnings.core.text import counted
from learnings.surfaces.render import due_words
from learnings.surfaces.render.escape import block, span
from learnings.surfaces.render.issue_task import Task
from learnings.surfaces.render.next_step import shell_word


def render(number: int, entry_age: EntryAge, task: Task) -> str:
    """Return an entry under its number in the batch, from 1: a row, or a section with its text."""
    entry, origin = entry_age.entry, entry_age.origin
    title = span(entry.heading)
    facts = f"{due_words.age(entry_age)}, added {origin.date}, line {entry.first}"
    if entry.superseded:
        facts += ", superseded"
    where = _where(task.destinations.get(entry.identity, ()))
    if task.titles_only:
        return f"{number}. {title}: {facts}{where and f'; {where}'}"
    text = entry.body if entry.level else entry.text
    body = [block(text)] if text.strip() else []
    suggested = [f"{where[0].upper()}{where[1:]}"] if where else []
    return "\n\n".join((f"### {number}. {title}", facts, *body, *suggested))


def missing(number: int, file: str) -> str:
    """Return the sentence on the number of entries for which an issue has no room."""
    are = "is" if number == 1 else "are"
    return (
        f"**{counted(number, 'more entry', 'more entries')} {are} not shown**, since an issue has "
        "room for 65,536 characters. All of the batch is printed by:\n\n"
        f"{block(f'learnings batch {shell_word(file)}', 'sh')}"
    )


def _where(destinations: Sequence[Destination]) -> str:
    """Return where an entry may go, as the rest of a sentence; empty where nothing is known."""
    return f"could go to {' or '.join(map(_destination, destinations))}" if destinations else ""


def _destination(destination: Destination) -> str:
    section = f", section {span(destination.section)}" if destination.section else ""
    return f"{span(destination.path)}{section}"
