"""Proposals for entries: groups, pre-checks, routes, a plan, and the sections of an issue."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from learnings.app.consolidate.entry_references import Evidence, evidence_of
from learnings.app.consolidate.inputs import Inputs, inputs_of, read_targets
from learnings.consolidation.checks.precheck import LOOK, Precheck
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.supersession import Order
from learnings.consolidation.groups.groups import MAX_ENTRIES, Grouping, propose
from learnings.consolidation.groups.partition import levels_of
from learnings.consolidation.plan.plan import Plan
from learnings.consolidation.plan.proposed_plan import Facts, proposed_plan
from learnings.consolidation.routes import (
    Route,
    TargetActivity,
    TargetIndex,
    target_activity_of,
)
from learnings.consolidation.text.sections import TargetFile, TargetSection
from learnings.core.due.ages import AgeReport
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.due.verdicts import Verdict
from learnings.core.entries.dialects import BULLET, UNMERGEABLE
from learnings.core.entries.document import Document, Entry, digest_of
from learnings.core.entries.layout import CATEGORY
from learnings.core.errors import LearningsError, UntrustedHistory
from learnings.core.patterns import lazy_pattern
from learnings.core.progress import step
from learnings.core.text import counted
from learnings.history.change_dates import changed_on, transfers
from learnings.history.git.repository import open_repository
from learnings.history.rule_facts import resurrected_entries
from learnings.workspace.disk import is_file, real_path
from learnings.workspace.memory_file import MemoryFile


def groups_of(
    file: MemoryFile,
    document: Document,
    report: AgeReport | None,
    *,
    include_consolidated: bool = False,
    with_neighbours: bool = False,
) -> Grouping:
    """Return the groups of a learnings file; none for a dialect that cannot be merged.

    The newest `keep-recent` entries and those that rest after a decision are in no group, as far as
    a history tells.
    """
    step(f"comparing the entries of {file.name}")
    left_out = frozenset[str]()
    if report is not None:
        left_out = report.newest.union(one.entry.identity for one in report.resting)
    grouping = propose(
        document.entries,
        left_out=left_out,
        include_consolidated=include_consolidated,
        with_neighbours=with_neighbours,
        levels=levels_of(file.workspace.settings.eagerness),
    )
    headings = {heading.line for heading in document.outline.headings}
    categories = {span.first for span in document.spans if span.kind == CATEGORY}
    # Paragraphs such as `**Queues:**` part items, which mean nothing without.
    is_labelled = document.dialect.name == BULLET and not categories <= headings
    if document.dialect.name in UNMERGEABLE or is_labelled:
        return grouping._replace(groups=(), ungrouped=document.entries, homes={})
    return grouping


def prechecks_of(inputs: Inputs, *, evidence: Evidence | None = None) -> Sequence[Precheck]:
    """Return the pre-checks, as prechecks(). Raises MissingFile and UnusableFile.

    More than MAX_ENTRIES are compared only with the target files, because the time grows with the
    square of their number.
    """
    file, entries, report = inputs.memory_file, inputs.document.entries, inputs.report
    settings, returned = file.workspace.settings, tuple[ResurrectedEntry, ...]()
    if report is not None and inputs.entries:
        with suppress(UntrustedHistory), file.history() as history:
            returned = tuple(resurrected_entries(history))
    step(f"comparing {inputs.file} with {counted(len(inputs.targets), 'target file')}")
    return prechecks(
        inputs.entries,
        (*inputs.targets, *_named_documents(inputs)),
        Order(entries if len(entries) <= MAX_ENTRIES else (), report.dates if report else {}),
        returned=returned,
        archived=_archived(inputs) if returned else {},
        references=(evidence or evidence_of(file, report)).references,
        coverage=settings.covered,
        perhaps=settings.coverage_perhaps,
        changed_on=_section_dates(inputs),
    )


# A file that an entry names as the place where it is documented.
_WENT_TO = lazy_pattern(
    r"\b(?:codified|documented|recorded|captured|moved|promoted|lives)\b[^.\n]{0,60}?"
    r"(?<![\w./-])(?P<path>[\w./-]+\.md)\b",
    re.IGNORECASE,
)


def _named_documents(inputs: Inputs) -> Sequence[TargetFile]:
    """Return the files that are no targets, and to which entries say that they went."""
    workspace, file = inputs.memory_file.workspace, inputs.memory_file.home
    root = real_path(workspace.root)
    paths = {
        normpath(join(base, match["path"]))
        for entry in inputs.entries
        for match in _WENT_TO.finditer(entry.text)
        for base in ("", dirname(file))
    }
    documents = list[TargetFile]()
    for path in sorted(paths - {file, *(target.path for target in inputs.targets)}):
        real = real_path(root / path)
        if is_file(real) and real.is_relative_to(root):
            with suppress(LearningsError):  # it is not theirs to check
                documents += read_targets(workspace, [path])
    return documents


def _section_dates(inputs: Inputs) -> Callable[[TargetSection], str | None]:
    """Return what tells the date of the newest line of a section; None without a history."""
    root = inputs.memory_file.workspace.root
    opened = cache(partial(open_repository, root))  # few plans ask

    @cache
    def changed(section: TargetSection) -> str | None:
        if inputs.report is None:
            return None
        try:
            repository = opened()
        except UntrustedHistory:  # as of a local memory
            return None
        path = os.path.relpath(real_path(root / section.path), real_path(repository.top))
        return changed_on(repository, Path(path).as_posix(), section.line or 1, section.last)

    return changed


def _archived(inputs: Inputs) -> Mapping[str, tuple[str, int]]:
    """Return the archives of the entries by identity: the path and the line."""
    from learnings.app.consolidate.archives_on_disk import SourceFile  # noqa: PLC0415  (few ask)

    rows = SourceFile(inputs.memory_file).archived
    places = {digest_of(row.entry): (row.path, row.line) for row in reversed(rows)}
    digests = {entry.identity: digest_of(entry) for entry in inputs.entries}
    return {name: places[digest] for name, digest in digests.items() if digest in places}


def routes_of(inputs: Inputs, *, by_text: bool = False) -> Sequence[Route]:
    """Return the target files for each entry, best first; without history, by text alone."""
    workspace, activity = inputs.memory_file.workspace, TargetActivity()
    if inputs.report is not None and inputs.targets and inputs.entries and not by_text:
        paths = [workspace.root / target.path for target in inputs.targets]
        with suppress(UntrustedHistory), inputs.memory_file.history() as history:
            activity = target_activity_of(transfers(history, paths))
    step(f"ranking target files for {inputs.file}")
    index = TargetIndex(inputs.destinations, workspace.settings.line_limit, activity)
    return [Route(index, entry) for entry in inputs.entries]


def plan_for_inputs(inputs: Inputs) -> Plan:
    """Return the plan for some entries."""
    file, report = inputs.memory_file, inputs.report
    evidence = evidence_of(file, report)
    facts = Facts(
        groups_of(file, inputs.document, report),
        prechecks_of(inputs, evidence=evidence),
        routes_of(inputs, by_text=True),  # of likely sections history finds no more
        {age.entry.identity: age.active_days for age in report.entries} if report else {},
        evidence.uses,
        inputs.targets,
        inputs.destinations,
        inputs.recent,
    )
    return proposed_plan(inputs.file, inputs.entries, facts, whole=inputs.are_named)


# Destinations shown with an entry. Chosen, not measured: one is too often wrong, and more lengthen
# the task; `learnings route` lists up to five, with the reasons.
_DESTINATIONS = 2


class Suggestions(NamedTuple):
    """The findings, the groups and the destinations for the entries of a batch.

    Destinations are the sections of target files by the identity of an entry, best first.
    """

    findings: tuple[Precheck, ...] = ()
    groups: tuple[tuple[Entry, ...], ...] = ()
    destinations: Mapping[str, tuple[TargetSection, ...]] = {}


def suggestions_for(file: MemoryFile, verdict: Verdict) -> Suggestions:
    """Return the suggestions for the batch of a verdict; raises MissingFile or UsageProblem."""
    inputs = inputs_of(file, verdict)
    groups = groups_of(file, inputs.document, inputs.report).groups
    shown = {
        route.entry.identity: route.sections[:_DESTINATIONS]
        for route in routes_of(inputs)
        if not route.entry.superseded  # it should leave, not move
    }
    return Suggestions(
        tuple(finding for finding in prechecks_of(inputs) if finding.action != LOOK),
        tuple(g.members for g in groups if not {*g.members}.isdisjoint(inputs.entries)),
        shown,
    )
