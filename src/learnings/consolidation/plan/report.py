"""What became of the entries of a plan, as a report counts and lists it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.plan.model import (
    DROP,
    KEEP,
    MERGE,
    MOVE,
    Member,
    Plan,
    Step,
    identity_of,
)
from learnings.consolidation.plan.outcome import APPLIED, FILE, INDEX, SKIPPED
from learnings.core.patterns import lazy_pattern

# The first line of a finding among the notes of a step, as prefill.py writes it.
_FINDING = lazy_pattern(r"(supersession|contradiction|redundancy), (drop|escalate|look): (.+)")
_EVIDENCE = "- "
_ESCALATE = "escalate"
_COUNT = lazy_pattern(r"(.*) \((\d{1,9}) entr(?:y|ies)\)")


class Finding(NamedTuple):
    """A finding of the pre-checks in a plan: what it is about, its evidence, what became of it."""

    check: str
    action: str
    subject: str
    evidence: tuple[str, ...]
    decision: str


class Decision(NamedTuple):
    """A step as it was carried out; applied is the number of its entries that left the file."""

    step: Step
    applied: int
    escalated: bool


class Report(NamedTuple):
    """All decisions of a plan with their findings, and the lines of its result by kind."""

    decisions: tuple[Decision, ...]
    findings: tuple[Finding, ...]
    skipped: tuple[str, ...]
    indexes: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def processed(self) -> int:
        """The number of entries in the plan: the sum of the four numbers below."""
        return sum(len(decision.step.members) for decision in self.decisions)

    @property
    def consolidated(self) -> int:
        """The number of entries that were merged or moved."""
        return sum(d.applied for d in self.decisions if d.step.action in (MERGE, MOVE))

    @property
    def dropped(self) -> int:
        """The number of entries that were dropped."""
        return sum(d.applied for d in self.decisions if d.step.action == DROP)

    @property
    def escalated(self) -> int:
        """The number of entries that stay because somebody has to decide."""
        return sum(len(d.step.members) for d in self.decisions if d.escalated)

    @property
    def left(self) -> int:
        """The number of other entries that stay: kept, or without room in their target."""
        return self.processed - self.consolidated - self.dropped - self.escalated


def report_of(plan: Plan) -> Report:
    """Return the report on a plan with its result.

    An entry is escalated where it is kept beside a finding that asks for a decision.
    """
    decisions = tuple(_decisions(plan))
    return Report(
        decisions,
        tuple(finding for decision in decisions for finding in _findings(decision)),
        tuple(_lines(plan, SKIPPED)),
        tuple(_lines(plan, INDEX)),
        tuple(_lines(plan, FILE)),
    )


def is_applied(plan: Plan) -> bool:
    """Return True if a plan was applied, or has nothing that could be."""
    return bool(plan.result) or not any(step.leaves for step in plan.steps)


def _lines(plan: Plan, word: str) -> Iterator[str]:
    for line in plan.result:
        if line.startswith(f"{word}: "):
            yield line.removeprefix(f"{word}: ")


def _decisions(plan: Plan) -> Iterator[Decision]:
    counts: dict[str, list[int]] = {}
    for line in _lines(plan, APPLIED):
        match = _COUNT.fullmatch(line)
        if match is not None:
            counts.setdefault(match[1], []).append(int(match[2]))
    for step in plan.steps:
        known = counts.get(step.heading, [])
        applied = known.pop(0) if known and step.leaves else 0
        escalated = _escalated(step) if step.action == KEEP else ()
        if escalated:
            yield Decision(step._replace(members=escalated), applied, escalated=True)
        others = tuple(member for member in step.members if member not in escalated)
        if others or not escalated:
            notes = () if escalated else step.notes
            yield Decision(step._replace(members=others, notes=notes), applied, escalated=False)


def _escalated(step: Step) -> tuple[Member, ...]:
    """Return the entries of a step about which a note asks for a decision.

    A note names its entry; all entries are meant where it names none of them.
    """
    findings = (_FINDING.fullmatch(note) for note in step.notes)
    subjects = [finding[3] for finding in findings if finding and finding[2] == _ESCALATE]
    titles = [identity_of(subject.rpartition(" / ")[0] or subject) for subject in subjects]
    named = tuple(
        member
        for member in step.members
        if any(identity_of(member.name).endswith(title) for title in titles)
    )
    return named or (step.members if subjects else ())


def _findings(decision: Decision) -> Iterator[Finding]:
    notes = decision.step.notes
    for number, note in enumerate(notes):
        match = _FINDING.fullmatch(note)
        if match is not None:
            yield Finding(
                match[1], match[2], match[3], tuple(_evidence(notes[number + 1 :])), _word(decision)
            )


def _evidence(notes: Sequence[str]) -> Iterator[str]:
    for note in notes:
        if not note.startswith(_EVIDENCE) or note.startswith(f"{_EVIDENCE}{MOVE} "):
            return
        yield note.removeprefix(_EVIDENCE)


def _word(decision: Decision) -> str:
    """Return what became of the entries of a step, in a word."""
    if decision.escalated:
        return "Escalated"
    words = {MERGE: "Merged", MOVE: "Moved", DROP: "Dropped"}
    return words[decision.step.action] if decision.applied else "Kept"
