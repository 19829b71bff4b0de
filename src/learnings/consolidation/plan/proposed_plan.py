"""The plan that the program proposes: merge, drop, escalate or keep, and targets."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from learnings.consolidation.checks.precheck import ADD as ADDS
from learnings.consolidation.checks.precheck import (
    COVERED,
    DROP,
    ESCALATE,
    REDUNDANCY,
    SUPERSESSION,
    Against,
    Precheck,
)
from learnings.consolidation.checks.sentences import restate, sentences_of_entry
from learnings.consolidation.groups.groups import (
    Group,
    Grouping,
    GroupMember,
    Home,
    name_of_members,
)
from learnings.consolidation.plan.drafts import draft_of
from learnings.consolidation.plan.moving import names_of
from learnings.consolidation.plan.plan import (
    ADD,
    KEEP,
    MERGE,
    NAME_LENGTH,
    PLACE_HOLDER,
    Plan,
    PlanMember,
    PlanStep,
    member_of,
)
from learnings.consolidation.routes import FEW_TARGETS, Route
from learnings.consolidation.text.keywords import recurring_labels
from learnings.consolidation.text.sections import TargetFile
from learnings.core.due.ages import EntryUse
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text
from learnings.core.markdown.line_edits import is_filler
from learnings.core.text import chomp, counted, printable

RANKS = 3
"""Targets listed for an entry; the right one is among three in .64 of cases (top-3, Routes)."""

_QUOTED_LINES = 12  # of the text of an entry that stays; a reader finds the rest in the file
_MOST_REST = 3  # lines; fewer are quoted rather than counted
_MAP_WORDS = 80  # of the headings of a target file; chosen, so that ten files take about 500 words
_SUPERSEDED = "superseded"
_NEWEST = "among the newest"
_REASONS = {
    (SUPERSESSION, DROP): "superseded by",
    (COVERED, DROP): "covered by",
    (REDUNDANCY, DROP): "covered by",
    (SUPERSESSION, ESCALATE): "perhaps superseded by",
    (REDUNDANCY, ESCALATE): "perhaps covered by",
}


class Proposals(NamedTuple):
    """The computed facts about a file's entries: groups, findings, targets, ages and uses.

    ages are active days by identity, None if unknown.
    """

    grouping: Grouping = Grouping((), (), ())
    prechecks: Sequence[Precheck] = ()
    routes: Sequence[Route] = ()
    ages: Mapping[str, int | None] = {}
    uses: Mapping[str, EntryUse] = {}


def proposed_plan(
    file: str,
    entries: Sequence[Entry],
    proposals: Proposals,
    targets: Sequence[TargetFile] = (),
    *,
    destinations: Sequence[TargetFile] | None = None,
    line_limit: int,
    recent: Collection[str] = (),
    brief: bool = False,
) -> Plan:
    """Return the plan for a file, given by its POSIX path relative to the repository's root.

    Entries that a check drops, and entries marked as superseded, are dropped. If a section covers
    part of an entry, the rest is added there. An entry whose finding asks for a decision is
    escalated. The other members of a firm group are merged if at least two are left. All other
    entries are kept.

    Of the targets, text goes only to destinations, by default to all of them. recent are the
    identities of entries that are kept without being judged. line_limit is that of a target file.
    brief leaves out the texts of entries that stay, the headings of the target files, and all
    evidence of a finding but the first line.
    """
    places = targets if destinations is None else destinations
    if len(places) < FEW_TARGETS:
        proposals = proposals._replace(routes=())
    paths = frozenset(place.path for place in places)
    proposing = _Proposing(entries, proposals, targets, paths, recent, brief=brief)
    lines = tuple(_described(target, line_limit, brief=brief) for target in places)
    return Plan(file, tuple(proposing.steps()), targets=lines)


def _described(target: TargetFile, line_limit: int, *, brief: bool) -> str:
    """Return a line about a target file: its length, its free room, its headings of level 2."""
    room = line_limit - target.lines
    state = f"room for {room}" if room > 0 else "full"
    shown = f"{printable(target.path)} ({counted(target.lines, 'line')}, {state})"
    titles = [" ".join(s.title.split()) for s in target.sections if len(s.trail) == 1]
    titles = titles or [" ".join(s.title.split()) for s in target.sections if s.title]
    if brief or not titles:
        return shown
    ends = accumulate(len(title.split()) for title in titles)
    some = [title for title, end in zip(titles, ends, strict=True) if end <= _MAP_WORDS]
    more = f"; {len(titles) - len(some)} more" if len(titles) > len(some) else ""
    return f"{shown}: {'; '.join(some)}{more}"


class _Decision(NamedTuple):
    """The proposal for an entry: an action with its subject, and the text that it adds."""

    action: str
    subject: str = ""
    text: str = ""


class _Proposing:
    def __init__(
        self,
        entries: Sequence[Entry],
        proposals: Proposals,
        targets: Sequence[TargetFile],
        destinations: Collection[str],
        recent: Collection[str],
        *,
        brief: bool,
    ) -> None:
        self._entries = entries
        self._destinations = destinations
        self._recent = recent
        self._brief = brief
        self._proposals = proposals
        self._labels = recurring_labels([entry.body for entry in entries])
        self._hints: dict[str, str] = {}
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

        def may_merge(identity: str) -> bool:
            return decided.get(identity) == _Decision(KEEP) and identity not in self._prechecks

        for group in self._proposals.grouping.groups:
            members = [m for m in group.members if may_merge(m.entry.identity)]
            if len(members) > 1 and group.is_firm:
                merged |= {member.entry.identity for member in members}
                yield self._merge(group, members)
            elif len(members) > 1:
                self._hint(group, [member.entry for member in members])
        by_step: dict[tuple[_Decision, tuple[str, ...]], list[Entry]] = {}
        for entry in self._entries:
            if entry.identity not in merged:
                key = decided[entry.identity], self._finding(entry)
                by_step.setdefault(key, []).append(entry)
        yield from (self._step(*key, entries) for key, entries in by_step.items())

    def _hint(self, group: Group, entries: Sequence[Entry]) -> None:
        """Note for each entry of a group that is no proposal which others say the same."""
        name = name_of_members(group.members)
        said = {entry.identity: sentences_of_entry(entry)[1:] for entry in entries}
        for entry in entries if name else ():
            own = said[entry.identity]
            same = [e for e in entries if e is not entry and restate(own, said[e.identity])]
            if same:
                places = ", ".join(printable(other.place) for other in same)
                say = "says" if len(same) == 1 else "say"
                self._hints[entry.identity] = f"or `merge {name}`: {places} {say} the same"

    def _decision(self, entry: Entry) -> _Decision:
        """Return the proposal for an entry on its own."""
        if entry.identity in self._recent:
            return _Decision(KEEP, _NEWEST)
        precheck = self._prechecks.get(entry.identity)
        if precheck is not None and precheck.action == ADDS and not entry.superseded:
            if precheck.against.target not in self._destinations:
                return _Decision(KEEP)
            return _Decision(ADD, self._target(precheck.against), precheck.text)
        reason = _REASONS.get((precheck.check, precheck.action)) if precheck else None
        if precheck is None or reason is None or (entry.superseded and precheck.action != DROP):
            return _Decision(DROP, _SUPERSEDED) if entry.superseded else _Decision(KEEP)
        against = self._against(precheck.against)
        return _Decision(precheck.action, f"{reason} {against}" if against else _SUPERSEDED)

    def _step(
        self, decision: _Decision, finding: tuple[str, ...], entries: Sequence[Entry]
    ) -> PlanStep:
        """Return a step; a finding that several entries share is written once."""
        shared, own = (finding, ()) if len(entries) > 1 else ((), finding)
        members = tuple(self._member(entry, decision.action, own) for entry in entries)
        return PlanStep(decision.action, decision.subject, members, shared, decision.text)

    def _merge(self, group: Group, members: Sequence[GroupMember]) -> PlanStep:
        entries = [member.entry for member in members]
        notes = [f"similarity {group.score:.2f}; they share: {', '.join(group.keywords)}"]
        if group.home is not None:
            notes.append(_joins(group.home))
        return PlanStep(
            MERGE,
            name_of_members(members) or PLACE_HOLDER,
            tuple(self._member(entry, MERGE, self._finding(entry)) for entry in entries),
            tuple(notes),
            draft_of(entries, self._labels),
            is_draft=True,
        )

    def _member(self, entry: Entry, action: str, finding: tuple[str, ...] = ()) -> PlanMember:
        """Return an entry with its notes, and all of its text if it leaves."""
        is_open = action not in (DROP, ADD)
        quote = _quoted_lines(entry)
        if action in (KEEP, ESCALATE):
            quote = [] if self._brief else _shortened(quote)
        notes = [self._place(entry), *finding]
        precheck = self._prechecks.get(entry.identity)
        if precheck is not None and precheck.against.commit and precheck.against.target:
            notes.append(f"now in {printable(precheck.against.target)}:{precheck.against.line}")
        if is_open:
            notes += self._hints_of(entry)
        return member_of(entry)._replace(notes=tuple(notes), quote=tuple(quote))

    def _hints_of(self, entry: Entry) -> Iterator[str]:
        use = self._proposals.uses.get(entry.identity)
        if use is not None and use.is_long_unused:
            yield f"what it names did not change for {counted(use.idle, 'active day')}"
        if entry.identity in self._hints:
            yield self._hints[entry.identity]
        home = self._proposals.grouping.homes.get(entry.identity)
        if home is not None:
            yield _joins(home)
        route = self._routes.get(entry.identity)
        for number, candidate in enumerate(route.candidates[:RANKS] if route else (), start=1):
            section = candidate.section
            target = self._target(Against(None, section.path, section.title, section.line))
            yield f"{number} {target}"

    def _place(self, entry: Entry) -> str:
        """Return the place of an entry, and its age if known."""
        place = printable(entry.place)
        if entry.identity not in self._proposals.ages:
            return place
        age = self._proposals.ages[entry.identity]
        return f"{place}, {'age unknown' if age is None else counted(age, 'active day')}"

    def _finding(self, entry: Entry) -> tuple[str, ...]:
        precheck = self._prechecks.get(entry.identity)
        if precheck is None:
            return ()
        against = self._against(precheck.against)
        finding = f"{precheck.check}, {precheck.action}: {against}".rstrip(" :")
        evidence = precheck.evidence[:1] if self._brief else precheck.evidence
        notes = [finding, *(f"- {' '.join(line.split())}" for line in evidence)]
        if precheck.action == DROP and precheck.text:
            notes.append("- what only the entry says:")
            notes += (f"  {line}".rstrip() for line in precheck.text.split("\n"))
        return tuple(notes)

    def _target(self, against: Against) -> str:
        """Return a section as `FILE#HEADING`, a line in it as `FILE:LINE`, an archive as a path."""
        path = printable(against.target or "")  # one line, whatever the name of the file
        name = self._section_names.get((against.target or "", against.line or 0))
        if name is None and not against.commit:
            return f"{path}:{against.line}"
        return f"{path}#{name}" if name else path

    def _against(self, against: Against) -> str:
        """Return the object of an entry's comparison, on one line; empty if there is none."""
        if against.entry is not None:
            return " ".join(against.entry.title.split())
        if against.target is not None:
            return self._target(against)
        return f"commit {against.commit[:12]}" if against.commit else ""


def _joins(home: Home) -> str:
    name = " ".join(home.entry.title.split())
    return f"or `merge into {name}` ({printable(home.entry.place)}, similarity {home.score:.2f})"


def _quoted_lines(entry: Entry) -> list[str]:
    """Return the lines of an entry's text that its name in the plan does not show."""
    lines = [chomp(line).rstrip() for line in entry.lines]
    is_shown = len(entry.title if entry.level else item_text(lines[0])) < NAME_LENGTH
    if is_shown and (entry.level or len(lines) == 1):
        del lines[0]
    while lines and is_filler(lines[-1]):
        del lines[-1]
    while lines and not lines[0]:
        del lines[0]
    return lines


def _shortened(lines: list[str]) -> list[str]:
    rest = len(lines) - _QUOTED_LINES
    return lines if rest < _MOST_REST else [*lines[:_QUOTED_LINES], f"… {rest} more lines"]
