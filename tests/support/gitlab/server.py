"""The stand-in for GitLab: a server on loopback with the state of a project, and with faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote

from tests.support.gitlab.contract import wrong_request
from tests.support.gitlab.forge import NUMBER, PATH, Project, refused
from tests.support.stand_in import Answer, Request, StandIn, running

TOKEN = "glpat-of-the-tests-and-nothing-else"
API = "/api/v4"
BASE = f"{API}/projects/{NUMBER}"
PROJECT = re.compile(r"/projects/([^/]+)(?:/(.*))?")


@dataclass
class GitLab(StandIn):
    """The running stand-in and its state; python-gitlab knows every request."""

    project: Project = field(default_factory=Project)
    token: str = TOKEN

    @property
    def url(self) -> str:
        """Return the address that a client gets for the API."""
        return self.project.address

    def judged(self, request: Request) -> Answer:
        self.problems += wrong_request(request.path.removeprefix(API), request)
        return super().judged(request)

    def answer(self, request: Request) -> Answer:  # noqa: PLR0911  (a line for each operation)
        if request.headers.get("private-token") != self.token:
            return refused(401, "401 Unauthorized")
        match = PROJECT.fullmatch(request.path.removeprefix(API))
        if match is None or unquote(match[1]) not in (str(NUMBER), PATH):
            return refused(404, "404 Project Not Found")
        project, rest = self.project, (match[2] or "").split("/")
        match request.method, rest:
            case "GET", [""]:
                return project.project()
            case "GET", ["issues"]:
                return project.list_issues(request.query)
            case "POST", ["issues"]:
                return project.create_issue(request.body)
            case "GET", ["members", "all"]:
                return project.list_members(request.query)
            case "GET", ["repository", "branches", name]:
                return project.branch(unquote(name))
            case _, ["issues", number, *below] if int(number) in project.issues:
                return self._about(request, int(number), below)
        return refused(404, "404 Not found")

    def _about(self, request: Request, number: int, below: list[str]) -> Answer:
        project, issue = self.project, self.project.issues[number]
        match request.method, below:
            case "GET", []:
                return Answer(200, project.as_issue(issue))
            case "PUT", []:
                return project.change_issue(issue, request.body)
            case "GET", ["notes"]:
                return project.list_notes(issue, request.query)
            case "POST", ["notes"]:
                return project.create_note(issue, request.body)
        return refused(404, "404 Not found")


@contextmanager
def serving() -> Iterator[GitLab]:
    """Run a stand-in while the context lasts."""
    gitlab = GitLab()
    with running(gitlab) as address:
        gitlab.project.address = f"{address}{API}"
        yield gitlab
