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
    BATCH,
    SIZE,
    STALENESS,
    Condition,
    Situation,
    entries_of_any_age,
    measure,
    resting_decisions,
    select_batch,
    situation_of,
)
from learnings.core.due.forecast import (
    GROWTH_WINDOW,
    BranchVersion,
    Forecast,
    until_due,
    until_trigger,
)
from learnings.core.entries.decisions import ESCALATED, Decision
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import counted


class Departure(NamedTuple):
    identity: str
    added: str
    removed: str


class DailyState(NamedTuple):
    """An active day: whether a trigger held at its end, and the number of old enough entries."""

    day: str
    triggered: bool
    eligible: int
    oversize: bool = False


class _EntryStay(NamedTuple):
    """The active days (from 1) on which an entry arrived, left, and stopped resting."""

    added: int
    removed: int
    rests_until: int = 0

    def old_enough(self, freshness: int) -> int:
        """Return the first day on which the entry can take part."""
        return max(self.added + freshness, self.rests_until)


def daily_states(
    situation: Situation,
    settings: FileSettings,
    versions: Sequence[BranchVersion],
    departures: Iterable[Departure] = (),
) -> Iterator[DailyState]:
    """Yield the state at the end of each active day since the last consolidation."""
    days, last = situation.activity.days, situation.consolidation
    stays = sorted(_stays(situation, settings, departures))
    lines = _lines_by_day(days, versions)
    fresh = sorted(stay.old_enough(settings.freshness) for stay in stays)
    removed = sorted(max(stay.old_enough(settings.freshness), stay.removed) for stay in stays)
    first = 1 if last is None else bisect_left(days, last.date) + 1
    consolidated = None if last is None else bisect_right(days, last.date)
    for number in range(first, len(days) + 1):
        start = consolidated
        if start is None:  # arrival of the oldest entry of that day
            start = next((stay.added for stay in stays if number < stay.removed), number + 1)
        if start <= number:
            stale = number - start >= settings.staleness_trigger
            eligible = bisect_right(fresh, number) - bisect_right(removed, number)
            triggered = stale or lines[number - 1] >= settings.size_trigger
            oversize = lines[number - 1] >= settings.oversize * settings.size_trigger
            yield DailyState(days[number - 1], triggered, eligible, oversize)


def starved_since(states: Iterable[DailyState], settings: FileSettings) -> str | None:
    """Return the first day on which a trigger held with too small a batch, or None."""
    starved = (
        s.day for s in states if s.triggered and s.eligible < settings.min_batch and not s.oversize
    )
    return next(starved, None)


def due_since(states: Sequence[DailyState], settings: FileSettings) -> str | None:
    """Return the day since which the file has been due without a break, or None."""
    first_starved = starved_since(states, settings)
    days = [state.day for state in states]
    since = None
    for number, state in enumerate(states, start=1):
        waited = -1 if first_starved is None else number - bisect_right(days, first_starved)
        needed = 1 if waited >= settings.starved_escalates_after else settings.min_batch
        if not state.triggered or (state.eligible < needed and not state.oversize):
            since = None
        elif since is None:
            since = state.day
    return since


def _stays(
    situation: Situation, settings: FileSettings, departures: Iterable[Departure]
) -> Iterator[_EntryStay]:
    days, contents = situation.activity.days, situation.contents
    after = len(days) + 1
    rests = [rest for rest in contents.rests if rest.added != LATEST]
    open_ones = Counter(contents.committed) - Counter(rest.added for rest in rests)
    for date in open_ones.elements():
        yield _EntryStay(bisect_right(days, date), after)
    for rest in rests:
        decided = bisect_right(days, rest.decided)
        until = after if rest.decided == LATEST else decided + settings.keep_days
        yield _EntryStay(bisect_right(days, rest.added), after, until)
    for departure in departures:
        if departure.identity not in contents.identities and days and departure.removed <= days[-1]:
            removed = bisect_left(days, departure.removed) + 1
            yield _EntryStay(bisect_right(days, departure.added), removed)


def _lines_by_day(days: Sequence[str], versions: Sequence[BranchVersion]) -> list[int]:
    """Return the number of lines at the end of each day; versions are in branch order."""
    by_date = sorted((version.date, -age) for age, version in enumerate(versions))
    lines = []
    newest, position = -len(versions), 0
    for day in days:
        while position < len(by_date) and by_date[position][0] <= day:
            newest = max(newest, by_date[position][1])
            position += 1
        lines.append(versions[-newest].lines if -newest < len(versions) else 0)
    return lines


DUE, NOT_DUE, STARVED = "due", "not-due", "starved"


class RestingEntry(NamedTuple):
    """An entry that a decision keeps out for days_left active days (None: it was escalated)."""

    entry_age: EntryAge
    decision: Decision
    days_left: int | None


class Verdict(NamedTuple):
    """The verdict on a file, its conditions, and the batch, oldest first.

    starved_since is the first day since the last consolidation on which a trigger held with too
    small a batch. switched_off: `due = false`. is_oversize: entries of any age take part.
    """

    report: AgeReport
    verdict: str
    conditions: tuple[Condition, ...]
    batch: tuple[EntryAge, ...]
    escalated: bool = False
    starved_since: str | None = None
    forecast: Forecast | None = None
    switched_off: bool = False
    due_since: str | None = None
    resting: tuple[RestingEntry, ...] = ()
    is_oversize: bool = False

    @property
    def rests(self) -> bool:
        triggered = any(c.met for c in self.conditions if c.name != BATCH)
        return self.verdict == NOT_DUE and triggered and not self.switched_off

    @property
    def first_fresh_in(self) -> int | None:
        """The active days until an entry is old enough, or None without ages."""
        ages = [e.active_days for e in self.report.entries if e.active_days is not None]
        return max(0, self.report.freshness - max(ages)) if ages else None

    @property
    def lower_bound(self) -> bool:
        return self.report.history.shallow


class BareVerdict(NamedTuple):
    """A verdict with its conditions; waited is the number of active days after starved_since."""

    verdict: str
    conditions: tuple[Condition, ...]
    escalated: bool = False
    starved_since: str | None = None
    waited: int = 0
    is_oversize: bool = False


def past_needed_since(report: AgeReport, settings: FileSettings) -> str | None:
    """Return the date from which judge() needs versions and departures, or None."""
    days = report.history.activity.days
    if not days:
        return None
    window = days[-GROWTH_WINDOW:][0]
    if not is_triggered(report, settings):
        return window
    return min(window, situation_of(report, settings).counting_from or window)


def is_triggered(report: AgeReport, settings: FileSettings) -> bool:
    situation = situation_of(report, settings)
    return _is_triggered(situation, measure(situation, settings), settings)


def _is_triggered(
    situation: Situation, conditions: Sequence[Condition], settings: FileSettings
) -> bool:
    has_subject = settings.due and situation.contents.identities
    return bool(has_subject) and any(c.met for c in conditions if c.name != BATCH)


def decide(
    situation: Situation, settings: FileSettings, states: Iterable[DailyState] = ()
) -> BareVerdict:
    """Decide on a situation; read states only if a batch is too small."""
    conditions = measure(situation, settings)
    if not _is_triggered(situation, conditions, settings):
        return BareVerdict(NOT_DUE, conditions)
    _, _, batch, oversize = conditions
    activity, contents = situation.activity, situation.contents
    if batch.met:
        return BareVerdict(DUE, conditions)
    if oversize.met and contents.open_entries:
        return BareVerdict(DUE, conditions, is_oversize=True)
    fresh = situation.count_fresh(contents.resting, settings.freshness)
    if not batch.value and (fresh or (oversize.met and contents.resting)):
        return BareVerdict(NOT_DUE, conditions)
    # Uncommitted text is not older than the newest day.
    since = starved_since(states, settings) or activity.as_of
    waited = activity.after(since) if since else 0
    escalated = bool(batch.value) and waited >= settings.starved_escalates_after
    return BareVerdict(DUE if escalated else STARVED, conditions, escalated, since, waited)


def judge(
    report: AgeReport,
    settings: FileSettings,
    versions: Sequence[BranchVersion] = (),
    departures: Sequence[Departure] = (),
) -> Verdict:
    """Return the verdict; versions are newest first and reach back to past_needed_since()."""
    situation = situation_of(report, settings)
    states = partial(daily_states, situation, settings, versions, departures)
    decision = decide(situation, settings, states())
    since = None
    if decision.verdict == DUE:
        since = due_since([*states()], settings) or situation.activity.as_of
    resting = []
    decisions = resting_decisions(report, settings)
    for entry_age in report.oldest_first:
        decided = decisions.get(entry_age.entry.identity)
        if decided is not None:
            rested = report.history.activity.after(decided.date)
            left = None if decided.kind == ESCALATED else settings.keep_days - rested
            resting.append(RestingEntry(entry_age, decided, left))
    return Verdict(
        report,
        decision.verdict,
        decision.conditions,
        (entries_of_any_age if decision.is_oversize else select_batch)(report, settings),
        decision.escalated,
        decision.starved_since,
        _forecast(report, settings, decision, versions) if settings.due else None,
        switched_off=not settings.due,
        due_since=since,
        resting=tuple(resting),
        is_oversize=decision.is_oversize,
    )


def _forecast(
    report: AgeReport,
    settings: FileSettings,
    decision: BareVerdict,
    versions: Sequence[BranchVersion],
) -> Forecast | None:
    is_triggered = any(c.met for c in decision.conditions if c.name != BATCH)
    if decision.verdict == NOT_DUE and not is_triggered:
        trigger = until_trigger(report, decision.conditions, versions)
        return trigger and until_due(report, settings, trigger)
    if decision.verdict in (NOT_DUE, STARVED):
        now = Forecast(0, "a trigger holds")
        return until_due(report, settings, now, waited=decision.waited)
    if decision.escalated:
        waited = counted(decision.waited, "active day")
        return Forecast(0, f"too few entries were old enough for {waited}")
    values = {c.name: c.value or 0 for c in decision.conditions if c.met}
    reasons = []
    if SIZE in values:
        what = "folder" if report.is_folder else "file"
        size = counted(values[SIZE], report.document.size_unit)
        reasons.append(f"the {what} has {size}")
    if STALENESS in values:
        reasons.append(f"{counted(values[STALENESS], 'active day')} without a consolidation")
    return Forecast(0, " and ".join(reasons))
