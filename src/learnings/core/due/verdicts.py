"""Should a consolidation start, and which entries should it take? Numbers in, a verdict out.

Two separate tests. The trigger decides whether: the file has `size-trigger` lines, or
`staleness-trigger` active days have passed since its last consolidation. Freshness decides what:
an entry takes part when it is `freshness` active days old, and entries of any age take part in a
file that is `oversize` times as long as the size trigger. Below `min-batch` such entries the
verdict is `starved`, and after `starved-escalates-after` active days of that `due` all the same,
unless no entry is old enough: nothing is due with an empty batch.
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
    """An entry that left the file: its identity, and the dates of both ends, ISO text."""

    identity: str
    added: str
    removed: str


class DailyState(NamedTuple):
    """An active day: if a trigger held at its end, and how many entries were old enough.

    oversize says that the file was too long to wait for them.
    """

    day: str
    triggered: bool
    eligible: int
    oversize: bool = False


class _EntryStay(NamedTuple):
    """The first active day on which an entry was in the file, and the first on which it was not.

    Days are numbered from 1; an entry that is still there is removed on the day after the newest.
    rests_until is the first day on which no decision keeps it out of the batch.
    """

    added: int
    removed: int
    rests_until: int = 0

    def old_enough(self, freshness: int) -> int:
        """Return the day from which on it can take part."""
        return max(self.added + freshness, self.rests_until)


def daily_states(
    situation: Situation,
    settings: FileSettings,
    versions: Sequence[BranchVersion],
    departures: Iterable[Departure] = (),
) -> Iterator[DailyState]:
    """Yield the state of a file at the end of each active day since its last consolidation.

    versions are those of the branch, newest first. departures are the entries that left since
    then; the others are those of the situation.
    """
    days, last = situation.activity.days, situation.consolidation
    stays = sorted(_stays(situation, settings, departures))
    lines = _lines_by_day(days, versions)
    fresh = sorted(stay.old_enough(settings.freshness) for stay in stays)
    removed = sorted(max(stay.old_enough(settings.freshness), stay.removed) for stay in stays)
    first = 1 if last is None else bisect_left(days, last.date) + 1
    consolidated = None if last is None else bisect_right(days, last.date)
    for number in range(first, len(days) + 1):
        start = _oldest(stays, number) if consolidated is None else consolidated
        if start is not None:
            stale = number - start >= settings.staleness_trigger
            eligible = bisect_right(fresh, number) - bisect_right(removed, number)
            triggered = stale or lines[number - 1] >= settings.size_trigger
            oversize = lines[number - 1] >= settings.oversize * settings.size_trigger
            yield DailyState(days[number - 1], triggered, eligible, oversize)


def starved_since(states: Iterable[DailyState], settings: FileSettings) -> str | None:
    """Return the first day on which a trigger held and the batch was too small; None for none."""
    starved = (
        s.day for s in states if s.triggered and s.eligible < settings.min_batch and not s.oversize
    )
    return next(starved, None)


def due_since(states: Sequence[DailyState], settings: FileSettings) -> str | None:
    """Return the day since which the file has been due without a break; None if it is not."""
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
    """Yield when each entry was in the file; those that left after the newest day are in it."""
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


def _oldest(stays: Sequence[_EntryStay], number: int) -> int | None:
    """Return the day on which the oldest of the entries was added that a day has; None if none.

    stays ascend by the day on which they begin.
    """
    oldest = next((stay.added for stay in stays if number < stay.removed), None)
    return oldest if oldest is not None and oldest <= number else None


def _lines_by_day(days: Sequence[str], versions: Sequence[BranchVersion]) -> list[int]:
    """Return the lines of the newest version at the end of each day; 0 before the first one.

    Versions are in the order of the branch, which is not always that of their dates.
    """
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
    """An entry that is in no batch because of a decision.

    days_left are the active days until it can take part again; None for an escalated one.
    """

    entry_age: EntryAge
    decision: Decision
    days_left: int | None


class Verdict(NamedTuple):
    """What to do about a file.

    batch holds the entries to consolidate, oldest first, whatever the verdict. starved_since is
    the first active day since the last consolidation on which a trigger held with too small a
    batch, for a file that still waits or has escalated; due_since the day on which a file became
    due. is_oversize says that entries of any age take part, switched_off that `due = false` keeps
    the verdict at not-due. resting are the entries
    that an earlier consolidation decided about, oldest first.
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
        """True if a trigger holds, and only decisions keep the file from being due."""
        triggered = any(c.met for c in self.conditions if c.name != BATCH)
        return self.verdict == NOT_DUE and triggered and not self.switched_off

    @property
    def first_fresh_in(self) -> int | None:
        """In how many active days an entry is old enough; None where no entry has an age."""
        ages = [e.active_days for e in self.report.entries if e.active_days is not None]
        return max(0, self.report.freshness - max(ages)) if ages else None

    @property
    def lower_bound(self) -> bool:
        """True if the history is incomplete, so that ages and staleness are lower bounds."""
        return self.report.history.shallow


class BareVerdict(NamedTuple):
    """A verdict with its conditions, and nothing that it can be explained with.

    starved_since and is_oversize are as in Verdict, waited the number of active days after
    starved_since.
    """

    verdict: str
    conditions: tuple[Condition, ...]
    escalated: bool = False
    starved_since: str | None = None
    waited: int = 0
    is_oversize: bool = False


def past_needed_since(report: AgeReport, settings: FileSettings) -> str | None:
    """Return the date from which judge() has to know how the file was; None for none.

    Growth is measured over a window of active days; a file for which a trigger holds is followed
    from its last consolidation on, or from its first entry.
    """
    days = report.history.activity.days
    if not days:
        return None
    window = days[-GROWTH_WINDOW:][0]
    situation = situation_of(report, settings)
    if not _is_triggered(situation, measure(situation, settings), settings):
        return window
    return min(window, situation.counting_from or window)


def is_triggered(report: AgeReport, settings: FileSettings) -> bool:
    """Return True if a trigger holds for a file that has entries and is not switched off."""
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
    """Return the verdict on a file in a situation.

    states are what daily_states() gives; they are looked at as far as needed, and where a trigger
    holds with too small a batch only.
    """
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
    # Text that is not committed yet is no older than the newest day.
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
    """Return the verdict on a file.

    versions are those the branch had, newest first, as far back as past_needed_since() says;
    departures the entries that left the file since then, needed where a trigger holds.
    """
    situation = situation_of(report, settings)
    states = partial(daily_states, situation, settings, versions, departures)
    decision = decide(situation, settings, states())
    since = None
    if decision.verdict == DUE:
        since = due_since([*states()], settings) or situation.activity.as_of
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
        resting=tuple(_resting(report, settings)),
        is_oversize=decision.is_oversize,
    )


def _resting(report: AgeReport, settings: FileSettings) -> Iterator[RestingEntry]:
    decisions = resting_decisions(report, settings)
    for entry_age in report.oldest_first:
        decision = decisions.get(entry_age.entry.identity)
        if decision is not None:
            rested = report.history.activity.after(decision.date)
            left = None if decision.kind == ESCALATED else settings.keep_days - rested
            yield RestingEntry(entry_age, decision, left)


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
    return Forecast(0, _because_due(decision.conditions))


def _because_due(conditions: Sequence[Condition]) -> str:
    reasons = {
        SIZE: "the file has {value}",
        STALENESS: "{value} without consolidation",
    }
    units = {SIZE: "line", STALENESS: "active day"}
    return " and ".join(
        reasons[c.name].format(value=counted(c.value or 0, units[c.name]))
        for c in conditions
        if c.met and c.name in reasons
    )
