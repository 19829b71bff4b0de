"""The plan that the program proposes: what to merge, drop, escalate or keep, and targets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.precheck import (
    CONTRADICTION,
    DROP,
    ESCALATE,
    REDUNDANCY,
    SUPERSESSION,
    Against,
    Precheck,
)
from learnings.consolidation.groups.groups import Group
from learnings.consolidation.plan.drafts import draft_of
from learnings.consolidation.plan.moving import names_of
from learnings.consolidation.plan.plan import (
    KEEP,
    MERGE,
    NAME_LENGTH,
    Plan,
    PlanMember,
    PlanStep,
    member_of,
)
from learnings.consolidation.routes.routes import Route
from learnings.consolidation.text.sections import TargetFile
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text
from learnings.core.markdown.line_edits import is_filler
from learnings.core.text import chomp, counted, printable

RANKS = 3
"""Targets listed for an entry; the right one is among three in .64 of cases (top-3, Routes)."""

_RANK_WORDS = 3  # shared words beside a target; `learnings route` names more, and other reasons
_QUOTED_LINES = 12  # of an entry's text; a reader sees the rest in the file
_MOST_REST = 3  # lines; fewer are quoted too, rather than counted
_HEADINGS = 8  # of a target file; chosen, six words each, so that ten files take some 500 words
_SUPERSEDED = "superseded"
_NEWEST = "among the newest"
_REASONS = {
    (SUPERSESSION, DROP): "superseded by",
    (REDUNDANCY, DROP): "covered by",
    (SUPERSESSION, ESCALATE): "perhaps superseded by",
    (REDUNDANCY, ESCALATE): "perhaps covered by",
    (CONTRADICTION, ESCALATE): "contradicts",
}


class Proposals(NamedTuple):
    """What was computed about the entries of a file: groups, findings, targets and ages.

    ages are active days by identity, None for one that is unknown.
    """

    groups: Sequence[Group] = ()
    prechecks: Sequence[Precheck] = ()
    routes: Sequence[Route] = ()
    ages: Mapping[str, int | None] = {}


def proposed_plan(
    file: str,
    entries: Sequence[Entry],
    proposals: Proposals,
    targets: Sequence[TargetFile] = (),
    *,
    recent: Collection[str] = (),
    brief: bool = False,
) -> Plan:
    """Return the plan for a file, given by its POSIX path from the root of the repository.

    Entries marked as superseded, and those that a check drops, are dropped; the others of a group
    are merged if at least two are left; an entry whose finding asks for a decision is escalated;
    the rest is kept. recent are the identities of entries that are kept without being judged.
    brief leaves out the texts of the entries, the headings of the target files, and all evidence
    of a finding but the first line.
    """
    proposing = _Proposing(entries, proposals, targets, recent, brief=brief)
    full = {c.section.path for route in proposals.routes for c in route.candidates if c.full}
    lines = tuple(_described(t, is_full=t.path in full, brief=brief) for t in targets)
    return Plan(file, tuple(proposing.steps()), targets=lines)


def _described(target: TargetFile, *, is_full: bool, brief: bool) -> str:
    """Return a line about a target file: its length, and its headings of level 2."""
    state = ", full" if is_full else ""
    shown = f"{printable(target.path)} ({counted(target.lines, 'line')}{state})"
    titles = [" ".join(s.title.split()) for s in target.sections if len(s.trail) == 1]
    titles = titles or [" ".join(s.title.split()) for s in target.sections if s.title]
    if brief or not titles:
        return shown
    more = f"; {len(titles) - _HEADINGS} more" if len(titles) > _HEADINGS else ""
    return f"{shown}: {'; '.join(titles[:_HEADINGS])}{more}"


class _Proposing:
    def __init__(
        self,
        entries: Sequence[Entry],
        proposals: Proposals,
        targets: Sequence[TargetFile],
        recent: Collection[str],
        *,
        brief: bool,
    ) -> None:
        self._entries = entries
        self._recent = recent
        self._brief = brief
        self._groups = proposals.groups
        self._ages = proposals.ages
        self._prechecks = {check.entry.identity: check for check in proposals.prechecks}
        self._routes = {route.entry.identity: route for route in proposals.routes}
        self._section_names = {
            (target.path, section.line): name
            for target in targets
            for section, name in zip(target.sections, names_of(target.sections), strict=True)
        }

    def steps(self) -> Iterator[PlanStep]:
        decided = {entry.identity: self._decision(entry) for entry in self._entries}
        merged: set[str] = set()
        for group in self._groups:
            members = [m.entry for m in group.members]
            members = [e for e in members if _may_merge(*decided.get(e.identity, ("", "")))]
            if len(members) > 1:
                merged |= {entry.identity for entry in members}
                yield self._merge(group, members)
        by_step: dict[tuple[str, str, tuple[str, ...]], list[Entry]] = {}
        for entry in self._entries:
            if entry.identity not in merged:
                key = (*decided[entry.identity], self._finding(entry))
                by_step.setdefault(key, []).append(entry)
        yield from (self._step(*key, entries) for key, entries in by_step.items())

    def _decision(self, entry: Entry) -> tuple[str, str]:
        """Return what is proposed for an entry by itself, an action with its subject."""
        if entry.identity in self._recent:
            return KEEP, _NEWEST
        precheck = self._prechecks.get(entry.identity)
        reason = _REASONS.get((precheck.check, precheck.action)) if precheck else None
        if precheck is None or reason is None or (entry.superseded and precheck.action != DROP):
            return (DROP, _SUPERSEDED) if entry.superseded else (KEEP, "")
        against = _against(precheck.against)
        return precheck.action, f"{reason} {against}" if against else _SUPERSEDED

    def _step(
        self, action: str, subject: str, finding: tuple[str, ...], entries: Sequence[Entry]
    ) -> PlanStep:
        """Return a step; a finding that several entries share stands there once."""
        if len(entries) > 1 and finding:
            members = tuple(self._member(entry) for entry in entries)
            return PlanStep(action, subject, members, finding)
        return PlanStep(action, subject, tuple(self._member(e, finding) for e in entries))

    def _merge(self, group: Group, members: Sequence[Entry]) -> PlanStep:
        return PlanStep(
            MERGE,
            " ".join((group.topic or members[0].title).split()),
            tuple(self._member(entry, self._finding(entry)) for entry in members),
            (f"they share: {', '.join(group.keywords)}",) if group.keywords else (),
            draft_of(members),
            is_draft=True,
        )

    def _member(self, entry: Entry, finding: tuple[str, ...] = ()) -> PlanMember:
        quote = () if self._brief else tuple(_quoted_lines(entry))
        notes = (self._place(entry), *finding, *self._ranks(entry))
        return member_of(entry)._replace(notes=notes, quote=quote)

    def _place(self, entry: Entry) -> str:
        """Return where an entry is, and how old it is if that is known."""
        place = f"line {entry.first}"
        if entry.identity not in self._ages:
            return place
        age = self._ages[entry.identity]
        return f"{place}, {'age unknown' if age is None else counted(age, 'active day')}"

    def _finding(self, entry: Entry) -> tuple[str, ...]:
        precheck = self._prechecks.get(entry.identity)
        if precheck is None:
            return ()
        finding = f"{precheck.check}, {precheck.action}: {_against(precheck.against)}".rstrip(" :")
        evidence = precheck.evidence[:1] if self._brief else precheck.evidence
        return finding, *(f"- {' '.join(line.split())}" for line in evidence)

    def _ranks(self, entry: Entry) -> Iterator[str]:
        route = self._routes.get(entry.identity)
        candidates = route.candidates[:RANKS] if route else ()
        for number, candidate in enumerate(candidates, start=1):
            section = candidate.section
            name = self._section_names.get((section.path, section.line), "")
            path = printable(section.path)  # a note is one line, whatever the name of the file
            target = f"{path}#{name}" if name else path
            words = ", ".join(candidate.words[:_RANK_WORDS])
            yield f"{number} {target}" + (f"  ({words})" if words else "")


def _may_merge(action: str, subject: str) -> bool:
    """Return True for an entry that joins its group; a finding beside it may ask to escalate it."""
    return action in (KEEP, ESCALATE) and subject != _NEWEST


def _quoted_lines(entry: Entry) -> Iterator[str]:
    """Give the first lines of an entry's text, without what its name in the plan shows already."""
    lines = [chomp(line).rstrip() for line in entry.lines]
    is_shown = len(entry.title if entry.level else item_text(lines[0])) < NAME_LENGTH
    start = int(is_shown and bool(entry.level or len(lines) == 1))
    end = len(lines)
    while start < end and not lines[start]:
        start += 1
    while start < end and is_filler(lines[end - 1]):
        end -= 1
    rest = end - start - _QUOTED_LINES
    if rest < _MOST_REST:
        yield from lines[start:end]
        return
    yield from lines[start : start + _QUOTED_LINES]
    yield f"… {rest} more lines"


def _against(against: Against) -> str:
    """Return what an entry was compared with, on one line; empty for nothing."""
    if against.entry is not None:
        return " ".join(against.entry.title.split())
    if against.target is not None:
        section = " ".join((against.section or "").split())
        return f"{printable(against.target)}:{against.line} {section}".rstrip()
    return f"commit {against.commit[:12]}" if against.commit else ""
