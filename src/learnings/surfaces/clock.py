"""The one place that asks what day it is."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from learnings.core.errors import UsageProblem


def tomorrow() -> str:
    """Return tomorrow's date in UTC, ISO text: no time zone's clock is honestly ahead of it."""
    return (datetime.now(UTC).date() + timedelta(days=1)).isoformat()


def parse_date(text: str) -> str:
    """Return an ISO date given on the command line; raises UsageProblem for anything else."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise UsageProblem(f"{text} is no date; write it as YYYY-MM-DD") from error
