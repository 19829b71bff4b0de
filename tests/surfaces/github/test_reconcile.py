"""What is to be done with the issues of a file: each state against each verdict."""

from __future__ import annotations

import pytest

from learnings.core.due.triggers import DUE, NOT_DUE, STARVED
from learnings.surfaces.github.issues import Issue, as_issue, snoozed_until
from learnings.surfaces.github.marker import Body, Marker, read, written
from learnings.surfaces.github.reconcile import (
    Change,
    Comment,
    Create,
    Decision,
    DesiredIssue,
    orphans,
    reconcile,
)

FILE = "a.md"
ROOM = 65_536
WISH = DesiredIssue(
    file=FILE,
    verdict=DUE,
    title="Consolidate a.md",
    labels=(),
    assignees=(),
    ours=lambda room: f"task in {room}",
    digest="new",
    cleared="Not due.",
    over=False,
    today="2026-05-01",
    moment="2026-05-01 09:00 UTC",
    run=7,
)
CALM = WISH._replace(verdict=NOT_DUE, over=True)
HUNGRY = WISH._replace(verdict=STARVED)


def issue(
    number: int = 5,
    state: str = "open",
    reason: str | None = None,
    *,
    labels: tuple[str, ...] = ("learnings",),
    notes: str = "\nmine",
    **marker: object,
) -> Issue:
    told = {"file": FILE, "digest": "old", "run": 3, "since": "then", **marker}
    return Issue(number, state, reason, labels, Body(Marker(**told), "old task", notes))  # type: ignore[arg-type]


def does(decision: Decision) -> list[str]:
    """Return the steps in short."""
    found = []
    for step in decision.steps:
        match step:
            case Create():
                found.append("create")
            case Comment():
                found.append(f"comment #{step.issue.number}")
            case Change(state=None):
                found.append(f"change #{step.issue.number}")
            case Change():
                found.append(f"{step.state} #{step.issue.number} {step.reason or ''}".strip())
    return found


@pytest.mark.parametrize(
    ("found", "desired", "steps"),
    [
        ([], WISH, ["create"]),
        ([], CALM, []),
        ([], HUNGRY, []),
        ([issue(file="b.md")], WISH, ["create"]),
        ([issue()], WISH, ["change #5"]),
        ([issue(digest="new")], WISH, []),
        ([issue(run=7)], WISH, ["change #5"]),
        ([issue(run=8)], WISH, []),
        ([issue(run=8)], CALM, []),
        ([issue(run=8)], WISH._replace(run=0), ["change #5"]),
        ([issue()], CALM, ["comment #5", "closed #5 completed"]),
        ([issue(digest="new")], CALM, ["comment #5", "closed #5 completed"]),
        ([issue()], HUNGRY, ["comment #5", "closed #5 completed"]),
        ([issue(5, "closed", "completed")], WISH, ["open #5"]),
        ([issue(5, "closed", "completed", digest="new")], WISH, ["open #5"]),
        ([issue(5, "closed", None)], WISH, ["open #5"]),
        ([issue(5, "closed", "completed")], CALM, []),
        ([issue(5, "closed", "not_planned")], WISH, []),
        ([issue(5, "closed", "not_planned")], HUNGRY, []),
        ([issue(5, "closed", "not_planned")], CALM, ["change #5"]),
        ([issue(5, "closed", "not_planned", cleared=True)], CALM, []),
        ([issue(5, "closed", "not_planned", cleared=True)], WISH, ["open #5"]),
        ([issue(5, "closed", "duplicate")], WISH, []),
        ([issue(labels=("learnings", "snooze:2026-05-02"))], WISH, []),
        ([issue(labels=("learnings", "snooze:2026-05-01"))], WISH, ["change #5"]),
        ([issue(labels=("snooze:2026-05-02",))], CALM, ["comment #5", "closed #5 completed"]),
        ([issue(5, "closed", "completed", labels=("snooze:2026-05-02",))], WISH, []),
        ([issue(9), issue(5)], WISH, ["change #5", "closed #9 duplicate"]),
        ([issue(9), issue(5)], CALM, ["comment #5", "closed #5 completed", "closed #9 duplicate"]),
        ([issue(5, "closed", "completed"), issue(9, digest="new")], WISH, []),
        ([issue(5, "closed", "not_planned"), issue(9, "closed", "completed")], WISH, ["open #9"]),
        ([issue(9, "closed", "duplicate", duplicate_of=5), issue(5, digest="new")], WISH, []),
        ([issue(9, "closed", "duplicate", duplicate_of=5)], WISH, ["create"]),
    ],
)
def test_each_state_against_each_verdict(
    found: list[Issue], desired: DesiredIssue, steps: list[str]
) -> None:
    assert does(reconcile(found, desired, room=ROOM)) == steps


def the_change(decision: Decision, place: int = 0) -> tuple[Change, Body]:
    step = decision.steps[place]
    assert isinstance(step, Change)
    body = read(step.body)
    assert body is not None
    return step, body


def test_a_new_issue_says_all_of_it() -> None:
    (step,) = reconcile([], WISH, room=ROOM).steps
    assert isinstance(step, Create)
    body = read(step.body)
    assert body
    assert body.marker == Marker(FILE, "new", 7, WISH.moment)
    assert body.ours.startswith("task in 65")
    assert step.title == WISH.title


def test_an_update_keeps_what_people_wrote_and_since_when_it_is_open() -> None:
    decision = reconcile([issue()], WISH, room=ROOM)
    _, body = the_change(decision)
    assert body.notes == "\nmine"
    assert body.marker == Marker(FILE, "new", 7, "then")
    assert decision.number == 5


def test_the_body_fits_with_notes_and_with_what_is_noted_later() -> None:
    notes = "n" * 20_000
    desired = WISH._replace(ours=lambda room: "x" * room)
    step, body = the_change(reconcile([issue(notes=notes)], desired, room=ROOM))
    later = body.marker._replace(cleared=True, duplicate_of=123_456, run=10**12)
    assert ROOM - 200 < len(step.body) <= ROOM
    assert len(written(body._replace(marker=later))) <= ROOM


def test_reopening_begins_anew() -> None:
    closed = issue(5, "closed", "not_planned", cleared=True)
    _, body = the_change(reconcile([closed], WISH, room=ROOM))
    assert body.marker == Marker(FILE, "new", 7, WISH.moment)


def test_the_comment_can_be_told_from_that_of_another_time() -> None:
    (said, _) = reconcile([issue()], CALM, room=ROOM).steps
    assert isinstance(said, Comment)
    assert (said.text, said.mark) == ("Not due.", "<!-- learnings:cleared then -->")


def test_that_it_was_not_due_once_is_noted_and_all_else_stays() -> None:
    closed = issue(5, "closed", "not_planned")
    step, body = the_change(reconcile([closed], CALM, room=ROOM))
    assert body == closed.body._replace(marker=closed.body.marker._replace(cleared=True, run=7))
    assert step.state is None


def test_a_duplicate_names_the_issue_that_counts() -> None:
    step, body = the_change(reconcile([issue(), issue(9)], WISH, room=ROOM), 1)
    assert (step.issue.number, step.reason, body.marker.duplicate_of) == (9, "duplicate", 5)
    assert body.ours == "Duplicate of #5, which is kept up to date.\n"
    assert body.notes == "\nmine"


def test_open_issues_about_other_files_are_orphans() -> None:
    other, closed = issue(6, file="b.md"), issue(7, "closed", file="b.md")
    assert orphans([issue(), other, closed], [WISH]) == [other]


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


def test_only_issues_of_ours_are_issues() -> None:
    body = written(Body(Marker(FILE, "d"), "task", "\n"))
    told = {"number": 3, "state": "open", "state_reason": None, "labels": ["a", {"name": "b"}]}
    found = as_issue(told | {"body": body})
    assert found == Issue(3, "open", None, ("a", "b"), Body(Marker(FILE, "d"), "task", "\n"))
    assert as_issue(told | {"body": "by hand"}) is None
    assert as_issue(told | {"body": None}) is None
    assert as_issue(told | {"body": body, "pull_request": {}}) is None
