"""Should consolidation start, and what should take part: numbers in, a verdict with reasons out.

Two separate tests. The trigger decides whether: the file has `size-trigger` lines, or
`staleness-trigger` active days have passed since its last consolidation. Freshness decides what:
an entry takes part when it is `freshness` active days old. Below `min-batch` such entries the
verdict is `starved`, and after `starved-escalates-after` active days of that, `due` all the same.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.due.ages import AgeReport, EntryAge
from learnings.core.due.conditions import BATCH, SIZE, STALENESS, Condition, measure, select_batch
from learnings.core.due.forecast import GROWTH_WINDOW, Forecast, Version, until_batch, until_trigger
from learnings.core.settings.values import FileSettings

DUE, NOT_DUE, STARVED = "due", "not-due", "starved"


class Verdict(NamedTuple):
    """What to do about a file.

    batch holds the entries to consolidate, oldest first, whatever the verdict. starved_since is
    the active day since which a trigger has held with too small a batch. switched_off says that
    `due = false` keeps the verdict at not-due.
    """

    report: AgeReport
    verdict: str
    conditions: tuple[Condition, ...]
    batch: tuple[EntryAge, ...]
    escalated: bool = False
    starved_since: str | None = None
    forecast: Forecast | None = None
    switched_off: bool = False

    @property
    def triggered(self) -> bool:
        """True if a trigger holds, whatever the batch."""
        return any(c.met for c in self.conditions if c.name != BATCH)

    @property
    def lower_bound(self) -> bool:
        """True if the history is incomplete, so that ages and staleness are lower bounds."""
        return self.report.history.shallow


def versions_needed_since(report: AgeReport, settings: FileSettings) -> str | None:
    """Return the date from which judge() has to know the versions of the file; None for none.

    Growth is measured over a window of active days; a starved file is followed from its last
    consolidation on, or from its first entry.
    """
    days = report.history.activity.days
    if not days:
        return None
    window = days[-GROWTH_WINDOW:][0]
    conditions = measure(report, settings)
    if not _is_starved(conditions):
        return window
    return min(window, _counting_from(report) or window)


def judge(report: AgeReport, settings: FileSettings, versions: Sequence[Version] = ()) -> Verdict:
    """Return the verdict on a file.

    versions are those the branch had, newest first, as far back as versions_needed_since() says.
    """
    conditions = measure(report, settings)
    batch = select_batch(report, settings)
    if not settings.due:
        return Verdict(report, NOT_DUE, conditions, batch, switched_off=True)
    if not any(c.met for c in conditions if c.name != BATCH):
        forecast = until_trigger(report, conditions, versions)
        return Verdict(report, NOT_DUE, conditions, batch, forecast=forecast)
    if not _is_starved(conditions):
        now = Forecast(0, _because_due(conditions))
        return Verdict(report, DUE, conditions, batch, forecast=now)
    return _starved(report, settings, conditions, batch, versions)


def _is_starved(conditions: Sequence[Condition]) -> bool:
    *triggers, batch = conditions
    return any(c.met for c in triggers) and not batch.met


def _starved(
    report: AgeReport,
    settings: FileSettings,
    conditions: tuple[Condition, ...],
    batch: tuple[EntryAge, ...],
    versions: Sequence[Version],
) -> Verdict:
    activity = report.history.activity
    since = next(_starved_days(report, settings, versions), activity.as_of)
    waited = activity.after(since) if since else 0
    if waited >= settings.starved_escalates_after:
        because = f"too few entries were old enough for {waited} active days"
        return Verdict(
            report,
            DUE,
            conditions,
            batch,
            escalated=True,
            starved_since=since,
            forecast=Forecast(0, because),
        )
    forecast = until_batch(report, settings, waited)
    return Verdict(report, STARVED, conditions, batch, starved_since=since, forecast=forecast)


def _starved_days(
    report: AgeReport, settings: FileSettings, versions: Sequence[Version]
) -> Iterator[str]:
    """Give the active days since the last consolidation on which the file was starved.

    No entry has left the file since then, so its entries on a day are today's that were there.
    """
    days = report.history.activity.days
    start = _counting_from(report)
    if start is None:
        return
    added = sorted(
        e.origin.date for e in report.entries if e.origin.date and not e.entry.superseded
    )
    for number, day in enumerate(days, start=1):
        if day < start:
            continue
        lines = next((v.lines for v in versions if v.date <= day), 0)
        stale = number - bisect_right(days, start) >= settings.staleness_trigger
        eligible = sum(1 for d in added if number - bisect_right(days, d) >= settings.freshness)
        if (stale or lines >= settings.size_trigger) and eligible < settings.min_batch:
            yield day


def _counting_from(report: AgeReport) -> str | None:
    """Return the day staleness counts from: the last consolidation, else the oldest entry."""
    last = report.history.consolidation
    if last is not None:
        return last.date
    return min((e.origin.date for e in report.entries if e.origin.date), default=None)


def _because_due(conditions: Sequence[Condition]) -> str:
    reasons = {
        SIZE: "the file has {value} lines",
        STALENESS: "{value} active days without consolidation",
    }
    return " and ".join(
        reasons[c.name].format(value=c.value) for c in conditions if c.met and c.name in reasons
    )
