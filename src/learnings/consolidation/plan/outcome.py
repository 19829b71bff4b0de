"""The outcome of applying a plan, as values and as lines of the plan, and the report on it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.plan.plan import ADD, DROP, ESCALATE, JOIN, MERGE, MOVE, Plan, PlanStep
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

APPLIED, SKIPPED, FILE, INDEX, DECIDED = "applied", "skipped", "file", "index", "decided"
"""The labels of the lines of a result, each followed by a colon."""


class Skip(NamedTuple):
    """Entries that stay because their target is full: its lines now and with them, the limit."""

    titles: tuple[str, ...]
    target: str
    lines: int
    with_them: int
    limit: int

    def __str__(self) -> str:
        names = ", ".join(f'"{title}"' for title in self.titles)
        has = counted(self.lines, "line")
        return f"{self.target} has {has}, {self.with_them} with {names}, the limit is {self.limit}"


class StepOutcome(NamedTuple):
    """A step with the number of its entries that leave the file now, and that left before."""

    step: PlanStep
    now: int
    before: int


class PlanOutcome(NamedTuple):
    """The outcome of applying a plan; files are the changed ones with indexes, by path.

    decided are sentences about the entries that stay by decision.
    """

    steps: tuple[StepOutcome, ...]
    skips: tuple[Skip, ...] = ()
    files: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()

    @property
    def leaves(self) -> int:
        """The number of entries that leave the file now."""
        return sum(outcome.now for outcome in self.steps)


_DONE = {JOIN: "joined", MOVE: "moved", ADD: "added", DROP: "dropped"}


def sentence(outcome: PlanOutcome) -> str:
    """Return a one-sentence summary: `Consolidated 5 entries into 1`."""
    numbers = Counter[str]()
    for step, now, _ in outcome.steps:
        numbers[step.action] += now
    parts = []
    if numbers[MERGE]:
        into = sum(now > 0 for step, now, _ in outcome.steps if step.action == MERGE)
        parts.append(f"consolidated {counted(numbers[MERGE], 'entry', 'entries')} into {into}")
    for action, word in _DONE.items():
        if numbers[action]:
            parts.append(f"{word} {counted(numbers[action], 'entry', 'entries')}")
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]


def with_earlier(outcome: PlanOutcome, result: Sequence[str]) -> PlanOutcome:
    """Return an outcome with the files that earlier runs of its plan changed, by their result."""
    return outcome._replace(
        decided=outcome.decided or _labelled(DECIDED, result),
        files=tuple(sorted({*outcome.files, *_labelled(FILE, result)})),
        indexes=tuple(sorted({*outcome.indexes, *_labelled(INDEX, result)})),
    )


def _labelled(word: str, result: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a result with a label, without it."""
    label = f"{word}: "
    return tuple(line.removeprefix(label) for line in result if line.startswith(label))


def result_lines(outcome: PlanOutcome, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the result lines of a plan; earlier are those that it already has."""
    outcome = with_earlier(outcome, earlier)
    applied = (
        f"{step.heading} ({counted(now + before, 'entry', 'entries')})"
        for step, now, before in outcome.steps
        if now + before
    )
    kinds = (
        (APPLIED, applied),
        (SKIPPED, outcome.skips),
        (DECIDED, outcome.decided),
        (INDEX, outcome.indexes),
        (FILE, outcome.files),
    )
    return tuple(f"{word}: {value}" for word, values in kinds for value in values)


# The first line of a finding among notes, as proposed_plan.py writes it, or as a reader of both
# texts writes a contradiction.
_FINDING = lazy_pattern(
    r"(covered|supersession|redundancy|contradiction)(?:, (drop|add|escalate|look))?(?:: (.+))?",
    re.IGNORECASE,
)
_EVIDENCE = "- "
_COUNT = lazy_pattern(r"(.*) \((\d{1,9}) entr(?:y|ies)\)")


class PlanFinding(NamedTuple):
    """A pre-check finding in a plan: its entry, its evidence, its outcome."""

    check: str
    action: str
    subject: str
    evidence: tuple[str, ...]
    decision: str


class PlanDecision(NamedTuple):
    """A step as carried out; applied is the number of its entries that left the file."""

    step: PlanStep
    applied: int


class PlanReport(NamedTuple):
    """All decisions of a plan with their findings, and the lines of its result by kind."""

    decisions: tuple[PlanDecision, ...]
    findings: tuple[PlanFinding, ...]
    skipped: tuple[str, ...]
    indexes: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def counts(self) -> Counter[str]:
        """The number of entries by outcome; skipped ones were kept, or had no room."""
        counts = Counter[str]()
        for step, applied in self.decisions:
            counts["Dropped" if step.action == DROP else "Consolidated"] += applied
            rest = "Escalated" if step.action == ESCALATE else "Skipped"
            counts[rest] += len(step.members) - applied
        return counts


def report_of(plan: Plan) -> PlanReport:
    """Return the report on a plan with its result."""
    decisions = tuple(_decisions(plan))
    return PlanReport(
        decisions,
        tuple(finding for decision in decisions for finding in _findings(decision)),
        _labelled(SKIPPED, plan.result),
        _labelled(INDEX, plan.result),
        _labelled(FILE, plan.result),
    )


def _decisions(plan: Plan) -> Iterator[PlanDecision]:
    counts: dict[str, list[int]] = {}
    for line in _labelled(APPLIED, plan.result):
        match = _COUNT.fullmatch(line)
        if match is not None:
            counts.setdefault(match[1], []).append(int(match[2]))
    for step in plan.steps:
        known = counts.get(step.heading, [])
        applied = known.pop(0) if known and step.leaves else 0
        yield PlanDecision(step, applied)


def _findings(decision: PlanDecision) -> Iterator[PlanFinding]:
    step, applied = decision
    word = "Escalated" if step.action == ESCALATE else "Kept"
    if applied:
        word = {MERGE: "merged", **_DONE}[step.action].capitalize()
    about = [("", step.notes), *((member.name, member.notes) for member in step.members)]
    for name, notes in about:
        for number, note in enumerate(notes):
            match = _FINDING.fullmatch(note)
            if match is not None:
                yield PlanFinding(
                    match[1].lower(),
                    match[2] or ESCALATE,
                    " / ".join(filter(None, (name, match[3]))) or step.heading,
                    tuple(_evidence(notes[number + 1 :])),
                    word,
                )


def _evidence(notes: Sequence[str]) -> Iterator[str]:
    for note in notes:
        if not note.startswith(_EVIDENCE):
            return
        yield note.removeprefix(_EVIDENCE)
