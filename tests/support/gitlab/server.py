"""The stand-in for GitLab: the issues of a project, served on loopback.

Responses have the shape of https://docs.gitlab.com/api/issues/ and the pages linked there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import unquote

from tests.support.forge import Forge, Issue, refused
from tests.support.gitlab.contract import wrong_request
from tests.support.stand_in import Answer, Request, StandIn, running

TOKEN = "glpat-of-the-tests-and-nothing-else"
API = "/api/v4"
NUMBER, PATH = 42, "ada/tools/parcels"
BASE = f"{API}/projects/{NUMBER}"
PROJECT = re.compile(r"/projects/([^/]+)(?:/(.*))?")
MOST = {"title": 255, "description": 1_048_576}
STATES = {"close": "closed", "reopen": "opened"}
NOT_FOUND = refused(404, "404 Not found")
# As in older versions: a code block ends at the first line of three backticks.
CODE = re.compile(r"^```.+?\n```$", re.DOTALL | re.MULTILINE)
QUICK_ACTION = re.compile(r"^/(?P<name>close|assign|cc)(?: [^\n]*)?(?:\n|\Z)", re.MULTILINE)


class GitLabForge(Forge):
    """The state of a project, and the change by each request."""

    OPEN: ClassVar = "opened"
    PATH: ClassVar = f"/projects/{NUMBER}"

    def answer(self, request: Request, parts: list[str]) -> Answer:  # noqa: PLR0911  (an operation each)
        query, body = request.query, request.body
        match request.method, parts:
            case "GET", [""]:
                names = {"path_with_namespace": PATH, "default_branch": self.default_branch}
                return Answer(200, {"id": NUMBER, "issues_enabled": self.has_issues, **names})
            case "GET", ["issues"]:
                rows = self.listed(query, state="all", order="sort") if self.has_issues else []
                return self.page([*map(self.as_issue, rows)], "issues", query)
            case "POST", ["issues"]:
                return self._create_issue(body)
            case "GET", ["members", "all"]:
                members = sorted(self.people.items(), reverse=True)
                found = [pair for pair in members if query.get("query", "").lower() in pair[0]]
                people = [{"id": number, "username": name, "name": name} for name, number in found]
                return self.page(people, "members/all", query)
            case "GET", ["repository", "branches", name]:
                if unquote(name) != self.default_branch:
                    return refused(404, "404 Branch Not Found")
                return Answer(200, {"name": unquote(name), "commit": {"id": self.newest}})
            case _, ["issues", number, *below] if int(number) in self.issues:
                return self._about(self.issues[int(number)], request, below)
        return NOT_FOUND

    def _about(self, issue: Issue, request: Request, below: list[str]) -> Answer:
        match request.method, below:
            case "GET", []:
                return Answer(200, self.as_issue(issue))
            case "PUT", []:
                return self._change_issue(issue, request.body)
            case "GET", ["notes"]:
                rows = [self._as_note(issue, index) for index in range(len(issue.comments))]
                return self.page(rows[::-1], f"issues/{issue.number}/notes", request.query)
            case "POST", ["notes"]:
                issue.comments.append(without_quick_actions(issue, request.body["body"]))
                return Answer(201, self._as_note(issue, len(issue.comments) - 1))
        return NOT_FOUND

    def _create_issue(self, body: Mapping[str, Any]) -> Answer:
        if not self.has_issues:
            return refused(403, "403 Forbidden")
        wrong = _wrong(body)
        if wrong is not None:
            return wrong
        labels = body.get("labels", "")
        if isinstance(labels, str):  # as documented; GitLab also accepts a list
            labels = [name for name in labels.split(",") if name]
        issue = self.add(body["title"], labels=labels if self.may_label else [])
        issue.assignees = body.get("assignee_ids", [])
        issue.body = without_quick_actions(issue, body.get("description") or "")
        return Answer(201, self.as_issue(issue))

    def _change_issue(self, issue: Issue, body: Mapping[str, Any]) -> Answer:
        wrong = _wrong(body)
        if wrong is not None:
            return wrong
        if "description" in body:
            issue.body = without_quick_actions(issue, body["description"])
        if "state_event" in body:
            issue.state = STATES[body["state_event"]]
        issue.touched = self.now()
        return Answer(200, self.as_issue(issue))

    def page(self, rows: list[Any], path: str, query: Mapping[str, str]) -> Answer:
        answer = super().page(rows, path, query)
        if not self.numbers_pages:
            return answer
        following = str(int(query.get("page", 1)) + 1) if answer.headers else ""
        return answer._replace(headers={**answer.headers, "X-Next-Page": following})

    def as_issue(self, issue: Issue) -> dict[str, Any]:
        accounts = {number: name for name, number in self.people.items()}
        people = [{"id": number, "username": accounts[number]} for number in issue.assignees]
        return {
            "id": 1000 + issue.number,
            "iid": issue.number,
            "project_id": NUMBER,
            "title": issue.title,
            "description": issue.body,
            "state": issue.state,
            "labels": issue.labels,
            "assignees": people,
            "author": {"id": 1, "username": issue.author},
            "confidential": issue.confidential,
            "discussion_locked": issue.locked or None,
            "issue_type": "issue",
            "web_url": f"https://gitlab.example/{PATH}/-/issues/{issue.number}",
            **self.times(issue),
        }

    def _as_note(self, issue: Issue, index: int) -> dict[str, Any]:
        return {
            "id": issue.number * 1000 + index,
            "body": issue.comments[index],
            "author": {"id": 1, "username": issue.author},
            "system": False,
            "noteable_iid": issue.number,
        }


def without_quick_actions(issue: Issue, text: str) -> str:
    """Run the quick actions in a text, and return the rest as GitLab keeps it."""
    text = text.replace("\r", "")
    code = [match.span() for match in CODE.finditer(text)]

    def carried_out(match: re.Match[str]) -> str:
        if any(start < match.start() < end for start, end in code):
            return match[0]
        if match["name"] == "close":
            issue.state = "closed"
        return ""

    return QUICK_ACTION.sub(carried_out, text).rstrip()


def _wrong(body: Mapping[str, Any]) -> Answer | None:
    for name, most in MOST.items():
        if len(body.get(name) or "") > most:
            return Answer(400, {"message": {name: [f"is too long (maximum is {most} characters)"]}})
    if not all(isinstance(number, int) for number in body.get("assignee_ids", [])):
        return Answer(400, {"error": "assignee_ids is invalid"})
    return None


@dataclass
class GitLab(StandIn):
    """The running stand-in and its state; python-gitlab knows every request."""

    forge: GitLabForge = field(default_factory=GitLabForge)

    @property
    def url(self) -> str:
        """Return the address that a client gets for the API."""
        return self.forge.address

    def judged(self, request: Request) -> Answer:
        self.problems += wrong_request(request.path.removeprefix(API), request)
        return super().judged(request)

    def answer(self, request: Request) -> Answer:
        if request.headers.get("private-token") != TOKEN:
            return refused(401, "401 Unauthorized")
        match = PROJECT.fullmatch(request.path.removeprefix(API))
        if match is None or unquote(match[1]) not in (str(NUMBER), PATH):
            return refused(404, "404 Project Not Found")
        return self.forge.answer(request, (match[2] or "").split("/"))


@contextmanager
def serving() -> Iterator[GitLab]:
    """Run a stand-in while the context lasts."""
    gitlab = GitLab()
    with running(gitlab) as address:
        gitlab.forge.address = f"{address}{API}"
        yield gitlab
