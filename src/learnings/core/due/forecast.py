"""When a file that is not due will be, if it goes on as it did."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from learnings.core.due.ages import Activity, AgeReport
from learnings.core.due.conditions import Condition
from learnings.core.settings.values import FileSettings
from learnings.core.text import counted

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
    """Return when the nearer trigger will hold: by the growth so far, or by the days that pass.

    None for a file without entries, where neither can be said.
    """
    size, staleness, _ = conditions
    forecasts = []
    growth = growth_per_day(report.history.activity, versions)
    if growth > 0 and size.distance is not None:
        lines = f"{counted(size.distance, 'line')} to {size.threshold}"
        by_size = f"{lines} at {growth:.1f} lines an active day"
        forecasts.append(Forecast(ceil(size.distance / growth), by_size))
    if staleness.distance is not None:
        days = counted(staleness.threshold, "active day")
        forecasts.append(Forecast(staleness.distance, f"{days} without consolidation by then"))
    return min(forecasts, key=lambda forecast: forecast.due_in_active_days, default=None)


def until_due(
    report: AgeReport, settings: FileSettings, trigger: Forecast, *, waited: int = 0
) -> Forecast | None:
    """Return when a file will be due of which is known when a trigger holds.

    By then `min-batch` of its entries have to be old enough, or one if the file has been starved
    for `starved-escalates-after` active days; waited are those it has been so far. Entries that are
    yet to come are not counted on. None where no entry has an age.
    """
    days = trigger.due_in_active_days
    ages = [e.active_days for e in report.oldest_first if e.active_days is not None]
    missing = [max(0, settings.freshness - age) for age in ages]
    if not missing:
        return None
    full = missing[settings.min_batch - 1] if len(missing) >= settings.min_batch else None
    if full is not None and full <= days:
        return trigger
    escalated = max(days + settings.starved_escalates_after - waited, missing[0])
    if full is not None and full <= escalated:
        return Forecast(full, f"{trigger.because}, and {_are_old_enough(settings.min_batch)} then")
    if missing[0] == escalated:
        return Forecast(escalated, f"{trigger.because}, and {_are_old_enough(1)} then")
    too_few = f"too few entries for a batch of {settings.min_batch}"
    return Forecast(escalated, f"{trigger.because}, and {too_few} have waited long enough")


def _are_old_enough(entries: int) -> str:
    return "an entry is old enough" if entries == 1 else f"{entries} entries are old enough"


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
