"""The growth of a file over active days, and a forecast of when it becomes due."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.due.ages import Activity, AgeReport
from learnings.core.entries.document import Size

GROWTH_WINDOW = 28
"""Active days over which growth is measured: four weeks, chosen and not measured."""


class BranchVersion(NamedTuple):
    """A version of a file on the branch: author date (ISO), size, commit, and path."""

    date: str
    size: Size
    commit: str = ""
    path: str = ""


class Forecast(NamedTuple):
    due_in_active_days: int
    because: str


def until_due(
    report: AgeReport, trigger: Forecast, *, waited: int = 0, short: bool = False
) -> Forecast | None:
    """Return when a file will be due, given when a trigger holds; None if no entry has an age.

    If fewer than `min-batch` entries are old enough by then, one old enough entry suffices after
    `starved-escalates-after` active days, of which `waited` have passed, except in a short file.
    """
    days, settings = trigger.due_in_active_days, report.settings
    missing = sorted(_days_until_old_enough(report))
    full = missing[settings.min_batch - 1] if len(missing) >= settings.min_batch else None
    if not missing or (short and full is None):
        return None
    if full is not None and full <= days:
        return trigger
    escalated = max(days + settings.starved_escalates_after - waited, missing[0])
    if full is not None and (short or full <= escalated):
        return Forecast(full, f"{trigger.because}, and {_are_old_enough(settings.min_batch)} then")
    if missing[0] == escalated:
        return Forecast(escalated, f"{trigger.because}, and {_are_old_enough(1)} then")
    too_few = f"too few entries for a batch of {settings.min_batch}"
    return Forecast(escalated, f"{trigger.because}, and {too_few} have waited long enough")


def _days_until_old_enough(report: AgeReport) -> Iterator[int]:
    """Yield the active days until each entry can take part, except escalated entries."""
    entries = report.candidates
    # Next to resting entries, the newest entries do not fill the batch.
    newest = report.newest if any(dated.rests for dated in entries) else ()
    for dated in (dated for dated in entries if dated.entry.identity not in newest):
        if dated.active_days is not None and dated.days_left is not None:
            yield max(0, report.settings.freshness - dated.active_days, dated.days_left)


def _are_old_enough(entries: int) -> str:
    return "an entry is old enough" if entries == 1 else f"{entries} entries are old enough"


def growth_per_day(activity: Activity, versions: Sequence[BranchVersion]) -> float:
    """Return the mean lines added per active day over the last 28, ignoring removed lines."""
    window = activity.days[-GROWTH_WINDOW:]
    known = [v for v in versions if activity.as_of and v.date <= activity.as_of]
    if not window or not known:
        return 0.0
    recent = [pair for pair in pairwise(known) if pair[0].date >= window[0]]
    added = sum(max(0, new.size.number - old.size.number) for new, old in recent)
    first = known[-1].date
    days = len(window) if first < window[0] else Activity(window).after(first)
    return added / days if days else 0.0


class SizeSeries(NamedTuple):
    """The lines of a file on its last active days, oldest first; `first` numbers the oldest day."""

    first: int
    lines: tuple[int, ...]
    as_of: str
    threshold: int


def first_day(activity: Activity, most: int) -> str | None:
    return activity.days[-most:][0] if activity.days else None


def size_series(
    activity: Activity, versions: Sequence[BranchVersion], *, threshold: int, most: int
) -> SizeSeries | None:
    """Return the sizes of a file on its last `most` active days; None for fewer than two.

    `versions` are newest first and reach back before the first of these days.
    """
    days = activity.days[-most:]
    start = len(activity.days) - len(days)
    first = min((version.date for version in versions), default="9999")
    shown = [(number, day) for number, day in enumerate(days, start + 1) if day >= first]
    if len(shown) < 2:
        return None
    lines = tuple(
        next((version.size.number for version in versions if version.date <= day), 0)
        for _, day in shown
    )
    return SizeSeries(shown[0][0], lines, days[-1], threshold)
