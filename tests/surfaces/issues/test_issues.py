"""Issues as the API describes them."""

from __future__ import annotations

import pytest

from learnings.surfaces.github.platform import GITHUB
from learnings.surfaces.issues.issues import Body, Issue, Marker, body_text, snoozed_until


@pytest.mark.parametrize(
    ("labels", "until"),
    [
        ((), ""),
        (("snooze",), ""),
        (("snooze:soon",), ""),
        (("snooze:2026-05-01", "snooze:2026-06-01", "snooze:2026-04-01"), "2026-06-01"),
        (("snooze: 2026-05-01",), "2026-05-01"),
        (("snooze:2026-05-01x",), ""),
        (("Snooze:2026-05-01",), "2026-05-01"),
        (("snooze:2026-99-99", "snooze:2026-02-30"), ""),
        (("snooze:٢٠٢٦-٠٥-٠١",), ""),
    ],
)
def test_until_when_an_issue_is_snoozed(labels: tuple[str, ...], until: str) -> None:
    assert snoozed_until(labels) == until


def test_only_issues_with_our_marker_are_issues() -> None:
    parts = Body(Marker("a.md", "d"), "task", "\n")
    body = body_text(parts)
    document = {"number": 3, "state": "open", "state_reason": None, "labels": ["a", {"name": "b"}]}
    issue = GITHUB.as_issue(document | {"body": body})
    assert issue == Issue(
        3, "open", None, ("a", "b"), Body(Marker("a.md", "d"), "task", "\n"), body
    )
    assert GITHUB.as_issue(document | {"body": "by hand"}) is None
    assert GITHUB.as_issue(document | {"body": None}) is None
    assert GITHUB.as_issue(document | {"body": body, "pull_request": {}}) is None
