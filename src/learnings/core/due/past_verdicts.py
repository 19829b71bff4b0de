"""What the verdicts would have been over a history, and what each real consolidation found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from learnings.core.cost import Cost
from learnings.core.due.ages import Consolidation
from learnings.core.due.conditions import BATCH, SIZE, STALENESS
from learnings.core.due.verdicts import DUE, NOT_DUE, BareVerdict


class DailyVerdict(NamedTuple):
    """The verdict at the end of an active day, with the numbers it rests on.

    day is ISO text, commit the newest one of that day. lines and batch are numbers of lines and
    entries, staleness one of active days; None where nothing is known to count from. words and
    tokens are what the file cost, the latter estimated.
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
    """A run of active days with the same verdict, not-due left out.

    active_days is their number: for due, how long consolidation was overdue in the end.
    """

    verdict: str
    first: str
    last: str
    active_days: int


class ReplayedConsolidation(NamedTuple):
    """A real consolidation, and the verdict on the active day before it.

    overdue is the number of active days for which it was due then, counted from the day of the
    previous consolidation at the earliest. before is None where no day lies between the two.
    """

    consolidation: Consolidation
    before: DailyVerdict | None
    overdue: int


class Replay(NamedTuple):
    """A file's verdicts over history: days, episodes and consolidations, all ascending.

    lower_bound says that the history is incomplete, so that batch, staleness and the days overdue
    are lower bounds; notes are sentences on what is special about it.
    """

    file: str
    daily_verdicts: tuple[DailyVerdict, ...]
    episodes: tuple[Episode, ...]
    consolidations: tuple[ReplayedConsolidation, ...]
    lower_bound: bool = False
    notes: tuple[str, ...] = ()


def daily_verdict(day: str, commit: str, decision: BareVerdict, cost: Cost) -> DailyVerdict:
    """Return what a replay keeps of a verdict on a text with its cost."""
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
    """Join days to episodes and set each consolidation beside the verdict before it.

    daily_verdicts ascend by day; consolidations come in any order.
    """
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
    """Look at the days from the previous consolidation on, up to the one before this."""
    earlier = [daily for daily in daily_verdicts if previous <= daily.day < consolidation.date]
    overdue = 0
    for daily in reversed(earlier):
        if daily.verdict != DUE:
            break
        overdue += 1
    return ReplayedConsolidation(consolidation, earlier[-1] if earlier else None, overdue)
