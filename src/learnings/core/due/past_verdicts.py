"""Verdicts replayed over a history, beside the consolidations that really happened."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from learnings.core.cost import Cost
from learnings.core.due.ages import Consolidation
from learnings.core.due.conditions import BATCH, SIZE, STALENESS
from learnings.core.due.verdicts import DUE, NOT_DUE, BareVerdict


class DailyVerdict(NamedTuple):
    """The verdict at the end of an active day (ISO) and its numbers.

    commit is the newest of that day; lines, batch, words and tokens are counts, staleness is in
    active days or None if nothing counts from a day.
    """

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
    """A run of active days with the same verdict; there is none for not-due."""

    verdict: str
    first: str
    last: str
    active_days: int


class ReplayedConsolidation(NamedTuple):
    """A consolidation, the verdict on the day before, and how long it was due by then."""

    consolidation: Consolidation
    before: DailyVerdict | None
    overdue: int


class Replay(NamedTuple):
    """Verdicts of a file over its history, ascending.

    lower_bound: the history is incomplete, so batch, staleness and overdue days are at least these.
    notes are sentences about special circumstances.
    """

    file: str
    daily_verdicts: tuple[DailyVerdict, ...]
    episodes: tuple[Episode, ...]
    consolidations: tuple[ReplayedConsolidation, ...]
    lower_bound: bool = False
    notes: tuple[str, ...] = ()


def daily_verdict(day: str, commit: str, decision: BareVerdict, cost: Cost) -> DailyVerdict:
    values = {condition.name: condition.value for condition in decision.conditions}
    return DailyVerdict(
        day=day,
        commit=commit,
        verdict=decision.verdict,
        escalated=decision.escalated,
        lines=values[SIZE] or 0,
        staleness=values[STALENESS],
        batch=values[BATCH] or 0,
        words=cost.words,
        tokens=cost.tokens,
    )


def replay(
    file: str, daily_verdicts: Sequence[DailyVerdict], consolidations: Iterable[Consolidation]
) -> Replay:
    """Join ascending days to episodes and pair each consolidation with the verdict before it."""
    ordered = sorted(consolidations, key=lambda consolidation: consolidation.date)
    previous = ("", *(consolidation.date for consolidation in ordered))
    replayed = tuple(
        _replayed(consolidation, date, daily_verdicts)
        for consolidation, date in zip(ordered, previous, strict=False)
    )
    return Replay(file, tuple(daily_verdicts), tuple(_episodes(daily_verdicts)), replayed)


def _episodes(daily_verdicts: Sequence[DailyVerdict]) -> Iterator[Episode]:
    for verdict, group in groupby(daily_verdicts, key=lambda daily: daily.verdict):
        days = [daily.day for daily in group]
        if verdict != NOT_DUE:
            yield Episode(verdict, days[0], days[-1], len(days))


def _replayed(
    consolidation: Consolidation, previous: str, daily_verdicts: Sequence[DailyVerdict]
) -> ReplayedConsolidation:
    earlier = [daily for daily in daily_verdicts if previous <= daily.day < consolidation.date]
    overdue = 0
    for daily in reversed(earlier):
        if daily.verdict != DUE:
            break
        overdue += 1
    return ReplayedConsolidation(consolidation, earlier[-1] if earlier else None, overdue)
