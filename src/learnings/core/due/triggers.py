"""Should consolidation start, and what should take part: numbers in, a verdict with reasons out.

Two separate tests. The trigger decides whether: the file has `size-trigger` lines, or
`staleness-trigger` active days have passed since its last consolidation. Freshness decides what:
an entry takes part when it is `freshness` active days old. Below `min-batch` such entries the
verdict is `starved`, and after `starved-escalates-after` active days of that `due` all the same,
unless no entry is old enough: nothing is due with an empty batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from learnings.core.due.ages import AgeReport, EntryAge
from learnings.core.due.conditions import BATCH, SIZE, STALENESS, Condition, measure, select_batch
from learnings.core.due.forecast import GROWTH_WINDOW, Forecast, Version, until_due, until_trigger
from learnings.core.due.situation import Situation, situation_of
from learnings.core.due.waiting import (
    DailyState,
    Departure,
    daily_states,
    due_since,
    starved_since,
)
from learnings.core.settings.values import FileSettings
from learnings.core.text import counted

DUE, NOT_DUE, STARVED = "due", "not-due", "starved"


class Verdict(NamedTuple):
    """What to do about a file.

    batch holds the entries to consolidate, oldest first, whatever the verdict. starved_since is
    the first active day since the last consolidation on which a trigger held with too small a
    batch, for a file that still waits or has escalated; due_since the day on which a file became
    due. switched_off says that `due = false` keeps the verdict at not-due.
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

    @property
    def first_fresh_in(self) -> int | None:
        """In how many active days an entry is old enough; None where no entry has an age."""
        ages = [e.active_days for e in self.report.entries if e.active_days is not None]
        return max(0, self.report.freshness - max(ages)) if ages else None

    @property
    def lower_bound(self) -> bool:
        """True if the history is incomplete, so that ages and staleness are lower bounds."""
        return self.report.history.shallow


class Decision(NamedTuple):
    """A verdict with its conditions, and nothing that it can be explained with.

    starved_since is as in Verdict, waited the number of active days after it.
    """

    verdict: str
    conditions: tuple[Condition, ...]
    escalated: bool = False
    starved_since: str | None = None
    waited: int = 0


def past_needed_since(report: AgeReport, settings: FileSettings) -> str | None:
    """Return the date from which judge() has to know how the file was; None for none.

    Growth is measured over a window of active days; a file for which a trigger holds is followed
    from its last consolidation on, or from its first entry.
    """
    days = report.history.activity.days
    if not days:
        return None
    window = days[-GROWTH_WINDOW:][0]
    situation = situation_of(report, keep_recent=settings.keep_recent)
    if not _is_triggered(situation, measure(situation, settings), settings):
        return window
    return min(window, situation.counting_from or window)


def is_triggered(report: AgeReport, settings: FileSettings) -> bool:
    """Return True if a trigger holds for a file that has entries and is not switched off."""
    situation = situation_of(report, keep_recent=settings.keep_recent)
    return _is_triggered(situation, measure(situation, settings), settings)


def _is_triggered(
    situation: Situation, conditions: Sequence[Condition], settings: FileSettings
) -> bool:
    has_subject = settings.due and situation.contents.identities
    return bool(has_subject) and any(c.met for c in conditions if c.name != BATCH)


def decide(
    situation: Situation, settings: FileSettings, states: Iterable[DailyState] = ()
) -> Decision:
    """Return the verdict on a file in a situation.

    states are what daily_states() gives; they are looked at as far as needed, and where a trigger
    holds with too small a batch only.
    """
    conditions = measure(situation, settings)
    if not _is_triggered(situation, conditions, settings):
        return Decision(NOT_DUE, conditions)
    batch, activity = conditions[-1], situation.activity
    if batch.met:
        return Decision(DUE, conditions)
    # Text that is not committed yet is no older than the newest day.
    since = starved_since(states, settings) or activity.as_of
    waited = activity.after(since) if since else 0
    escalated = bool(batch.value) and waited >= settings.starved_escalates_after
    return Decision(DUE if escalated else STARVED, conditions, escalated, since, waited)


def judge(
    report: AgeReport,
    settings: FileSettings,
    versions: Sequence[Version] = (),
    departures: Sequence[Departure] = (),
) -> Verdict:
    """Return the verdict on a file.

    versions are those the branch had, newest first, as far back as past_needed_since() says;
    departures the entries that left the file since then, needed where a trigger holds.
    """
    situation = situation_of(report, keep_recent=settings.keep_recent)
    states = partial(daily_states, situation, settings, versions, departures)
    decision = decide(situation, settings, states())
    since = None
    if decision.verdict == DUE:
        since = due_since([*states()], settings) or situation.activity.as_of
    return Verdict(
        report,
        decision.verdict,
        decision.conditions,
        select_batch(report, settings),
        decision.escalated,
        decision.starved_since,
        _forecast(report, settings, decision, versions) if settings.due else None,
        switched_off=not settings.due,
        due_since=since,
    )


def _forecast(
    report: AgeReport, settings: FileSettings, decision: Decision, versions: Sequence[Version]
) -> Forecast | None:
    if decision.verdict == NOT_DUE:
        trigger = until_trigger(report, decision.conditions, versions)
        return trigger and until_due(report, settings, trigger)
    if decision.verdict == STARVED:
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
