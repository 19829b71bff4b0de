"""The issues on GitLab reach the desired state, whatever goes wrong on the way."""

from __future__ import annotations

from collections.abc import Iterator

import gitlab as client
import pytest

from learnings.surfaces.hosts import GITLAB
from learnings.surfaces.issues.client import Client, Token
from learnings.surfaces.issues.issues import DesiredIssue, PlatformError
from learnings.surfaces.issues.reconciler import IssueOutcome, IssueReconciler, Steps
from tests.support.gitlab.server import API, BASE, PATH, TOKEN, GitLab, serving
from tests.support.stand_in import Answer, Fault
from tests.surfaces.issues.clock import Standing
from tests.surfaces.issues.test_reconciler import desired

ISSUES, ISSUE = f"POST {BASE}/issues", f"PUT {BASE}/issues/1"


def reconcile(gitlab: GitLab, *desired_issues: DesiredIssue) -> list[IssueOutcome]:
    token = Token(TOKEN, "GITLAB_TOKEN")
    client = Client(GITLAB, gitlab.url, "42", token, clock=Standing().clock)
    reconciler = IssueReconciler(client, Steps(GITLAB, "learnings"))
    return reconciler.reconcile(lambda _issues: desired_issues)


def test_the_whole_life_of_an_issue(gitlab: GitLab) -> None:
    def step(*desired_issues: DesiredIssue) -> tuple[str, list[str]]:
        gitlab.forget()
        (outcome,) = reconcile(gitlab, *desired_issues)
        return outcome.result, gitlab.writes

    assert step(desired(due=False)) == ("not needed", [])
    assert step(desired("one")) == ("created", [ISSUES])
    (issue,) = gitlab.forge.open_issues()
    assert (issue.title, issue.labels) == ("Consolidate a.md", ["learnings", "bug"])
    assert issue.assignees == [7]
    assert step(desired("two")) == ("updated", [ISSUE])
    assert "Task two." in (issue.body or "")
    result, writes = step(desired(due=False))
    assert result == "closed with a comment"
    assert writes == [f"POST {BASE}/issues/1/notes", ISSUE]
    assert (issue.state, len(issue.comments)) == ("closed", 1)
    assert issue.comments[0].startswith("Not due any more.\n")
    assert step(desired(due=False)) == ("already closed", [])
    assert step(desired("two")) == ("reopened", [ISSUE])
    assert issue.state == "opened"
    issue.labels.append("snooze:2026-05-02")
    issue.state = "closed"
    assert step(desired("four")) == ("left alone until 2026-05-02, as its label says", [])
    assert list(gitlab.forge.issues) == [1]


def test_a_locked_conversation_gets_no_comment(gitlab: GitLab) -> None:
    reconcile(gitlab, desired())
    (issue,) = gitlab.forge.open_issues()
    issue.locked = True
    (outcome,) = reconcile(gitlab, desired(due=False))
    assert outcome.result == "closed without a comment: its conversation is locked"
    assert (issue.state, issue.comments) == ("closed", [])


def test_what_people_do_to_an_issue_stays(gitlab: GitLab) -> None:
    reconcile(gitlab, desired("one"))
    (issue,) = gitlab.forge.open_issues()
    issue.title, issue.assignees, issue.confidential = "Ours", [8], True
    issue.labels.append("soon")
    issue.body = f"{issue.body}\n\nWait for the release."
    reconcile(gitlab, desired("two"))
    assert (issue.title, issue.assignees, issue.confidential) == ("Ours", [8], True)
    assert issue.labels == ["learnings", "bug", "soon"]
    assert "Task two." in issue.body
    assert issue.body.endswith("-->\n\nWait for the release.")
    sent = [seen.body for seen in gitlab.seen if seen.method in ("POST", "PUT")]
    assert not any("confidential" in body for body in sent)


def test_an_assignee_is_looked_up_by_the_whole_account(gitlab: GitLab) -> None:
    reconcile(gitlab, desired()._replace(assignees=("Ada2", "grace")))
    (issue,) = gitlab.forge.open_issues()
    assert issue.assignees == [9, 8]


def test_an_assignee_who_is_no_member_is_named_before_anything_is_written(gitlab: GitLab) -> None:
    with pytest.raises(
        PlatformError, match="ad is not a member of project 42; correct `assignees`"
    ):
        reconcile(gitlab, desired()._replace(assignees=("ad",)))
    assert gitlab.writes == []


@pytest.mark.parametrize("row", [{"username": "ada"}, {"username": 3, "id": 7}])
def test_a_member_of_another_shape(gitlab: GitLab, row: dict[str, object]) -> None:
    gitlab.faults = [Fault("members", Answer(200, [row]))]
    with pytest.raises(PlatformError, match="does not respond like GitLab"):
        reconcile(gitlab, desired())
    assert gitlab.writes == []


def test_issues_that_are_switched_off(gitlab: GitLab) -> None:
    gitlab.forge.has_issues = False
    with pytest.raises(PlatformError, match="enable issues there, or use `learnings notify"):
        reconcile(gitlab, desired())
    assert gitlab.forge.issues == {}


@pytest.fixture
def connection(gitlab: GitLab) -> Iterator[client.Gitlab]:
    with client.Gitlab(gitlab.url.removesuffix(API), private_token=TOKEN) as connection:
        yield connection


def test_the_life_of_an_issue(gitlab: GitLab, connection: client.Gitlab) -> None:
    project = connection.projects.get(PATH)
    assert project.default_branch == "main"
    made = project.issues.create(
        {"title": "T", "description": "D", "labels": ["learnings", "bug"], "assignee_ids": [7]}
    )
    fields = made.asdict()  # the client sends a list back that was read from the object
    assert (made.iid, made.state, fields["labels"]) == (1, "opened", ["learnings", "bug"])
    assert [person["username"] for person in fields["assignees"]] == ["ada"]
    made.description, made.state_event = "E", "close"
    made.save()
    again = project.issues.get(1)
    assert (again.description, again.state, again.title) == ("E", "closed", "T")
    again.state_event = "reopen"
    again.save()
    assert [issue.title for issue in gitlab.forge.open_issues()] == ["T"]
    again.notes.create({"body": "One"})
    again.notes.create({"body": "Two"})
    assert [note.body for note in again.notes.list(get_all=True)] == ["Two", "One"]


@pytest.mark.parametrize(
    ("method", "path", "body", "problem"),
    [
        ("POST", "issues", {"title": "T", "body": "B"}, "has the field body"),
        ("PUT", "issues/1", {"state": "closed"}, "has the field state"),
        ("GET", "issues?assignee=ada", None, "has a query for assignee"),
        ("GET", "issues/1/comments", None, "is nothing that python-gitlab knows"),
    ],
)
def test_a_request_that_python_gitlab_would_not_send(
    method: str, path: str, body: dict[str, str] | None, problem: str
) -> None:
    with serving() as gitlab:
        gitlab.forge.add("T")
        host = gitlab.url.removesuffix(API)
        with client.Gitlab(host, private_token=TOKEN) as connection:
            headers = {**connection.headers, "PRIVATE-TOKEN": TOKEN}
            connection.session.request(method, f"{host}{BASE}/{path}", json=body, headers=headers)
        (found,) = gitlab.problems
        assert problem in found
