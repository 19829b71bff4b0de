"""The clock of a run, and dates and times given by the user."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from learnings.core.errors import UsageProblem
from learnings.core.text import quoted_if_empty

if TYPE_CHECKING:
    from datetime import datetime


_ISO_DATE = "%Y-%m-%d"
_DAY = 24 * 60 * 60  # seconds


class Clock:
    """The current date and time, read from the system; the only place that does so.

    A clock that is `set_to` a wall time, such as `2026-03-11T14:05:00`, stands still there.
    """

    def __init__(self, set_to: str | None = None) -> None:
        """Raise UsageProblem for a text that is no time."""
        self._set_to = None if set_to is None else self.local_time(set_to).timestamp()

    def tomorrow(self) -> str:
        """Return tomorrow's date in UTC (ISO): no time zone has a later date now."""
        now = time.time() if self._set_to is None else self._set_to
        return time.strftime(_ISO_DATE, time.gmtime(now + _DAY))

    def today(self) -> str:
        """Return the local date (ISO): the author date of a commit made now."""
        return time.strftime(_ISO_DATE, time.localtime(self._set_to))

    def moment(self) -> str:
        """Return the current time for people: `2026-03-11 14:05 UTC`."""
        return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(self._set_to))

    def local_time(self, text: str | None) -> datetime:
        """Return a wall time such as `2026-03-11T14:05:00`; None means now. Raises UsageProblem."""
        from datetime import datetime  # noqa: PLC0415  (1 ms, and most commands only need the date)

        if text is None:
            return datetime.now().astimezone().replace(tzinfo=None, microsecond=0)
        try:
            return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")  # noqa: DTZ007  (wall time)
        except ValueError as error:
            raise UsageProblem(
                f"{quoted_if_empty(text)} is not a time; write it as YYYY-MM-DDTHH:MM:SS"
            ) from error

    def instant(self, text: str | None) -> datetime:
        """Return an ISO 8601 instant (UTC without offset); None means now. Raises UsageProblem."""
        from datetime import UTC, datetime  # noqa: PLC0415  (as above)

        if text is None:
            return datetime.now(UTC)
        try:
            moment = datetime.fromisoformat(text)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError) as error:
            raise UsageProblem(
                f"{quoted_if_empty(text)} is not an instant; write it as 2026-02-12T14:30:00Z"
            ) from error


def parse_date(text: str) -> str:
    """Return an ISO date given on the command line; raises UsageProblem for anything else."""
    from datetime import date  # noqa: PLC0415  (as above)

    try:
        day = date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageProblem(
            f"{quoted_if_empty(text)} is not a date; write it as YYYY-MM-DD"
        ) from error
    if day != text:  # Python also reads 20260311 and 2026-W11-3
        raise UsageProblem(f"{text} is not a date in the expected form; write {day}")
    return day
