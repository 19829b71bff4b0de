"""The stand-in for GitLab serves python-gitlab, an independent client."""

from __future__ import annotations

from collections.abc import Iterator

import gitlab as client
import pytest

from tests.support.gitlab.server import API, BASE, PATH, TOKEN, GitLab, serving


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
