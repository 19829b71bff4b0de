"""A change of the memory by entry, as text and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from learnings.app.verify.verification import Verification
from learnings.consolidation.proof.changes import CAME_BACK, HIDDEN, KINDS, LOST, EntryChange
from learnings.core.findings.finding import quoted
from learnings.core.text import counted, printable
from learnings.surfaces.render.description import Part, joined, line, list_below, markdown, text
from learnings.surfaces.render.lines import span
from learnings.surfaces.render.proof import shown_changes, shown_place, unseen_message

# What a change does to entries of a kind, and the word before the place where they are now.
_WORDS = {
    "added": ("adds", ""),
    CAME_BACK: ("brings back", ""),
    "reworded": ("rewords", ""),
    "moved": ("moves", "to"),
    "merged": ("merges", "into"),
    "archived": ("archives", "in"),
    "dropped": ("drops", ""),
    HIDDEN: ("hides", "in"),
    LOST: ("loses", "altered in"),
}


def summary_sentence(changes: Sequence[EntryChange]) -> str:
    """Return the counts of a change, such as `Adds 2 entries, rewords 1`, as a sentence."""
    numbers = Counter(change.kind for change in changes)
    facts = [(_WORDS[kind][0], numbers[kind]) for kind in KINDS if numbers[kind]]
    if not facts:
        return "No entry changed."
    (verb, number), *others = facts
    first = f"{verb.capitalize()} {counted(number, 'entry', 'entries')}"
    return f"{', '.join([first, *(f'{verb} {number}' for verb, number in others)])}."


def change_words(change: EntryChange) -> str:
    """Return the outcome of an entry for the end of a line; empty for an added entry."""
    if change.words:
        return shown_changes(change.words)
    place = change.after if change.before and change.after != change.before else None
    where, reason = shown_place(place), printable(change.reason)
    preposition = _WORDS[change.kind][1]
    if change.kind == LOST:
        return reason or (f"{preposition} {where}" if where else "")
    if reason:
        return f"{preposition} {reason}{f' ({where})' if where else ''}".strip()
    return f"{preposition} {where}" if preposition and where else ""


def as_text(difference: Verification) -> str:
    return text([[_places(difference), line(summary_sentence(difference.changes))]])


def as_markdown(difference: Verification) -> str:
    """Return the same with the summary first, for readers of a comment."""
    return markdown("", [[line(summary_sentence(difference.changes)), _places(difference)]])


def _places(difference: Verification) -> Part:
    found = [*map(Found.of, difference.changes)]
    found += [Found(f"{one.path}:1", "", "", unseen_message(one)) for one in difference.unseen]
    return Part(
        lambda: [one.line for one in found], lambda: list_below("", (one.item for one in found))
    )


class Found(NamedTuple):
    """A change at a place of a file: its kind and title, if any, and what became of it."""

    place: str
    kind: str
    title: str
    outcome: str

    @classmethod
    def of(cls, change: EntryChange) -> Found:
        place = shown_place(change.before or change.after)
        return cls(place, change.kind.replace("-", " "), change.title, change_words(change))

    @property
    def line(self) -> str:
        return joined(": ", self.place, self.kind, self.title and quoted(self.title), self.outcome)

    @property
    def item(self) -> str:
        """An item of a list in Markdown."""
        what = f"**{self.kind}** {span(self.title)} at " if self.title else ""
        return f"{what}{span(self.place)}{self.outcome and f': {span(self.outcome)}'}"
