"""What is proposed for the batch of a file that is due: overlaps, what to settle, where to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.app.due.query import FileQuery
from learnings.app.workspace.disk import read_file
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.prechecks import DROP, Precheck, Thresholds, prechecks
from learnings.consolidation.groups.groups import propose
from learnings.consolidation.routes.routes import Route, routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
from learnings.consolidation.text.sections import Target, target_of
from learnings.core.due.triggers import Verdict
from learnings.core.entries.document import Entry
from learnings.history.rule_facts import history_facts
from learnings.history.transfers import transfers

_PLACES = 2
_WORDS = {True: "to drop", False: "to decide"}


class Item(NamedTuple):
    """A line of a section: words of ours, then texts of others that are shown as code."""

    words: str
    quotes: tuple[str, ...] = ()


class Section(NamedTuple):
    """A part of the task that something else has found out: groups, suggestions, findings."""

    title: str
    items: tuple[Item, ...]


class Place(NamedTuple):
    """A section of a target file; the title is empty for what stands above the first heading."""

    path: str
    section: str


class Suggestions(NamedTuple):
    """Sections for the task, and by the identity of an entry where it may go, best first."""

    sections: tuple[Section, ...] = ()
    places: Mapping[str, tuple[Place, ...]] = {}


def suggestions_for(file_query: FileQuery, verdict: Verdict) -> Suggestions:
    """Say what is known about the batch of a verdict, without a change to anything.

    Raises MissingFile or UsageProblem for a target file that cannot be read, UntrustedHistory for
    a history that knows the memory but not the target files.
    """
    batch = [each.entry for each in verdict.batch]
    entries = verdict.report.document.entries
    targets = _targets(file_query)
    found = routes(
        batch,
        entries,
        targets,
        line_limit=file_query.workspace.settings.line_limit,
        past=_received(file_query, targets),
    )
    sections = (
        Section("To settle first", tuple(_to_settle(file_query, verdict, batch, targets))),
        Section("Entries that overlap", tuple(_overlaps(entries, batch))),
    )
    places = {route.entry.identity: tuple(_places(route)) for route in found}
    return Suggestions(tuple(each for each in sections if each.items), places)


def _targets(file_query: FileQuery) -> list[Target]:
    root = file_query.workspace.root
    paths = [each.path for each in file_query.workspace.target_files() if each.included]
    return [target_of(path, read_file(root / path, shown=path)) for path in sorted(paths)]


def _received(file_query: FileQuery, targets: Sequence[Target]) -> TargetActivity | None:
    paths = [file_query.workspace.root / each.path for each in targets]
    return target_activity_of(transfers(file_query.query, paths)) if paths else None


def _to_settle(
    file_query: FileQuery, verdict: Verdict, batch: Sequence[Entry], targets: Sequence[Target]
) -> Iterator[Item]:
    settings, entries = file_query.workspace.settings, verdict.report.document.entries
    dates = {each.entry.identity: each.origin.date for each in verdict.report.entries}
    for each in prechecks(
        batch,
        targets,
        entries=entries,
        order=Order(entries, dates),
        resurrected=history_facts(file_query.query).resurrected,
        thresholds=Thresholds(settings.coverage, settings.coverage_perhaps),
    ):
        words = f"{_WORDS[each.action == DROP]} ({each.check})"
        yield Item(words, (each.entry.heading, *_against(each)))


def _against(each: Precheck) -> Iterator[str]:
    against = each.against
    if against.entry is not None:
        yield against.entry.heading
    elif against.target is not None:
        yield f"{against.target}:{against.line} {against.section or ''}".rstrip()


def _overlaps(entries: Sequence[Entry], batch: Sequence[Entry]) -> Iterator[Item]:
    """The groups that somebody working on the batch can do something about."""
    asked = {entry.identity for entry in batch}
    for group in propose(entries).groups:
        members = [member.entry for member in group.members]
        if any(entry.identity in asked for entry in members):
            yield Item("", tuple(entry.heading for entry in members))


def _places(route: Route) -> Iterator[Place]:
    for each in route.candidates[:_PLACES]:
        yield Place(each.section.path, each.section.title)
