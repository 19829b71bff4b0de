"""Time stamps of files, read as instants."""

from __future__ import annotations

from datetime import UTC, datetime


def instant_of(text: object) -> datetime | None:
    """Return an ISO time stamp as an instant in UTC, or None if it is invalid.

    A date without a time means midnight; a time without an offset is UTC.
    """
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
