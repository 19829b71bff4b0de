"""A change of the memory by entry, as text and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from learnings.app.verify.verification import MemoryDiff
from learnings.consolidation.proof.changes import CAME_BACK, HIDDEN, KINDS, LOST, EntryChange
from learnings.core.text import counted, printable
from learnings.surfaces.render.description import Found, Line, Places, markdown, text
from learnings.surfaces.render.proof import shown_changes, shown_place, unseen_message

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


def as_text(difference: MemoryDiff) -> str:
    return text([[_places(difference), Line(summary_sentence(difference.changes))]])


def as_markdown(difference: MemoryDiff) -> str:
    """Return the same with the summary first, for readers of a comment."""
    return markdown("", [[Line(summary_sentence(difference.changes)), _places(difference)]])


def _places(difference: MemoryDiff) -> Places:
    unseen = (Found(f"{one.path}:1", outcome=unseen_message(one)) for one in difference.unseen)
    return Places([*map(found, difference.changes), *unseen])


def found(change: EntryChange) -> Found:
    place = shown_place(change.before or change.after)
    return Found(place, change.kind.replace("-", " "), change.title, change_words(change))
