"""What applying a plan does, as values, and as the lines of the plan's section `result`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.plan.model import DROP, MERGE, MOVE, Step
from learnings.core.text import counted

APPLIED, SKIPPED, FILE, INDEX = "applied", "skipped", "file", "index"
"""How the lines of a result begin, with a colon behind."""


class Skip(NamedTuple):
    """Entries that stay since their target has no room: its lines now and with them, the limit."""

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
    """A step with the number of its entries that leave the file now, and that did so before."""

    step: Step
    now: int
    before: int


class Outcome(NamedTuple):
    """What applying a plan does; files are those that change, the indexes among them, by path."""

    steps: tuple[StepOutcome, ...]
    skips: tuple[Skip, ...] = ()
    files: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()

    def entries(self, action: str) -> int:
        """Return the number of entries that leave the file now by steps of an action."""
        return sum(outcome.now for outcome in self.steps if outcome.step.action == action)

    @property
    def merged_into(self) -> int:
        """The number of entries that are written now in place of merged ones."""
        return sum(o.now > 0 for o in self.steps if o.step.action == MERGE)

    @property
    def leaves(self) -> int:
        """The number of entries that leave the file now."""
        return sum(outcome.now for outcome in self.steps)


def sentence(outcome: Outcome) -> str:
    """Return what was done in one sentence: `Consolidated 5 entries into 1`."""
    parts = []
    if merged := outcome.entries(MERGE):
        entries = counted(merged, "entry", "entries")
        parts.append(f"consolidated {entries} into {outcome.merged_into}")
    for word, action in (("moved", MOVE), ("dropped", DROP)):
        if number := outcome.entries(action):
            parts.append(f"{word} {counted(number, 'entry', 'entries')}")
    text = ", ".join(parts)
    return text[:1].upper() + text[1:]


def with_earlier(outcome: Outcome, result: Sequence[str]) -> Outcome:
    """Return an outcome with the files that earlier runs of its plan changed, by their result."""
    return outcome._replace(
        files=_united(FILE, outcome.files, result), indexes=_united(INDEX, outcome.indexes, result)
    )


def _united(word: str, paths: Sequence[str], result: Sequence[str]) -> tuple[str, ...]:
    earlier = (line.removeprefix(f"{word}: ") for line in result if line.startswith(f"{word}: "))
    return tuple(sorted({*paths, *earlier}))


def result_lines(outcome: Outcome, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the lines that a plan keeps of what was done with it, those of earlier runs included.

    earlier are the lines that it has already.
    """
    return tuple(_lines(with_earlier(outcome, earlier)))


def _lines(outcome: Outcome) -> Iterator[str]:
    for step, now, before in outcome.steps:
        if now + before:
            yield f"{APPLIED}: {step.heading} ({counted(now + before, 'entry', 'entries')})"
    yield from (f"{SKIPPED}: {skip}" for skip in outcome.skips)
    yield from (f"{INDEX}: {path}" for path in outcome.indexes)
    yield from (f"{FILE}: {path}" for path in outcome.files)
