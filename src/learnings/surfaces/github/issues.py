"""The consolidation issues: as they are on GitHub, and as they should be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.surfaces.github.errors import not_github
from learnings.surfaces.github.marker import Body, read

OPEN, CLOSED = "open", "closed"
COMPLETED, DUPLICATE = "completed", "duplicate"
# A label as `snooze:2026-05-01` or `Snooze: 2026-05-01`; \d is for ASCII digits only.
_SNOOZE = lazy_pattern(r"snooze: ?(\d{4}-\d{2}-\d{2})", flags=re.ASCII | re.IGNORECASE)


class Issue(NamedTuple):
    """An issue with our label and marker; reason is why it was closed.

    body is what was read from the text of the issue, which may hold more than is read.
    """

    number: int
    state: str
    reason: str | None
    labels: tuple[str, ...]
    body: Body
    text: str


class DesiredIssue(NamedTuple):
    """What the issue about a file should be like now.

    text(room) gives the task in at most `room` characters; digest differs when the task differs.
    footer is what follows it, and is_footer tells that of an earlier run from other text.
    closing_comment says why consolidation is not due any more; is_cleared is True if no trigger
    holds. run is the number of this run, 0 outside of one.
    """

    file: str
    verdict: str
    title: str
    labels: tuple[str, ...]
    assignees: tuple[str, ...]
    text: Callable[[int], str]
    digest: str
    closing_comment: str
    is_cleared: bool
    today: str
    moment: str
    run: int = 0
    footer: str = ""
    is_footer: Callable[[str], bool] = lambda _text: False


def as_issue(document: Mapping[str, Any]) -> Issue | None:
    """Return an issue of the API; None for a pull request and for one without our marker.

    Raises GitHubError for one of another shape: to skip it could make a second issue for its file.
    """
    text = document.get("body")
    if not isinstance(text, str | None):
        raise not_github()
    body = read(text)
    if text is None or body is None or "pull_request" in document:
        return None
    number, state, reason = (document.get(key) for key in ("number", "state", "state_reason"))
    if type(number) is not int or state not in (OPEN, CLOSED) or not isinstance(reason, str | None):
        raise not_github()
    return Issue(number, state, reason, _labels(document.get("labels")), body, text)


def _labels(labels: object) -> tuple[str, ...]:
    """Return the names of labels, which are given as text or as objects; one may have no name."""
    if not isinstance(labels, list) or not all(isinstance(row, str | dict) for row in labels):
        raise not_github()
    names = (label if isinstance(label, str) else label.get("name") for label in labels)
    return tuple(name for name in names if isinstance(name, str))


def snoozed_until(labels: Sequence[str]) -> str:
    """Return the last day that a label `snooze:YYYY-MM-DD` names; empty where none does."""
    matches = filter(None, map(_SNOOZE.fullmatch, labels))
    return max((match[1] for match in matches if _is_day(match[1])), default="")


def _is_day(text: str) -> bool:
    """Return True if there is such a day: one like the 99th of a month would never come."""
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
