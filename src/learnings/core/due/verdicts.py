"""The verdict: whether a consolidation should start, and with which entries.

A trigger (size or staleness) decides whether to consolidate; freshness decides which entries take
part. In an oversize file all entries do. With fewer than `min-batch` entries the verdict is
`starved`, and after `starved-escalates-after` active days `due`, unless no entry is old enough.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from learnings.core.due.ages import LATEST, AgeReport, EntryAge
from learnings.core.due.conditions import (
    Conditions,
    State,
    conditions_of,
    measure,
    select_batch,
    state_of,
)
from learnings.core.due.forecast import (
    GROWTH_WINDOW,
    BranchVersion,
    Forecast,
    until_due,
    until_triggered,
)
from learnings.core.entries.document import Size
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import counted


class Departure(NamedTuple):
    identity: str
    added: str
    removed: str


class Day(NamedTuple):
    """An active day (ISO) and the conditions at its end."""

    day: str
    conditions: Conditions


class _EntryStay(NamedTuple):
    """The active days (from 1) on which an entry arrived, left, and stopped resting."""

    added: int
    removed: int
    rests_until: int = 0

    def old_enough(self, freshness: int) -> int:
        """Return the first day on which the entry can take part."""
        return max(self.added + freshness, self.rests_until)


def days_since_consolidation(
    state: State,
    settings: FileSettings,
    versions: Sequence[BranchVersion],
    departures: Iterable[Departure] = (),
) -> Iterator[Day]:
    """Yield each active day since the last consolidation, ascending."""
    days, last = state.activity.days, state.consolidation
    stays = sorted(_stays(state, settings, departures))
    sizes = _sizes_by_day(days, versions)
    fresh = sorted(stay.old_enough(settings.freshness) for stay in stays)
    removed = sorted(max(stay.old_enough(settings.freshness), stay.removed) for stay in stays)
    first = 1 if last is None else bisect_left(days, last.date) + 1
    consolidated = None if last is None else bisect_right(days, last.date)
    for number in range(first, len(days) + 1):
        start = consolidated
        if start is None:  # arrival of the oldest entry of that day
            start = next((stay.added for stay in stays if number < stay.removed), number + 1)
        if start <= number:
            conditions = conditions_of(
                settings,
                size=sizes[number - 1],
                stale=number - start,
                batch=bisect_right(fresh, number) - bisect_right(removed, number),
                consolidated=last is not None,
            )
            yield Day(days[number - 1], conditions)


def starved_since(days: Iterable[Day]) -> str | None:
    """Return the first day on which a trigger held with too small a batch, or None."""
    return next((day for day, conditions in days if conditions.starved), None)


def due_since(days: Sequence[Day], settings: FileSettings) -> str | None:
    """Return the day since which the file has been due without a break, or None."""
    first_starved = starved_since(days)
    dates = [day for day, _ in days]
    since = None
    for number, (day, conditions) in enumerate(days, start=1):
        waited = -1 if first_starved is None else number - bisect_right(dates, first_starved)
        escalated = waited >= settings.starved_escalates_after and bool(conditions.batch.value)
        if not (conditions.ready or (conditions.starved and escalated)):
            since = None
        elif since is None:
            since = day
    return since


def _stays(
    state: State, settings: FileSettings, departures: Iterable[Departure]
) -> Iterator[_EntryStay]:
    days = state.activity.days
    after = len(days) + 1
    rests = [rest for rest in state.rests if rest.added != LATEST]
    open_ones = Counter(state.committed) - Counter(rest.added for rest in rests)
    for date in open_ones.elements():
        yield _EntryStay(bisect_right(days, date), after)
    for rest in rests:
        decided = bisect_right(days, rest.decided)
        until = after if rest.decided == LATEST else decided + settings.keep_days
        yield _EntryStay(bisect_right(days, rest.added), after, until)
    for departure in departures:
        if departure.identity not in state.identities and days and departure.removed <= days[-1]:
            removed = bisect_left(days, departure.removed) + 1
            yield _EntryStay(bisect_right(days, departure.added), removed)


def _sizes_by_day(days: Sequence[str], versions: Sequence[BranchVersion]) -> list[Size]:
    """Return the size at the end of each day; versions are in branch order."""
    by_date = sorted((version.date, -age) for age, version in enumerate(versions))
    sizes = []
    newest, position = -len(versions), 0
    for day in days:
        while position < len(by_date) and by_date[position][0] <= day:
            newest = max(newest, by_date[position][1])
            position += 1
        sizes.append(versions[-newest].size if -newest < len(versions) else Size())
    return sizes


DUE, NOT_DUE, STARVED = "due", "not-due", "starved"


class Outcome(NamedTuple):
    """What the conditions of a day lead to.

    starved_since is the first day since the last consolidation on which a trigger held with too
    small a batch, waited the number of active days after it. is_oversize: entries of any age take
    part.
    """

    verdict: str
    conditions: Conditions
    escalated: bool = False
    starved_since: str | None = None
    waited: int = 0
    is_oversize: bool = False


class Verdict(NamedTuple):
    """The verdict on a file, its conditions, and the batch, oldest first; see Outcome.

    due_since is the first day of the days on which the file has been due without a break.
    switched_off: `due = false`.
    """

    report: AgeReport
    outcome: Outcome
    batch: tuple[EntryAge, ...]
    forecast: Forecast | None = None
    switched_off: bool = False
    due_since: str | None = None

    @property
    def verdict(self) -> str:
        return self.outcome.verdict

    @property
    def conditions(self) -> Conditions:
        return self.outcome.conditions

    @property
    def rests(self) -> bool:
        """Whether a trigger holds, but earlier decisions keep all entries that could leave."""
        triggered = self.verdict == NOT_DUE and self.conditions.triggered
        return triggered and bool(self.report.resting) and not self.switched_off

    @property
    def first_fresh_in(self) -> int | None:
        """The active days until an entry is old enough, or None without ages."""
        ages = [e.active_days for e in self.report.candidates if e.active_days is not None]
        return max(0, self.report.freshness - max(ages)) if ages else None

    @property
    def lower_bound(self) -> bool:
        return self.report.shallow


def past_needed(report: AgeReport) -> tuple[str | None, bool]:
    """Return the date from which judge() needs versions, or None, and if it needs departures."""
    state, settings = _state(report), report.settings
    is_needed = _is_triggered(state, measure(state, settings), settings)
    window = next(iter(state.activity.days[-GROWTH_WINDOW:]), None)
    since = state.counting_from if is_needed else None
    return (min(window, since) if window and since else window), is_needed


def _state(report: AgeReport) -> State:
    return state_of(
        report.document.size,
        report.entries,
        report.settings,
        activity=report.activity,
        consolidation=report.consolidation,
    )


def _is_triggered(state: State, conditions: Conditions, settings: FileSettings) -> bool:
    return settings.due and bool(state.identities) and conditions.triggered


def decide(state: State, settings: FileSettings, days: Iterable[Day] = ()) -> Outcome:
    """Decide on a state; read the days since the last consolidation only in a starved file."""
    conditions = measure(state, settings)
    if not _is_triggered(state, conditions, settings):
        return Outcome(NOT_DUE, conditions)
    batch = conditions.batch
    if batch.met:
        return Outcome(DUE, conditions)
    if conditions.oversize.met and state.open_entries:
        return Outcome(DUE, conditions, is_oversize=True)
    youngest = 0 if conditions.oversize.met else settings.freshness
    rested = state.activity.count_fresh(state.resting, youngest)
    if conditions.short or (rested and not batch.value):
        return Outcome(NOT_DUE, conditions)
    # Uncommitted text is not older than the newest day.
    since = starved_since(days) or state.activity.as_of
    waited = state.activity.after(since) if since else 0
    escalated = bool(batch.value) and waited >= settings.starved_escalates_after
    return Outcome(DUE if escalated else STARVED, conditions, escalated, since, waited)


def judge(
    report: AgeReport,
    versions: Sequence[BranchVersion] = (),
    departures: Sequence[Departure] = (),
) -> Verdict:
    """Return the verdict; versions are newest first and are those that past_needed() asks for."""
    state, settings = _state(report), report.settings
    days = partial(days_since_consolidation, state, settings, versions, departures)
    outcome = decide(state, settings, days())
    since = None
    if outcome.verdict == DUE:
        since = due_since([*days()], settings) or state.activity.as_of
    return Verdict(
        report,
        outcome,
        select_batch(report, any_age=outcome.is_oversize),
        _forecast(report, outcome, versions) if settings.due else None,
        switched_off=not settings.due,
        due_since=since,
    )


def _forecast(
    report: AgeReport, outcome: Outcome, versions: Sequence[BranchVersion]
) -> Forecast | None:
    conditions = outcome.conditions
    if outcome.verdict == NOT_DUE and not conditions.triggered:
        return until_triggered(report, conditions, versions)
    if outcome.verdict in (NOT_DUE, STARVED):
        now = Forecast(0, "a trigger holds")
        return until_due(report, now, waited=outcome.waited, short=conditions.short)
    if outcome.escalated:
        waited = counted(outcome.waited, "active day")
        return Forecast(0, f"too few entries were old enough for {waited}")
    what = "folder" if report.is_folder else "file"
    reasons = (
        f"the {what} has {counted(trigger.value or 0, trigger.unit)}"
        if trigger.unit
        else f"{counted(trigger.value or 0, 'active day')} without a consolidation"
        for trigger in conditions.triggers
        if trigger.met
    )
    return Forecast(0, " and ".join(reasons))
