"""The outcome of applying a plan, as a value and as the lines at the end of the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from learnings.consolidation.plan.plan import ADD, DROP, JOIN, MERGE, MOVE
from learnings.consolidation.plan.resolved_steps import ResolvedStep
from learnings.core.entries.document import Entry, digest_of
from learnings.core.text import counted

APPLIED, SKIPPED, FILE, INDEX, DECIDED = "applied", "skipped", "file", "index", "decided"
"""The labels of the lines of a result, each followed by a colon.

The lines of APPLIED and SKIPPED end with the digests of their entries.
"""


class Skip(NamedTuple):
    """Entries that stay because their target is full: its lines after the run and with them."""

    entries: tuple[Entry, ...]
    target: str
    lines: int
    with_them: int
    limit: int

    def __str__(self) -> str:
        names = ", ".join(f'"{entry.title}"' for entry in self.entries)
        has = counted(self.lines, "line")
        return f"{self.target} has {has}, {self.with_them} with {names}, the limit is {self.limit}"


class PlanOutcome(NamedTuple):
    """The outcome of applying a plan; files are the changed ones with indexes, by path.

    steps have the entries that leave the file now. decided are sentences about the entries that
    stay by decision.
    """

    steps: tuple[ResolvedStep, ...]
    skips: tuple[Skip, ...] = ()
    files: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()

    @property
    def leaving(self) -> list[Entry]:
        """The entries that leave the file now."""
        return [entry for step in self.steps for entry in step.entries]


def sentence(outcome: PlanOutcome) -> str:
    """Return a one-sentence summary: `Consolidated 5 entries into 1`."""
    numbers = Counter[str]()
    for step in outcome.steps:
        numbers[step.step.action] += len(step.entries)
    into = sum(bool(step.entries) for step in outcome.steps if step.step.action == MERGE)
    words = {MERGE: "consolidated", JOIN: "joined", MOVE: "moved", ADD: "added", DROP: "dropped"}
    text = ", ".join(
        f"{word} {counted(numbers[action], 'entry', 'entries')}"
        + (f" into {into}" if action == MERGE else "")
        for action, word in words.items()
        if numbers[action]
    )
    return text[:1].upper() + text[1:]


def with_earlier(outcome: PlanOutcome, result: Sequence[str]) -> PlanOutcome:
    """Return an outcome with the files that earlier runs of its plan changed, by their result."""
    return outcome._replace(
        decided=outcome.decided or labelled(DECIDED, result),
        files=tuple(sorted({*outcome.files, *labelled(FILE, result)})),
        indexes=tuple(sorted({*outcome.indexes, *labelled(INDEX, result)})),
    )


def labelled(word: str, result: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a result with a label, without it."""
    label = f"{word}: "
    return tuple(line.removeprefix(label) for line in result if line.startswith(label))


def result_lines(outcome: PlanOutcome, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the result lines of a plan; earlier are those that it already has."""
    outcome = with_earlier(outcome, earlier)
    applied = []
    for step, entries, done, _ in outcome.steps:
        gone = {*map(digest_of, entries), *(member.digest for member in done)}
        digests = [member.digest for member in step.members if member.digest in gone]
        if digests:
            applied.append(f"{step.heading}: {' '.join(digests)}")
    skipped = (f"{skip}: {' '.join(map(digest_of, skip.entries))}" for skip in outcome.skips)
    kinds = (
        (APPLIED, applied),
        (SKIPPED, skipped),
        (DECIDED, outcome.decided),
        (INDEX, outcome.indexes),
        (FILE, outcome.files),
    )
    return tuple(f"{word}: {value}" for word, values in kinds for value in values)
