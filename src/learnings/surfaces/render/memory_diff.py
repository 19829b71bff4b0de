"""A change of the memory by entry: text, Markdown, JSON (document `learnings.diff/1`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.app.verify.verification import MemoryDiff
from learnings.consolidation.proof.changes import CAME_BACK, HIDDEN, KINDS, LOST, EntryChange
from learnings.core.findings.finding import quoted
from learnings.core.text import counted, printable
from learnings.surfaces.render.lines import joined_lines, span
from learnings.surfaces.render.proof import (
    shown_changes,
    shown_place,
    unseen_message,
)

if TYPE_CHECKING:
    pass

_VERBS = {
    "added": "adds",
    CAME_BACK: "brings back",
    "reworded": "rewords",
    "moved": "moves",
    "merged": "merges",
    "archived": "archives",
    "dropped": "drops",
    HIDDEN: "hides",
    LOST: "loses",
}


def summary_sentence(changes: Sequence[EntryChange]) -> str:
    """Return the counts of a change, such as `Adds 2 entries, rewords 1`, as a sentence."""
    numbers = Counter(change.kind for change in changes)
    facts = [(_VERBS[kind], numbers[kind]) for kind in KINDS if numbers[kind]]
    if not facts:
        return "No entry changed."
    (verb, number), *others = facts
    first = f"{verb.capitalize()} {counted(number, 'entry', 'entries')}"
    return f"{', '.join([first, *(f'{verb} {number}' for verb, number in others)])}."


_PREPOSITIONS = {
    "moved": "to",
    "merged": "into",
    "archived": "in",
    HIDDEN: "in",
    LOST: "altered in",
}


def change_words(change: EntryChange) -> str:
    """Return the outcome of an entry for the end of a line; empty for an added entry."""
    if change.words:
        return shown_changes(change.words)
    place = change.after if change.before and change.after != change.before else None
    where, reason = shown_place(place), printable(change.reason)
    preposition = _PREPOSITIONS.get(change.kind, "")
    if change.kind == LOST:
        return reason or (f"{preposition} {where}" if where else "")
    if reason:
        return f"{preposition} {reason}{f' ({where})' if where else ''}".strip()
    return f"{preposition} {where}" if preposition and where else ""


@joined_lines
def as_text(difference: MemoryDiff) -> Iterator[str]:
    for change in difference.changes:
        words = change_words(change)
        place = shown_place(change.before or change.after)
        row = f"{place}: {_word(change)}: {quoted(change.title)}"
        yield f"{row}: {words}" if words else row
    for file in difference.unseen:
        yield f"{printable(file.path)}:1: {unseen_message(file)}"
    yield summary_sentence(difference.changes)


def _word(change: EntryChange) -> str:
    return change.kind.replace("-", " ")


@joined_lines
def as_markdown(difference: MemoryDiff) -> Iterator[str]:
    yield summary_sentence(difference.changes)
    if difference.changes:
        yield ""
    yield from markdown_rows(difference.changes)
    for file in difference.unseen:
        yield f"- {span(file.path)}: {unseen_message(file)}"


def markdown_rows(changes: Sequence[EntryChange]) -> Iterator[str]:
    """Yield a list item for each change."""
    for change in changes:
        words = change_words(change)
        place = span(shown_place(change.before or change.after))
        row = f"- **{_word(change)}** {span(change.title)} at {place}"
        yield f"{row}: {span(words)}" if words else row
