"""Verdicts replayed over a history, next to the real consolidations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from learnings.core.cost import Cost
from learnings.core.due.ages import Consolidation
from learnings.core.due.verdicts import DUE, NOT_DUE, Outcome


class DailyVerdict(NamedTuple):
    """The verdict at the end of an active day (ISO), its newest commit, and the numbers."""

    day: str
    commit: str
    verdict: str
    escalated: bool
    lines: int
    staleness: int | None
    batch: int
    words: int = 0
    tokens: int = 0


class Episode(NamedTuple):
    verdict: str
    first: str
    last: str
    active_days: int


class ReplayedConsolidation(NamedTuple):
    """A consolidation, the verdict on the day before, and how long it had been due."""

    consolidation: Consolidation
    before: DailyVerdict | None
    overdue: int


class Replay(NamedTuple):
    """The verdicts of a file over its history, ascending; lower_bound if incomplete."""

    file: str
    daily_verdicts: tuple[DailyVerdict, ...]
    episodes: tuple[Episode, ...]
    consolidations: tuple[ReplayedConsolidation, ...]
    lower_bound: bool = False
    notes: tuple[str, ...] = ()


def daily_verdict(day: str, commit: str, outcome: Outcome, cost: Cost) -> DailyVerdict:
    conditions = outcome.conditions
    return DailyVerdict(
        day=day,
        commit=commit,
        verdict=outcome.verdict,
        escalated=outcome.escalated,
        lines=conditions.size.value or 0,
        staleness=conditions.staleness.value,
        batch=conditions.batch.value or 0,
        words=cost.words,
        tokens=cost.tokens,
    )


def replay(
    file: str, daily_verdicts: Sequence[DailyVerdict], consolidations: Iterable[Consolidation]
) -> Replay:
    """Join ascending days to episodes and pair each consolidation with the verdict before it."""
    ordered = sorted(consolidations, key=lambda consolidation: consolidation.date)
    previous = ("", *(consolidation.date for consolidation in ordered))
    replayed = []
    for consolidation, start in zip(ordered, previous, strict=False):
        earlier = [daily for daily in daily_verdicts if start <= daily.day < consolidation.date]
        due = [*takewhile(lambda daily: daily.verdict == DUE, reversed(earlier))]
        before = earlier[-1] if earlier else None
        replayed.append(ReplayedConsolidation(consolidation, before, len(due)))
    groups = groupby(daily_verdicts, key=lambda daily: daily.verdict)
    runs = [(verdict, [daily.day for daily in group]) for verdict, group in groups]
    episodes = tuple(
        Episode(verdict, days[0], days[-1], len(days))
        for verdict, days in runs
        if verdict != NOT_DUE
    )
    return Replay(file, tuple(daily_verdicts), episodes, tuple(replayed))
