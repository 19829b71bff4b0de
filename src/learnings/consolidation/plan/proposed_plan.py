"""The plan that the program proposes: merge, drop, add, escalate or keep, and a target."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import dropwhile
from typing import NamedTuple

from learnings.consolidation.checks.precheck import (
    ADD,
    DROP,
    ESCALATE,
    SUPERSESSION,
    Against,
    Precheck,
)
from learnings.consolidation.checks.sentences import restate, sentences_of_entry
from learnings.consolidation.groups.groups import Group, Grouping, name_of_all
from learnings.consolidation.plan.drafts import draft_of, gist_of
from learnings.consolidation.plan.moving import names_of
from learnings.consolidation.plan.plan import ADD as ADD_TO
from learnings.consolidation.plan.plan import (
    KEEP,
    MERGE,
    NAME_LENGTH,
    PLACE_HOLDER,
    Plan,
    PlanMember,
    PlanStep,
    member_of,
    written_identity,
)
from learnings.consolidation.routes import Route
from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.sections import TargetFile, TargetSection
from learnings.core.due.ages import EntryUse
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text
from learnings.core.labels import recurring_labels
from learnings.core.markdown.line_edits import without_filler
from learnings.core.text import chomp, counted, printable, shortened

_NEAREST_WORDS, _NEAREST_LENGTH = 40, 480  # of a section (issue); characters, for Chinese
_SUPERSEDED = "superseded"


class Facts(NamedTuple):
    """What is known about a file's entries and the targets for them.

    By identity, ages are active days, None if unknown. Of the targets, text goes only to
    destinations. recent are the identities of entries that are kept without being judged.
    """

    grouping: Grouping = Grouping((), (), ())
    prechecks: Sequence[Precheck] = ()
    routes: Sequence[Route] = ()
    ages: Mapping[str, int | None] = {}
    uses: Mapping[str, EntryUse] = {}
    targets: Sequence[TargetFile] = ()
    destinations: Sequence[TargetFile] = ()
    recent: Collection[str] = ()


def proposed_plan(
    file: str, entries: Sequence[Entry], facts: Facts, *, whole: bool = False
) -> Plan:
    """Return the plan for a file, given by its POSIX path relative to the repository's root.

    Entries that a check drops, and entries marked as superseded, are dropped. If a section covers
    part of an entry, the rest is added there. An entry whose finding asks for a decision is
    escalated. The other members of a firm group are merged if at least two are left. All other
    entries are kept.

    An entry with a finding has all of its text, with whole each entry. Any other has the first
    sentences of what it says to do, and a section if one is likely right.
    """
    return Plan(file, tuple(_Proposing(entries, facts, whole=whole).steps()))


class _Proposing:
    def __init__(self, entries: Sequence[Entry], facts: Facts, *, whole: bool) -> None:
        self._entries, self._facts, self._whole = entries, facts, whole
        self._labels = recurring_labels([entry.body for entry in entries])
        self._targets = {target.path: target.sections for target in facts.targets}
        self._destinations = {target.path for target in facts.destinations}
        checks = ((check.entry.identity, check) for check in facts.prechecks)
        self._prechecks = {name: check for name, check in checks if name not in facts.recent}
        self._likely = {route.entry.identity: route.likely for route in facts.routes}
        self._names: dict[str, dict[int, str]] = {}
        self._hints: dict[str, str] = {}
        self._shown: set[tuple[str, str]] = set()

    def steps(self) -> Iterator[PlanStep]:
        judged, merged = {*self._prechecks, *self._facts.recent}, set[str]()
        open_ones = {e.identity for e in self._entries if not e.superseded} - judged
        for group in self._facts.grouping.groups:
            free = [entry for entry in group.members if entry.identity in open_ones]
            if len(free) > 1 and group.is_firm:
                merged |= {entry.identity for entry in free}
                yield self._merge(group, free)
            elif len(free) > 1:
                self._hint(free)
        by_step: dict[PlanStep, list[Entry]] = {}
        for entry in self._entries:
            if entry.identity not in merged:
                by_step.setdefault(self._alone(entry), []).append(entry)
        for step, same in by_step.items():
            shared, own = (step.notes, ()) if len(same) > 1 else ((), step.notes)  # written once
            members_of = tuple(self._member(entry, step.action, own) for entry in same)
            yield step._replace(members=members_of, notes=shared)

    def _alone(self, entry: Entry) -> PlanStep:
        """Return the step for an entry on its own, without it, and its finding as notes."""
        if entry.identity in self._facts.recent:
            return PlanStep(KEEP, "among the newest", ())
        step = PlanStep(DROP, _SUPERSEDED, ()) if entry.superseded else PlanStep(KEEP, "", ())
        check = self._prechecks.get(entry.identity)
        if check is None:
            return step
        against, is_decided = self._against(check.against), not entry.superseded
        if check.action == ADD and is_decided and check.against.target in self._destinations:
            step = PlanStep(ADD_TO, against, (), text=check.text)
        elif check.action == DROP or (check.action == ESCALATE and is_decided):
            verb = _SUPERSEDED if check.check == SUPERSESSION else "covered"
            reason = f"{'perhaps ' * (check.action == ESCALATE)}{verb} by {against}"
            step = PlanStep(check.action, reason if against else _SUPERSEDED, ())
        finding = check.check  # the line of the entry says the rest
        if step.action == KEEP:
            finding = f"{finding}, {check.action}: {against}".rstrip(" :")
        notes = [finding, *(f"- {' '.join(line.split())}" for line in check.evidence)]
        if check.action == DROP and check.text:
            notes.append("- only in the entry:")
            notes += (f"  {line}".rstrip() for line in check.text.split("\n"))
        return step._replace(notes=tuple(notes))

    def _merge(self, group: Group, members: Sequence[Entry]) -> PlanStep:
        notes = [f"similarity {group.score:.2f}; they share: {', '.join(group.shared)}"]
        if group.home is not None:
            notes.append(f"or {_joining(group.home)}")
        return PlanStep(
            MERGE,
            name_of_all(members) or PLACE_HOLDER,
            tuple(self._member(entry, MERGE, ()) for entry in members),
            tuple(notes),
            draft_of(members, self._labels),
            is_draft=True,
        )

    def _hint(self, members: Sequence[Entry]) -> None:
        """Note for each entry of a group that is no proposal which others repeat a rule of it."""
        name = name_of_all(members) or PLACE_HOLDER
        said = {entry: sentences_of_entry(entry)[1:] for entry in members}
        for entry, own in said.items():
            same = [o for o in said if o is not entry and restate(own, said[o])]
            if same:
                places = ", ".join(printable(other.place) for other in same)
                repeat = "repeats" if len(same) == 1 else "repeat"
                self._hints[entry.identity] = f"or `merge {name}`: {places} {repeat} a rule of it"

    def _member(self, entry: Entry, action: str, finding: tuple[str, ...]) -> PlanMember:
        """Return an entry with its notes; with all of its text if it leaves or has a finding."""
        check, member = self._prechecks.get(entry.identity), member_of(entry)
        if action == KEEP and check is None and not self._whole:
            notes = [printable(entry.path)] if entry.path else []
            if entry.identity not in self._facts.recent:
                gist = printable(gist_of(entry, member.name, self._labels))
                notes += [*([f"“{gist}”"] if gist else []), *self._hints_of(entry)]
            return member._replace(notes=tuple(notes))
        place = printable(entry.place)
        if entry.identity in self._facts.ages:
            age = self._facts.ages[entry.identity]
            place += ", age unknown" if age is None else f", {counted(age, 'active day')}"
        notes = [place, *finding]
        if check is not None and check.against.commit and check.against.target:
            notes.append(f"now in {printable(check.against.target)}:{check.against.line}")
        if action not in (DROP, ADD_TO, MERGE):
            notes += self._hints_of(entry)
        return member._replace(notes=tuple(notes), quote=_quoted_lines(entry))

    def _hints_of(self, entry: Entry) -> Iterator[str]:
        use = self._facts.uses.get(entry.identity)
        if use is not None and use.is_long_unused:
            yield f"its files and commands did not change for {counted(use.idle, 'active day')}"
        if entry.identity in self._hints:
            yield self._hints[entry.identity]
        home = self._facts.grouping.homes.get(entry.identity)
        if home is not None:
            yield f"or {_joining(home)}"
        check = self._prechecks.get(entry.identity)
        against = check.against if check else Against()
        own = (s for s in self._targets.get(against.target or "", ()) if s.line == against.line)
        section = next(own, self._likely.get(entry.identity))  # of its finding, else likely right
        if section is not None:
            place = self._against(Against(None, section.path, section.title, section.line))
            yield f"1 {place}"
            words = _nearest_words(entry, section)
            if words and (place, words) not in self._shown:
                self._shown.add((place, words))
                yield f"“{words}”"

    def _against(self, against: Against) -> str:
        """Return the object of an entry's comparison, on one line; empty if there is none.

        An entry is its title in quotes, a section `FILE#HEADING`, a line in it `FILE:LINE`, an
        archive its path.
        """
        if against.entry is not None:
            return f'"{" ".join(against.entry.title.split())}"'
        if against.target is None:
            return f"commit {against.commit[:12]}" if against.commit else ""
        path = printable(against.target)
        if against.target not in self._names:
            own = self._targets.get(against.target, ())
            lines = (section.line for section in own)
            self._names[against.target] = dict(zip(lines, names_of(own), strict=True))
        name = self._names[against.target].get(against.line or 0)
        if name is None and not against.commit:
            return f"{path}:{against.line}"
        return f"{path}#{name}" if name else path


def _joining(home: Entry) -> str:
    return f"`merge into {' '.join(home.title.split())}` ({printable(home.place)})"


def _nearest_words(entry: Entry, section: TargetSection) -> str:
    """Return the passage of a section that has most words of an entry; empty without text."""
    words = section.text.split()
    starts = [0, *(n for n, word in enumerate(words[:-1], 1) if word.endswith((".", "。")))]
    wanted = {*keys(entry.text)} if starts[1:] else set[str]()
    found = [wanted.intersection(keys(word)) for word in words] if wanted else []

    def worth(start: int) -> tuple[int, int]:
        passage = found[start : start + _NEAREST_WORDS]
        return len(set().union(*passage)), -[*map(bool, passage), True].index(True)

    best = max(starts, key=worth)
    passage = shortened(printable(" ".join(words[best : best + _NEAREST_WORDS])), _NEAREST_LENGTH)
    goes_on = best + _NEAREST_WORDS < len(words) and not passage.endswith("…")
    return f"{'… ' * bool(best)}{passage}{' …' * goes_on}"


def _quoted_lines(entry: Entry) -> tuple[str, ...]:
    """Return the lines of an entry's text that its name in the plan does not show."""
    # A lone carriage return would end the line in the plan.
    lines = [chomp(line).replace("\r", " ").rstrip() for line in without_filler(entry.lines)]
    name = written_identity(entry) if entry.level else item_text(lines[0])
    is_shown = len(name) < NAME_LENGTH
    is_whole = is_shown and (entry.level or len(entry.lines) == 1)
    return tuple(dropwhile(lambda line: not line, lines[1:] if is_whole else lines))
