"""The issues reach the desired state, whatever goes wrong on the way."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from learnings.core.due.verdicts import DUE, NOT_DUE
from learnings.surfaces.hosts import GITHUB
from learnings.surfaces.issues.client import BUDGET, Client, Token
from learnings.surfaces.issues.issues import (
    Body,
    DesiredIssue,
    PlatformError,
    body_text,
    digest_of,
    read_body,
)
from learnings.surfaces.issues.reconciler import IssueOutcome, IssueReconciler, Steps
from tests.support.forge import Issue as Kept
from tests.support.forge import refused
from tests.support.github.contract import Contract
from tests.support.github.server import BASE, TOKEN, GitHub, serving
from tests.support.stand_in import Answer, Fault
from tests.surfaces.issues.clock import Standing
from tests.surfaces.issues.test_client import FAULTS

SECRET = Token(TOKEN, "GITHUB_TOKEN")
FILE = "a.md"
ISSUES = f"POST {BASE}/issues$"


def desired(text: str = "one", *, file: str = FILE, due: bool = True, run: int = 0) -> DesiredIssue:
    return DesiredIssue(
        file=file,
        verdict=DUE if due else NOT_DUE,
        title=f"Consolidate {file}",
        labels=("bug",),
        assignees=("ada",),
        text=lambda _room: f"Task {text}.",
        digest=digest_of(text),
        closing_comment="Not due any more.",
        moment="2026-05-01 09:00 UTC",
        run=run,
    )


def reconcile(
    github: GitHub, *desired_issues: DesiredIssue, time: Standing | None = None
) -> list[IssueOutcome]:
    clock = (time or Standing()).clock
    client = Client(GITHUB, github.url, "ada/parcels", SECRET, clock=clock)
    reconciler = IssueReconciler(client, Steps(GITHUB, "learnings"))
    return reconciler.reconcile(lambda _issues: desired_issues)


def about(github: GitHub, file: str = FILE) -> list[Kept]:
    """Return the open issues about a file."""
    bodies = ((issue, read_body(issue.body)) for issue in github.forge.open_issues())
    return [issue for issue, body in bodies if body and body.file == file]


def test_the_whole_life_of_an_issue(github: GitHub) -> None:
    forge = github.forge

    def step(*desired_issues: DesiredIssue) -> tuple[str, list[str]]:
        github.forget()
        (outcome,) = reconcile(github, *desired_issues)
        return outcome.result, [write.replace(BASE, "") for write in github.writes]

    assert step(desired(due=False)) == ("not needed", [])
    assert step(desired("one")) == ("created", ["POST /labels", "POST /issues"])
    (issue,) = about(github)
    assert (issue.title, issue.labels) == ("Consolidate a.md", ["learnings", "bug"])
    assert issue.assignees == ["ada"]
    assert step(desired("one")) == ("unchanged: already up to date", [])
    assert step(desired("two")) == ("updated", ["PATCH /issues/1"])
    assert "Task two." in (issue.body or "")
    result, writes = step(desired(due=False))
    assert result == "closed with a comment"
    assert writes == ["POST /issues/1/comments", "PATCH /issues/1"]
    assert (issue.state, issue.reason, len(issue.comments)) == ("closed", "completed", 1)
    assert issue.comments[0].startswith("Not due any more.\n")
    assert step(desired(due=False)) == ("already closed", [])
    assert step(desired("two")) == ("reopened", ["PATCH /issues/1"])
    issue.state, issue.reason = "closed", "not_planned"
    assert step(desired("three"))[1] == []
    assert step(desired(due=False))[1] == ["PATCH /issues/1"]
    assert step(desired(due=False))[1] == []
    assert (issue.state, len(issue.comments)) == ("closed", 1)
    assert step(desired("three")) == ("reopened", ["PATCH /issues/1"])
    issue.labels.append("snooze:2026-05-02")
    assert step(desired("four")) == ("left alone until 2026-05-02, as its label says", [])
    issue.labels.remove("snooze:2026-05-02")
    assert step(desired("four")) == ("updated", ["PATCH /issues/1"])
    assert list(forge.issues) == [1]


def test_a_label_that_is_there_in_other_case_is_the_same_label(github: GitHub) -> None:
    github.forge.labels.add("Learnings")
    assert reconcile(github, desired())[0].result == "created"
    assert github.writes == [f"POST {BASE}/issues"]
    assert reconcile(github, desired())[0].result == "unchanged: already up to date"
    assert [issue.labels[0] for issue in about(github)] == ["Learnings"]


def test_an_issue_that_moves_to_another_repository_is_not_written_there(github: GitHub) -> None:
    reconcile(github, desired())
    (issue,) = about(github)
    github.forge.issues[7] = replace(issue, number=7, labels=[])
    where = Answer(301, None, {"Location": f"{github.url}{BASE}/issues/7"})
    github.faults = [Fault(f"GET {BASE}/issues/1$", where, times=99)]
    github.forget()
    with pytest.raises(PlatformError, match="120 seconds"):
        reconcile(github, desired("two"))
    assert github.writes == []
    github.faults.clear()


def test_what_people_do_to_an_issue_stays(github: GitHub) -> None:
    reconcile(github, desired("one"))
    (issue,) = about(github)
    issue.title, issue.assignees = "Ours", ["grace"]
    issue.labels.append("soon")
    issue.body = f"{issue.body}\nWait for the release.\n"
    reconcile(github, desired("two"))
    assert (issue.title, issue.assignees) == ("Ours", ["grace"])
    assert issue.labels == ["learnings", "bug", "soon"]
    assert "Task two." in issue.body
    assert issue.body.endswith("-->\n\nWait for the release.\n")


def test_a_text_that_the_server_keeps_in_another_form_is_sent_once_in_a_run(
    github: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    create, change = github.forge.create_issue, github.forge.change_issue

    def kept(body: Mapping[str, Any]) -> dict[str, Any]:
        return {**body, "body": body["body"].replace("Task", "task")}

    monkeypatch.setattr(github.forge, "create_issue", lambda body: create(kept(body)))
    monkeypatch.setattr(github.forge, "change_issue", lambda issue, body: change(issue, kept(body)))
    assert reconcile(github, desired())[0].result == "created"
    assert [write for write in github.writes if "label" not in write] == [f"POST {BASE}/issues"]
    github.forget()
    reconcile(github, desired("two"))
    assert github.writes == [f"PATCH {BASE}/issues/1"]


def test_other_issues_with_the_label_are_left_alone(github: GitHub) -> None:
    theirs = github.forge.add("By hand", "A body", labels=["learnings"])
    pull = github.forge.add("A pull request", labels=["learnings"], is_pull_request=True)
    forged = body_text(Body(FILE, "x", generated="x", notes=""))
    unlabelled = github.forge.add("Forged", forged)
    reconcile(github, desired())
    assert [theirs.body, pull.body, unlabelled.body] == ["A body", "", forged]
    assert [issue.number for issue in about(github)] == [3, 4]


def test_duplicates_are_closed_for_the_oldest(github: GitHub) -> None:
    body = body_text(Body(FILE, "x", generated="x", notes="\n"))
    for _ in range(3):
        github.forge.add("Consolidate", body, labels=["learnings"])
    reconcile(github, desired())
    (left,) = about(github)
    assert left.number == 1
    others = [github.forge.issues[2], github.forge.issues[3]]
    assert [(issue.state, issue.reason) for issue in others] == [("closed", "duplicate")] * 2
    assert all("Duplicate of #1," in (issue.body or "") for issue in others)
    github.forget()
    reconcile(github, desired())
    assert github.writes == []


@pytest.mark.parametrize("in_list", [True, False], ids=["listed", "asked for"])
@pytest.mark.parametrize(
    ("closer", "result"),
    [
        ("stale[bot]", "reopened, because only a bot had closed it"),
        ("ada", "left closed as not planned until consolidation has not been due once"),
    ],
)
def test_only_a_person_can_decline(
    *, github: GitHub, in_list: bool, closer: str, result: str
) -> None:
    reconcile(github, desired())
    (issue,) = about(github)
    github.forge.lists_closers = in_list
    issue.state, issue.reason, issue.closed_by = "closed", "not_planned", closer
    assert reconcile(github, desired("two"))[0].result == result


@pytest.mark.parametrize("is_known", [True, False], ids=["known", "refused"])
def test_a_locked_conversation_gets_no_comment(
    github: GitHub, monkeypatch: pytest.MonkeyPatch, *, is_known: bool
) -> None:
    reconcile(github, desired())
    (issue,) = about(github)
    issue.locked = True
    assert reconcile(github, desired("two"))[0].result == "updated; its conversation is locked"
    if not is_known:
        as_issue = github.forge.as_issue
        unlocked = {"locked": False}
        monkeypatch.setattr(github.forge, "as_issue", lambda issue: as_issue(issue) | unlocked)
    (outcome,) = reconcile(github, desired(due=False))
    assert outcome.result == "closed without a comment: its conversation is locked"
    assert (issue.state, issue.comments) == ("closed", [])


def test_an_issue_that_a_lock_keeps_as_it_is_fails_no_run(github: GitHub) -> None:
    reconcile(github, desired())
    refusal = refused(403, "Unable to update because issue is locked.")
    github.faults = [Fault("PATCH", refusal, times=9)]
    (outcome,) = reconcile(github, desired("two"))
    assert outcome.result == "left as it was: its conversation is locked; unlock it"
    github.faults.clear()


# --- faults


LIVES: dict[str, tuple[DesiredIssue, ...]] = {
    "created": (desired("one"),),
    "updated": (desired("one"), desired("two")),
    "closed": (desired("one"), desired("one", due=False)),
    "reopened": (desired("one"), desired("one", due=False), desired("two")),
}
REQUESTS = ["GET", "POST .*labels", ISSUES, "POST .*comments", "PATCH"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "life",
    ["closed", *(pytest.param(life, marks=pytest.mark.soak) for life in LIVES if life != "closed")],
)
def test_a_fault_anywhere_changes_nothing_in_the_end(
    contract_or_none: Contract | None, life: str
) -> None:
    failures = [
        f"{name} of {matching}: {problem}"
        for matching, name in product(REQUESTS, FAULTS)
        for problem in wrong_after(
            FAULTS[name][0]._replace(matching=matching), life, contract_or_none
        )
    ]
    assert failures == []


def wrong_after(fault: Fault, life: str, contract: Contract | None) -> Iterator[str]:
    """Yield the errors after the last run of a history with one fault."""
    *before, last = LIVES[life]
    time = Standing()
    with serving(contract) as github:
        for earlier in before:
            reconcile(github, earlier)
        github.faults = [fault]
        try:
            reconcile(github, last, time=time)
        except PlatformError as error:
            yield str(error)
        yield from github.problems
    bodies = [issue.body or "" for issue in about(github)]
    comments = sum(len(issue.comments) for issue in github.forge.issues.values())
    if last.verdict == DUE and not (len(bodies) == 1 and last.text(0) in bodies[0]):
        yield f"open: {bodies}"
    if last.verdict != DUE and (bodies or comments != 1):
        yield f"open: {bodies}, comments: {comments}"
    if list(github.forge.issues) != [1]:
        yield f"issues {list(github.forge.issues)}"
    if sum(time.waits) > BUDGET:
        yield f"waits {time.waits}"


def test_a_list_that_lags_behind_makes_no_second_issue(github: GitHub) -> None:
    github.forge.lag = 1
    reconcile(github, desired())
    assert [issue.number for issue in about(github)] == [1]


def test_a_lost_answer_with_a_list_that_lags_is_put_right_by_the_next_run(github: GitHub) -> None:
    github.forge.lag = 1
    github.faults = [Fault(ISSUES, handled=True)]
    reconcile(github, desired())
    github.forge.lag = 0
    reconcile(github, desired())
    assert [issue.number for issue in about(github)] == [1]


def test_a_refused_comment_leaves_the_issue_open_and_the_next_run_goes_on(github: GitHub) -> None:
    reconcile(github, desired())
    github.faults = [Fault("PATCH", refused(403, "no"))]
    with pytest.raises(PlatformError):
        reconcile(github, desired(due=False))
    assert len(about(github)) == 1
    reconcile(github, desired(due=False))
    assert about(github) == []
    assert len(github.forge.issues[1].comments) == 1


def test_a_token_that_may_not_label_makes_no_issue_that_is_never_found(github: GitHub) -> None:
    github.forge.may_label = False
    with pytest.raises(PlatformError, match="may not label issues, so #1 could not be found again"):
        reconcile(github, desired())
    assert github.forge.open_issues() == []


def test_an_issue_without_a_label_is_made_once_though_it_may_stay_open(github: GitHub) -> None:
    github.forge.may_label = False
    github.faults = [Fault("PATCH")]
    with pytest.raises(PlatformError, match="#1 could not be found again; close it"):
        reconcile(github, desired())
    assert list(github.forge.issues) == [1]


# --- others at the same time


def test_two_runs_that_both_find_nothing_leave_one_issue(github: GitHub) -> None:
    github.forge.labels.add("learnings")
    both, first = threading.Barrier(2, timeout=20), iter((True, True))

    def meet(method: str, path: str) -> None:
        if f"{method} {path}" == f"POST {BASE}/issues" and next(first, False):
            both.wait()

    github.before = meet
    with ThreadPoolExecutor(2) as pool:
        runs = (desired("one", run=1), desired("two", run=2))
        list(pool.map(lambda run: reconcile(github, run), runs))
    (left,) = about(github)
    assert left.number == 1
    assert "Task two." in (left.body or "")
    assert len(github.forge.issues) == 2


def test_a_run_that_was_overtaken_does_not_undo_the_later_one(github: GitHub) -> None:
    reconcile(github, desired("new", run=9))
    (outcome,) = reconcile(github, desired("old", run=8))
    assert outcome.result == "left as run 9 has written it, which is a later one"
    assert "Task new." in (about(github)[0].body or "")


def test_what_changes_between_look_and_write_is_looked_at_again(github: GitHub) -> None:
    reconcile(github, desired("one", run=1))
    (issue,) = about(github)

    def meanwhile(method: str, path: str) -> None:
        if method == "GET" and path.endswith("/issues/1") and "later" not in (issue.body or ""):
            issue.body = f"{issue.body}\nlater"

    github.before = meanwhile
    reconcile(github, desired("two", run=2))
    assert "Task two." in (issue.body or "")
    assert (issue.body or "").endswith("\nlater")


def test_an_issue_that_never_stays_as_it_is_is_given_up(github: GitHub) -> None:
    reconcile(github, desired("one"))
    (issue,) = about(github)

    def meanwhile(method: str, path: str) -> None:
        if method == "GET" and path.endswith("/issues/1"):
            issue.body = f"{issue.body}."

    github.before = meanwhile
    time = Standing()
    with pytest.raises(PlatformError, match=r"somebody else changed|limit for all"):
        reconcile(github, desired("two"), time=time)
    assert sum(time.waits) <= BUDGET


def test_somebody_who_takes_every_word_back_wins_in_the_end(github: GitHub) -> None:
    reconcile(github, desired("one"))
    (issue,) = about(github)
    first = issue.body

    def meanwhile(method: str, path: str) -> None:
        if f"{method} {path}" == f"GET {BASE}/issues":
            issue.body = first

    github.before = meanwhile
    with pytest.raises(PlatformError, match="somebody else changed the issues"):
        reconcile(github, desired("two"))


def test_an_issue_that_comes_back_as_another_one_is_reported(github: GitHub) -> None:
    other = github.forge.as_issue(github.forge.add("By hand", "Something else"))
    github.faults = [Fault(ISSUES, Answer(201, other))]
    with pytest.raises(PlatformError, match="did not create the issue as requested"):
        reconcile(github, desired())
