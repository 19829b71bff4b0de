"""The verdict: whether a consolidation should start, and with which entries.

A trigger, such as the size, decides whether to consolidate; freshness decides which entries take
part. In an oversize file all entries do. With fewer than `min-batch` entries the verdict is
`starved`, and after `starved-escalates-after` active days `due`, unless no entry is old enough.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import NamedTuple

from learnings.core.due.ages import (
    LATEST,
    NO_ACTIVITY,
    Activity,
    AgeReport,
    Consolidation,
    EntryAge,
    with_text,
)
from learnings.core.due.forecast import (
    GROWTH_WINDOW,
    BranchVersion,
    Forecast,
    growth_per_day,
    until_due,
)
from learnings.core.entries.document import Size
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import counted

DUE, NOT_DUE, STARVED = "due", "not-due", "starved"


class State(NamedTuple):
    """A memory at the end of its newest active day: all that a verdict on it depends on.

    entries are those with text, oldest first; newest has the identities of the newest
    `keep-recent` of them.
    """

    size: Size
    entries: tuple[EntryAge, ...]
    newest: frozenset[str]
    settings: FileSettings
    activity: Activity = NO_ACTIVITY
    consolidation: Consolidation | None = None

    @property
    def counting_from(self) -> str | None:
        """The date from which staleness counts: without a consolidation that of the first entry."""
        if self.consolidation is not None:
            return self.consolidation.date
        return min(filter(None, (dated.origin.moment for dated in self.entries)), default=None)

    def is_old(self, dated: EntryAge, active_days: int) -> bool:
        """Return True if an entry is known to be so old; uncommitted ones have 0 active days."""
        moment = dated.origin.moment
        return bool(moment) and self.activity.after(moment) >= active_days


class Condition(NamedTuple):
    """A value and its threshold; value is None if unknown, known is False for a substitute.

    unit is that of a size: `line`.
    """

    name: str
    value: int | None
    threshold: int
    known: bool = True
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.value is not None and self.value >= self.threshold

    @property
    def distance(self) -> int | None:
        return None if self.value is None else max(0, self.threshold - self.value)


TRIGGERS = ("size", "staleness")
"""The names of the conditions that start a consolidation."""


class Conditions(NamedTuple):
    """The conditions of a memory on a day, today or in the past.

    A trigger starts a consolidation, batch and oversize decide whether there is one to make. In a
    short memory, of at most `soft-limit` lines and below the size trigger, no entry waits for a
    batch.
    """

    size: Condition
    staleness: Condition
    batch: Condition
    oversize: Condition
    short: bool

    @property
    def triggers(self) -> tuple[Condition, ...]:
        return tuple(getattr(self, name) for name in TRIGGERS)

    @property
    def listed(self) -> tuple[Condition, ...]:
        """All conditions, the triggers first."""
        return (*self.triggers, self.batch, self.oversize)

    @property
    def triggered(self) -> bool:
        return any(trigger.met for trigger in self.triggers)

    @property
    def verdict(self) -> str:
        """The verdict of such a day, before it escalates."""
        if not self.triggered:
            return NOT_DUE
        if self.batch.met or self.oversize.met:
            return DUE
        return NOT_DUE if self.short else STARVED


CONDITIONS = (*TRIGGERS, "batch", "oversize")
"""The names of the conditions, as they are listed."""


def conditions_of(
    settings: FileSettings, *, size: Size, stale: int | None, batch: int, consolidated: bool
) -> Conditions:
    """Return the conditions of a day: its size, active days, and entries old enough."""
    lines, unit = size
    most = settings.size_trigger
    return Conditions(
        Condition("size", lines, most, unit=unit),
        Condition("staleness", stale, settings.staleness_trigger, consolidated),
        Condition("batch", batch, settings.min_batch),
        Condition("oversize", lines, settings.oversize * most, unit=unit),
        short=lines < most and lines <= settings.soft_limit,
    )


def measure(state: State) -> Conditions:
    """Return the conditions of a state; staleness starts at the oldest entry if need be."""
    since = state.counting_from
    return conditions_of(
        state.settings,
        size=state.size,
        stale=None if since is None else state.activity.after(since),
        batch=len(select_batch(state)),
        consolidated=state.consolidation is not None,
    )


def select_batch(state: State, *, any_age: bool = False) -> tuple[EntryAge, ...]:
    """Return the entries that take part, oldest first: the old enough ones, or those of any age.

    The newest `keep-recent` entries only fill a batch of old entries up to `min-batch`. Resting
    entries count towards it, so that the newest entries do not follow a judged batch.
    """
    freshness, min_batch = state.settings.freshness, state.settings.min_batch
    entries = [one for one in state.entries if any_age or state.is_old(one, freshness)]
    awake = [dated for dated in entries if not dated.rests]
    recent = [dated for dated in awake if dated.entry.identity in state.newest]
    kept, resting = len(awake) - len(recent), len(entries) - len(awake)
    more = 0 if any_age else max(0, min_batch - kept - resting)
    out = {dated.entry.identity for dated in recent[more:]}
    return tuple(dated for dated in awake if dated.entry.identity not in out)


class Departure(NamedTuple):
    identity: str
    added: str
    removed: str


class Day(NamedTuple):
    """An active day (ISO) and the conditions at its end."""

    day: str
    conditions: Conditions


class _EntryStay(NamedTuple):
    """The active days (from 1) on which an entry arrived, could take part, and left."""

    added: int
    old_enough: int
    removed: int


def days_since_consolidation(
    state: State, versions: Sequence[BranchVersion], departures: Iterable[Departure] = ()
) -> Iterator[Day]:
    """Yield each active day since the last consolidation, ascending."""
    days, last = state.activity.days, state.consolidation
    stays = sorted(_stays(state, departures))
    sizes = _sizes_by_day(days, versions)
    fresh = sorted(stay.old_enough for stay in stays)
    removed = sorted(max(stay.old_enough, stay.removed) for stay in stays)
    first = 1 if last is None else bisect_left(days, last.date) + 1
    consolidated = None if last is None else bisect_right(days, last.date)
    for number in range(first, len(days) + 1):
        start = consolidated
        if start is None:  # arrival of the oldest entry of that day
            start = next((stay.added for stay in stays if number < stay.removed), number + 1)
        if start <= number:
            conditions = conditions_of(
                state.settings,
                size=sizes[number - 1],
                stale=number - start,
                batch=bisect_right(fresh, number) - bisect_right(removed, number),
                consolidated=last is not None,
            )
            yield Day(days[number - 1], conditions)


def due_since(days: Iterable[Day], settings: FileSettings) -> str | None:
    """Return the day since which the file has been due without a break, or None."""
    since = first_starved = None
    for number, (day, conditions) in enumerate(days):
        is_starved = conditions.verdict == STARVED
        if first_starved is None and is_starved:
            first_starved = number
        waited = -1 if first_starved is None else number - first_starved
        escalated = waited >= settings.starved_escalates_after and bool(conditions.batch.value)
        if conditions.verdict == NOT_DUE or (is_starved and not escalated):
            since = None
        elif since is None:
            since = day
    return since


def _stays(state: State, departures: Iterable[Departure]) -> Iterator[_EntryStay]:
    days, settings = state.activity.days, state.settings
    after = len(days) + 1
    for dated in state.entries:
        if not dated.origin.moment or dated.origin.moment == LATEST:
            continue
        added, rests_until = bisect_right(days, dated.origin.moment), 0
        if dated.days_left is None:
            rests_until = after
        elif dated.decision:
            rests_until = bisect_right(days, dated.decision.date) + settings.keep_days
        yield _EntryStay(added, max(added + settings.freshness, rests_until), after)
    present = {dated.entry.identity for dated in state.entries}
    for departure in departures:
        if departure.identity not in present and days and departure.removed <= days[-1]:
            added, removed = (
                bisect_right(days, departure.added),
                bisect_left(days, departure.removed) + 1,
            )
            yield _EntryStay(added, added + settings.freshness, removed)


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
    """The verdict on a file, why, and the batch, oldest first; see Outcome.

    due_since is the first day of the days on which the file has been due without a break.
    """

    report: AgeReport
    verdict: str
    conditions: Conditions
    escalated: bool
    starved_since: str | None
    is_oversize: bool
    batch: tuple[EntryAge, ...]
    forecast: Forecast | None
    due_since: str | None

    @property
    def switched_off(self) -> bool:
        """True with `due = false`."""
        return not self.report.settings.due

    @property
    def rests(self) -> bool:
        """Whether a trigger holds, but earlier decisions keep all entries that could leave."""
        triggered = self.verdict == NOT_DUE and self.conditions.triggered
        return triggered and bool(self.report.resting) and not self.switched_off

    @property
    def first_fresh_in(self) -> int | None:
        """The active days until an entry is old enough, or None without ages."""
        ages = [e.active_days for e in self.report.candidates if e.active_days is not None]
        return max(0, self.report.settings.freshness - max(ages)) if ages else None


def past_needed(report: AgeReport) -> tuple[str | None, bool]:
    """Return the date from which judge() needs versions, or None, and if it needs departures."""
    state = _state(report)
    is_needed = _is_triggered(state, measure(state))
    window = next(iter(state.activity.days[-GROWTH_WINDOW:]), None)
    since = state.counting_from if is_needed else None
    return (min(window, since) if window and since else window), is_needed


def _state(report: AgeReport) -> State:
    return State(
        report.document.size,
        with_text(report.oldest_first),
        report.newest,
        report.settings,
        report.activity,
        report.consolidation,
    )


def _is_triggered(state: State, conditions: Conditions) -> bool:
    return state.settings.due and bool(state.entries) and conditions.triggered


def decide(
    state: State, versions: Sequence[BranchVersion] = (), departures: Sequence[Departure] = ()
) -> Outcome:
    """Decide on a state; in a starved file, versions and departures say since when it is."""
    conditions, settings = measure(state), state.settings
    if not _is_triggered(state, conditions):
        return Outcome(NOT_DUE, conditions)
    batch, is_oversize = conditions.batch, conditions.oversize.met
    if batch.met:
        return Outcome(DUE, conditions)
    if is_oversize and select_batch(state, any_age=True):
        return Outcome(DUE, conditions, is_oversize=True)
    youngest = 0 if is_oversize else settings.freshness
    rested = any(dated.rests and state.is_old(dated, youngest) for dated in state.entries)
    if conditions.short or (rested and not batch.value):
        return Outcome(NOT_DUE, conditions)
    days = days_since_consolidation(state, versions, departures)
    # Uncommitted text is not older than the newest day.
    since = next((d.day for d in days if d.conditions.verdict == STARVED), state.activity.as_of)
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
    outcome = decide(state, versions, departures)
    since = None
    if outcome.verdict == DUE:
        days = days_since_consolidation(state, versions, departures)
        since = due_since(days, settings) or state.activity.as_of
    return Verdict(
        report,
        outcome.verdict,
        outcome.conditions,
        outcome.escalated,
        outcome.starved_since,
        outcome.is_oversize,
        select_batch(state, any_age=outcome.is_oversize),
        _forecast(report, outcome, versions) if settings.due else None,
        since,
    )


def _forecast(
    report: AgeReport, outcome: Outcome, versions: Sequence[BranchVersion]
) -> Forecast | None:
    conditions = outcome.conditions
    if outcome.verdict == NOT_DUE and not conditions.triggered:
        return _until_triggered(report, conditions, versions)
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


def _until_triggered(
    report: AgeReport, conditions: Conditions, versions: Sequence[BranchVersion]
) -> Forecast | None:
    """Return when a file without a trigger will be due, by growth or by days; None if unknown."""
    growth = growth_per_day(report.activity, versions)
    forecasts = []
    for trigger in (one for one in conditions.triggers if one.distance is not None):
        unit, distance = trigger.unit, trigger.distance or 0
        if unit and unit == conditions.size.unit and growth > 0:
            needed = f"{counted(distance, unit)} to {trigger.threshold}"
            because = f"{needed} at {growth:.1f} {unit}s per active day"
            forecasts.append(until_due(report, Forecast(ceil(distance / growth), because)))
        elif not unit:
            days = counted(trigger.threshold, "active day")
            by_days = Forecast(distance, f"{days} without a consolidation by then")
            forecasts.append(until_due(report, by_days, short=conditions.short))
    known = [forecast for forecast in forecasts if forecast]
    return min(known, key=lambda forecast: forecast.due_in_active_days, default=None)
