"""What the issue proposes for the batch of a file: prechecks, overlaps, destinations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.app.consolidate.grouping import groups_of
from learnings.app.consolidate.inputs import Inputs, inputs_of
from learnings.app.consolidate.routing import routes_of
from learnings.app.consolidate.settling import prechecks_of
from learnings.app.due.query import FileQuery
from learnings.consolidation.checks.precheck import DROP, ESCALATE, Precheck
from learnings.consolidation.routes.routes import Route
from learnings.core.due.triggers import Verdict
from learnings.core.entries.document import Entry

# Destinations shown with an entry. Chosen, not measured: one is right too seldom, and more of them
# lengthen the task; `learnings route` lists up to five, with the reasons.
_DESTINATIONS = 2
_ACTIONS = {DROP: "to drop", ESCALATE: "to decide"}


class Item(NamedTuple):
    """A row of a section: our words, then texts from files, which are shown as code.

    evidence are lines below the row, with the text of entries in them; marks are the quotes, by
    their index from 0, that are marked as superseded. relation says how the second quote stands to
    the first, empty where all are alike.
    """

    words: str
    quotes: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    marks: frozenset[int] = frozenset()
    relation: str = ""


class TaskSection(NamedTuple):
    """A part of the task that lists findings: groups, or what to settle first."""

    title: str
    items: tuple[Item, ...]


class Destination(NamedTuple):
    """A section of a target file; its title is empty above the first heading."""

    path: str
    section: str


class Suggestions(NamedTuple):
    """Sections for the task, and where each entry may go, by its identity and best first."""

    sections: tuple[TaskSection, ...] = ()
    destinations: Mapping[str, tuple[Destination, ...]] = {}


def suggestions_for(file_query: FileQuery, verdict: Verdict) -> Suggestions:
    """Return what is known about the batch of a verdict; nothing is written.

    Raises MissingFile or UsageProblem for a target file that cannot be read.
    """
    inputs = inputs_of(file_query, verdict)
    sections = (
        TaskSection("To settle first", tuple(_to_settle(inputs))),
        TaskSection("Entries that overlap", tuple(_overlaps(inputs))),
    )
    return Suggestions(
        tuple(section for section in sections if section.items),
        {
            route.entry.identity: tuple(_destinations(route))
            for route in routes_of(inputs)
            if not route.entry.superseded  # it should leave, not move
        },
    )


def _to_settle(inputs: Inputs) -> Iterator[Item]:
    """Yield the findings that ask for a decision; places to look at are for who does the work."""
    for precheck in prechecks_of(inputs):
        if precheck.action in _ACTIONS:
            words = f"{_ACTIONS[precheck.action]} ({precheck.check})"
            quotes = (precheck.entry.heading, *_against(precheck))
            relation = "newer" if precheck.against.entry is not None else "against"
            yield Item(words, quotes, precheck.evidence, _marks([precheck.entry]), relation)


def _against(precheck: Precheck) -> Iterator[str]:
    against = precheck.against
    if against.entry is not None:
        yield against.entry.heading
    elif against.target is not None:
        yield f"{against.target}:{against.line} {against.section or ''}".rstrip()


def _overlaps(inputs: Inputs) -> Iterator[Item]:
    """Yield the groups that hold an entry of the batch."""
    identities = {entry.identity for entry in inputs.entries}
    for group in groups_of(inputs.document, inputs.file_query.workspace.settings).groups:
        members = [member.entry for member in group.members]
        if any(entry.identity in identities for entry in members):
            yield Item("", tuple(entry.heading for entry in members), marks=_marks(members))


def _marks(entries: Sequence[Entry]) -> frozenset[int]:
    """Return the indexes of the entries that are superseded."""
    return frozenset(index for index, entry in enumerate(entries) if entry.superseded)


def _destinations(route: Route) -> Iterator[Destination]:
    for candidate in route.candidates[:_DESTINATIONS]:
        yield Destination(candidate.section.path, candidate.section.title)
