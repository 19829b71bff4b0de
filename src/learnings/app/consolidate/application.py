"""The effect of applying a plan, as a value and as the lines at the end of the plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.consolidation.plan.plan import (
    APPLIED,
    DECIDED,
    FILE,
    INDEX,
    SKIPPED,
    PlanProblem,
    PlanStep,
    labelled,
)
from learnings.core.entries.document import Entry, digest_of
from learnings.core.text import counted
from learnings.store.safe_moves import Move


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


class Application(NamedTuple):
    """The effect of applying a plan to a file: problems that forbid it, or a move.

    The entries of steps leave the file now, those of unmerged steps stay, since the plan lacks a
    name or text for them. decided are sentences about entries that stay by decision; the move
    includes these decisions, alone if no entry leaves. files are the changed ones with indexes, by
    path.
    """

    steps: tuple[PlanStep, ...]
    skips: tuple[Skip, ...] = ()
    unmerged: tuple[PlanStep, ...] = ()
    problems: tuple[PlanProblem, ...] = ()
    move: Move = Move()
    files: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def leaving(self) -> list[Entry]:
        """The entries that leave the file now."""
        return [entry for step in self.steps for entry in step.entries]

    @property
    def result(self) -> tuple[str, ...]:
        """The lines of the result at the end of the plan."""
        applied = []
        for step in self.steps:
            gone = {*map(digest_of, step.entries), *(member.digest for member in step.done)}
            digests = [member.digest for member in step.members if member.digest in gone]
            if digests:
                applied.append(f"{step.heading}: {' '.join(digests)}")
        skipped = [f"{skip}: {' '.join(map(digest_of, skip.entries))}" for skip in self.skips]
        for step in self.unmerged:
            own = " ".join(member.digest for member in step.members)
            skipped.append(f"not merged, because the plan has no {step.lacks}: {own}")
        kinds = (
            (APPLIED, applied),
            (SKIPPED, skipped),
            (DECIDED, self.decided),
            (INDEX, self.indexes),
            (FILE, self.files),
        )
        return tuple(f"{word}: {value}" for word, values in kinds for value in values)

    def after(self, result: Sequence[str]) -> Application:
        """Return it with the files that earlier runs of its plan changed, by their result."""
        return self._replace(
            decided=self.decided or labelled(DECIDED, result),
            files=tuple(sorted({*self.files, *labelled(FILE, result)})),
            indexes=tuple(sorted({*self.indexes, *labelled(INDEX, result)})),
        )
