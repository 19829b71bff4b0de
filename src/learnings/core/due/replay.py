"""What the verdicts would have been over a history, and what the real consolidations found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.due.conditions import SIZE, STALENESS
from learnings.core.due.triggers import DUE, NOT_DUE, Verdict


class Evening(NamedTuple):
    """The verdict on the evening of an active day, with the numbers it rests on."""

    day: str
    commit: str
    verdict: str
    escalated: bool
    lines: int
    staleness: int | None
    batch: int


class Episode(NamedTuple):
    """A run of active days with the same verdict, not-due left out.

    active_days is their number: for due, how long consolidation was overdue in the end.
    """

    verdict: str
    first: str
    last: str
    active_days: int


class Found(NamedTuple):
    """A real consolidation, and the verdict on the evening of the active day before it.

    overdue counts the active days for which it was due then, the previous consolidation's own
    evening at the earliest; before is None where no evening lies between the two.
    """

    consolidation: Consolidation
    before: Evening | None
    overdue: int


class Replay(NamedTuple):
    """A file's verdicts over history: evenings, episodes and consolidations, all ascending."""

    file: str
    evenings: tuple[Evening, ...]
    episodes: tuple[Episode, ...]
    consolidations: tuple[Found, ...]


def evening(day: str, commit: str, verdict: Verdict) -> Evening:
    """Return what a replay keeps of a verdict."""
    values = {condition.name: condition.value for condition in verdict.conditions}
    return Evening(
        day=day,
        commit=commit,
        verdict=verdict.verdict,
        escalated=verdict.escalated,
        lines=values[SIZE] or 0,
        staleness=values[STALENESS],
        batch=len(verdict.batch),
    )


def replay(
    file: str, evenings: Sequence[Evening], consolidations: Iterable[Consolidation]
) -> Replay:
    """Join evenings to episodes and set each consolidation beside the evening before it."""
    ordered = sorted(consolidations, key=lambda consolidation: consolidation.date)
    before = ("", *(each.date for each in ordered))
    found = tuple(_found(*pair, evenings) for pair in zip(ordered, before, strict=False))
    return Replay(file, tuple(evenings), tuple(_episodes(evenings)), found)


def _episodes(evenings: Sequence[Evening]) -> Iterator[Episode]:
    for verdict, group in groupby(evenings, key=lambda each: each.verdict):
        days = [each.day for each in group]
        if verdict != NOT_DUE:
            yield Episode(verdict, days[0], days[-1], len(days))


def _found(consolidation: Consolidation, previous: str, evenings: Sequence[Evening]) -> Found:
    """Look at the evenings from the previous consolidation's on, up to the one before this."""
    earlier = [each for each in evenings if previous <= each.day < consolidation.date]
    overdue = 0
    for each in reversed(earlier):
        if each.verdict != DUE:
            break
        overdue += 1
    return Found(consolidation, earlier[-1] if earlier else None, overdue)
