"""Issues of ours as GitHub tells of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from learnings.surfaces.github.marker import Body, read

OPEN, CLOSED = "open", "closed"
COMPLETED, DUPLICATE = "completed", "duplicate"
_SNOOZE = re.compile(r"snooze: ?(\d{4}-\d{2}-\d{2})", flags=re.ASCII | re.IGNORECASE)


class Issue(NamedTuple):
    """An issue with our label; reason is why it was closed, body its parts where it is ours."""

    number: int
    state: str
    reason: str | None
    labels: tuple[str, ...]
    body: Body


def as_issue(document: Mapping[str, Any]) -> Issue | None:
    """An issue as GitHub tells of it; None for a pull request and for what is not ours."""
    body = read(document.get("body"))
    if body is None or "pull_request" in document:
        return None
    labels = [each if isinstance(each, str) else each["name"] for each in document["labels"]]
    return Issue(
        number=document["number"],
        state=document["state"],
        reason=document.get("state_reason"),
        labels=tuple(labels),
        body=body,
    )


def snoozed_until(labels: Sequence[str]) -> str:
    """The last day that a label `snooze:YYYY-MM-DD` names; empty where there is none."""
    found = (_SNOOZE.fullmatch(each) for each in labels)
    return max((each[1] for each in found if each and _is_day(each[1])), default="")


def _is_day(text: str) -> bool:
    """Whether there is such a day: one like the 99th of a month would never come."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
