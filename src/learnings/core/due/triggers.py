"""Should consolidation start, and what should take part: numbers in, a verdict with reasons out.

Two separate tests. The trigger decides whether: the file has `size-trigger` lines, or
`staleness-trigger` active days have passed since its last consolidation. Freshness decides what:
an entry takes part when it is `freshness` active days old. Below `min-batch` such entries the
verdict is `starved`, and after `starved-escalates-after` active days of that `due` all the same,
unless no entry is old enough: nothing is due with an empty batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.due.ages import AgeReport, EntryAge
from learnings.core.due.conditions import BATCH, SIZE, STALENESS, Condition, measure, select_batch
from learnings.core.due.forecast import GROWTH_WINDOW, Forecast, Version, until_due, until_trigger
from learnings.core.due.waiting import (
    Departure,
    counting_from,
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


def past_needed_since(report: AgeReport, settings: FileSettings) -> str | None:
    """Return the date from which judge() has to know how the file was; None for none.

    Growth is measured over a window of active days; a file for which a trigger holds is followed
    from its last consolidation on, or from its first entry.
    """
    days = report.history.activity.days
    if not days:
        return None
    window = days[-GROWTH_WINDOW:][0]
    if not is_triggered(report, settings):
        return window
    return min(window, counting_from(report) or window)


def is_triggered(report: AgeReport, settings: FileSettings) -> bool:
    """Return True if a trigger holds for a file that has entries and is not switched off."""
    has_subject = settings.due and report.entries
    return bool(has_subject) and any(c.met for c in measure(report, settings) if c.name != BATCH)


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
    conditions = measure(report, settings)
    batch = select_batch(report, settings)
    if not settings.due:
        return Verdict(report, NOT_DUE, conditions, batch, switched_off=True)
    if not is_triggered(report, settings):
        trigger = until_trigger(report, conditions, versions)
        forecast = trigger and until_due(report, settings, trigger)
        return Verdict(report, NOT_DUE, conditions, batch, forecast=forecast)
    states = daily_states(report, settings, versions, departures)
    # Text that is not committed yet is no older than the newest day.
    today = report.history.activity.as_of
    if conditions[-1].met:
        now = Forecast(0, _because_due(conditions))
        since = due_since(states, settings) or today
        return Verdict(report, DUE, conditions, batch, forecast=now, due_since=since)
    starved = Verdict(report, STARVED, conditions, batch)
    since = starved_since(states, settings) or today
    waited = report.history.activity.after(since) if since else 0
    if batch and waited >= settings.starved_escalates_after:
        because = f"too few entries were old enough for {counted(waited, 'active day')}"
        return starved._replace(
            verdict=DUE,
            escalated=True,
            starved_since=since,
            forecast=Forecast(0, because),
            due_since=due_since(states, settings) or today,
        )
    now = Forecast(0, "a trigger holds")
    forecast = until_due(report, settings, now, waited=waited)
    return starved._replace(starved_since=since, forecast=forecast)


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
