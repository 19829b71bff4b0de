"""When a file that is not due will be, if it goes on as it did."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from learnings.core.due.ages import Activity, AgeReport
from learnings.core.due.conditions import Condition
from learnings.core.settings.values import FileSettings

GROWTH_WINDOW = 28
"""Active days over which the growth of a file is measured: four weeks, chosen and not measured."""


class Version(NamedTuple):
    """A version of a file on the branch: author date, lines, commit and the path it then had."""

    date: str
    lines: int
    commit: str = ""
    path: str = ""


class Forecast(NamedTuple):
    """In how many active days consolidation is due, and why then."""

    due_in_active_days: int
    because: str


def until_trigger(
    report: AgeReport, conditions: Sequence[Condition], versions: Sequence[Version]
) -> Forecast | None:
    """Return when the nearer trigger will hold, from the growth of the last active days.

    None where the file does not grow: nothing will have to be consolidated.
    """
    size, staleness, _ = conditions
    growth = growth_per_day(report.history.activity, versions)
    if growth <= 0 or size.distance is None:
        return None
    by_size = Forecast(
        ceil(size.distance / growth),
        f"{size.distance} lines to {size.threshold} at {growth:.1f} lines an active day",
    )
    if staleness.distance is None:
        return by_size
    by_age = Forecast(
        staleness.distance,
        f"{staleness.threshold} without consolidation are full then",
    )
    return min(by_size, by_age, key=lambda forecast: forecast.due_in_active_days)


def growth_per_day(activity: Activity, versions: Sequence[Version]) -> float:
    """Return the mean number of lines that an active day added, over the last 28 of them.

    Lines that a version removed are not subtracted: a consolidation is not negative growth. Where
    the file is younger than the window, the days since its first version count, and the lines of
    that version are not growth.
    """
    window = activity.days[-GROWTH_WINDOW:]
    known = [v for v in versions if activity.as_of and v.date <= activity.as_of]
    if not window or not known:
        return 0.0
    recent = [pair for pair in pairwise(known) if pair[0].date >= window[0]]
    added = sum(max(0, new.lines - old.lines) for new, old in recent)
    first = known[-1].date
    days = len(window) if first < window[0] else Activity(window).after(first)
    return added / days if days else 0.0


def until_batch(report: AgeReport, settings: FileSettings, waited: int) -> Forecast:
    """Return when a starved file will be due: the batch is complete, or the wait is over.

    waited is the number of active days since it has been starved.
    """
    escalation = Forecast(
        settings.starved_escalates_after - waited,
        "a trigger holds and too few entries get old enough before it escalates",
    )
    ages = [
        e.active_days
        for e in report.oldest_first
        if e.active_days is not None and not e.entry.superseded
    ]
    if len(ages) < settings.min_batch:
        return escalation
    missing = settings.freshness - ages[settings.min_batch - 1]
    complete = Forecast(
        max(0, missing), f"a trigger holds and {settings.min_batch} entries are old enough then"
    )
    return min(complete, escalation, key=lambda forecast: forecast.due_in_active_days)
