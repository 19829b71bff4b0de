"""The size of a file over active days, as a series of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.due.ages import Activity
from learnings.core.due.forecast import Version


class Growth(NamedTuple):
    """The lines of a file at the end of each of its last active days, oldest first.

    first is the number of the oldest of these days among all active days, from 1; as_of is the
    date of the newest. threshold is the number of lines at which consolidation is due.
    """

    first: int
    lines: tuple[int, ...]
    as_of: str
    threshold: int


def first_day(activity: Activity, most: int) -> str | None:
    """Return the first of the last `most` active days, None without any.

    From that day on the versions of a file are needed for growth().
    """
    return activity.days[-most:][0] if activity.days else None


def growth(
    activity: Activity, versions: Sequence[Version], *, threshold: int, most: int
) -> Growth | None:
    """Follow a file over its last `most` active days; None with fewer than two days to show.

    versions are those of the branch, newest first, back to before the first of these days.
    """
    days = activity.days[-most:]
    start = len(activity.days) - len(days)
    first = min((version.date for version in versions), default="9999")
    shown = [(number, day) for number, day in enumerate(days, start + 1) if day >= first]
    if len(shown) < 2:
        return None
    lines = tuple(_lines_on(day, versions) for _, day in shown)
    return Growth(shown[0][0], lines, days[-1], threshold)


def _lines_on(day: str, versions: Sequence[Version]) -> int:
    return next((version.lines for version in versions if version.date <= day), 0)
