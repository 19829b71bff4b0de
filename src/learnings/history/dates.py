"""Author dates as git prints them: imported and damaged histories have some that are none.

A day that cannot be used sorts after all others, so that it counts no more than that of a clock
that is ahead.
"""

from __future__ import annotations

from learnings.core.due.ages import LATEST
from learnings.core.patterns import lazy_pattern

# A date as git's `%as` prints it, the year with four digits or more. Where the author line is
# missing or damaged git prints nothing, or `%as` itself.
_DATE = lazy_pattern(r"(\d{4,})-\d{2}-\d{2}")
_FOUR_DIGITS = 4
# From here on git takes a zone for +0000.
_LARGEST_ZONE = 2**31 - 1
# Seconds; git cannot represent more.
_LARGEST_TIME = 2**62


def day_of(printed: str) -> str:
    """Return the day that git printed, ISO text; LATEST for one later than the year 9999.

    Empty where the commit has no author date that can be read.
    """
    match = _DATE.fullmatch(printed)
    if match is None:
        return ""
    return printed if len(match[1]) == _FOUR_DIGITS else LATEST


def raw_day(printed: str) -> str:
    """Return the same for a time as git prints it with `--date=raw`: seconds and zone.

    For a time before 1970 in its own zone, and for some far ahead, git dies instead of printing a
    date.
    """
    seconds, _, zone = printed.partition(" ")
    return author_day(seconds, zone)


def usable_day(printed: str) -> str:
    """Return the same as raw_day(), with LATEST for a date that cannot be read."""
    return raw_day(printed) or LATEST


def author_day(seconds: bytes | str, zone: bytes | str) -> str:
    """Return the calendar date in the author's own time zone, as day_of() of git's `%as`.

    seconds are since 1970 in UTC; zone is git's decimal form, -0800 for eight hours behind UTC.
    Both are as git stores them.
    """
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415  (1 ms; dates in the cache are ready)

    try:
        time, shift = int(seconds), int(zone)
    except ValueError:
        return ""
    hours, minutes = divmod(abs(shift) if abs(shift) < _LARGEST_ZONE else 0, 100)
    ahead = 60 * (60 * hours + minutes)
    try:
        local = timedelta(seconds=time + (ahead if shift >= 0 else -ahead))
        return day_of((datetime(1970, 1, 1, tzinfo=UTC) + local).date().isoformat())
    except OverflowError:
        return LATEST if 0 < time < _LARGEST_TIME else ""
