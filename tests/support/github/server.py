"""The stand-in for GitHub: the issues of a repository, served on loopback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar
from urllib.parse import unquote

from tests.support.forge import Forge, Issue, refused
from tests.support.github.contract import Contract
from tests.support.stand_in import Answer, Request, StandIn, running

TOKEN = "ghs_of-the-tests-and-nothing-else"
BASE = "/repos/ada/parcels"
MAX_BODY = 65_536
HOST = "https://github.example"
NOT_FOUND = refused(404, "Not Found")
GONE = refused(410, "Issues has been disabled in this repository.")
LINKS = "followers following gists starred subscriptions organizations repos events received_events"


class GitHubForge(Forge):
    """The state of a repository, and the change by each request."""

    PATH: ClassVar = BASE

    def answer(self, request: Request, parts: list[str]) -> Answer:  # noqa: PLR0911  (an operation each)
        query, body = request.query, request.body
        match request.method, parts:
            case "GET", [""]:
                return Answer(200, {"default_branch": self.default_branch})
            case "POST" | "PATCH", ["issues", *_] if not self.has_issues:
                return GONE
            case "GET", ["issues"]:
                rows = [*map(self.as_issue, self.listed(query, state="open", order="direction"))]
                for row in rows if not self.lists_closers else ():
                    row.pop("closed_by", None)
                return self.page(rows, "issues", query)
            case "POST", ["issues"]:
                return self.create_issue(body)
            case _, ["issues", number, *rest] if int(number) in self.issues:
                return self._about(self.issues[int(number)], request, rest)
            case "POST", ["labels"]:
                return self._create_label(body["name"])
            case "GET", ["git", "ref", ref]:
                return self._branch(unquote(ref))
            case "GET", ["labels", name] if self._known(unquote(name)) in self.labels:
                return Answer(200, self.as_label(self._known(unquote(name))))
        return NOT_FOUND

    def _about(self, issue: Issue, request: Request, rest: list[str]) -> Answer:
        match request.method, rest:
            case "GET", []:
                return Answer(200, self.as_issue(issue))
            case "PATCH", []:
                return self.change_issue(issue, request.body)
            case "GET", ["comments"]:
                rows = [self._as_comment(issue, index) for index in range(len(issue.comments))]
                return self.page(rows, f"issues/{issue.number}/comments", request.query)
            case "POST", ["comments"] if issue.locked:
                return refused(403, "Unable to create comment because issue is locked.")
            case "POST", ["comments"]:
                issue.comments.append(request.body["body"])
                issue.touched = self.now()
                return Answer(201, self._as_comment(issue, len(issue.comments) - 1))
        return NOT_FOUND

    def create_issue(self, body: Mapping[str, Any]) -> Answer:
        people = body.get("assignees", [])
        if not {*people} <= {*self.people}:
            return _invalid("Issue", "assignees", "invalid")
        if len(body.get("body") or "") > MAX_BODY:
            return _invalid("Issue", "body", "custom")
        labels = [*map(self._known, body.get("labels", ()))] if self.may_label else []
        self.labels |= {*labels}
        issue = self.add(body["title"], body.get("body") or "", labels=labels, assignees=people)
        return Answer(201, self.as_issue(issue))

    def change_issue(self, issue: Issue, body: Mapping[str, Any]) -> Answer:
        if len(body.get("body") or "") > MAX_BODY:
            return _invalid("Issue", "body", "custom")
        issue.title = body.get("title", issue.title)
        issue.body = body.get("body", issue.body)
        if body.get("state", issue.state) != issue.state:
            issue.state = body["state"]
            usual = "completed" if issue.state == "closed" else "reopened"
            issue.reason = body.get("state_reason", usual)
        issue.touched = self.now()
        return Answer(200, self.as_issue(issue))

    def _create_label(self, name: str) -> Answer:
        if self._known(name) in self.labels:
            return _invalid("Label", "name", "already_exists")
        self.labels.add(name)
        return Answer(201, self.as_label(name))

    def _branch(self, ref: str) -> Answer:
        """Return the default branch, the only one."""
        if ref != f"heads/{self.default_branch}":
            return NOT_FOUND
        commit = {"type": "commit", "sha": self.newest, "url": self.url("git/commits/x")}
        own = {"ref": f"refs/{ref}", "node_id": "REF", "url": self.url(f"git/refs/{ref}")}
        return Answer(200, {**own, "object": commit})

    def _known(self, label: str) -> str:
        """Return the label as it was first written: GitHub ignores case."""
        return next((own for own in self.labels if own.casefold() == label.casefold()), label)

    def as_issue(self, issue: Issue) -> dict[str, Any]:
        url = self.url(f"issues/{issue.number}")
        people = [*map(_as_user, issue.assignees)]
        pull = dict.fromkeys(("url", "html_url", "diff_url", "patch_url"), "")
        return {
            "id": 1000 + issue.number,
            "node_id": f"I_{issue.number}",
            "url": url,
            "repository_url": self.url(),
            "labels_url": f"{url}/labels{{/name}}",
            "comments_url": f"{url}/comments",
            "events_url": f"{url}/events",
            "html_url": f"{HOST}/ada/parcels/issues/{issue.number}",
            "number": issue.number,
            "title": issue.title,
            "body": issue.body,
            "state": issue.state,
            "state_reason": issue.reason,
            "locked": issue.locked,
            "labels": [*map(self.as_label, issue.labels)],
            "assignee": people[0] if people else None,
            "assignees": people,
            "milestone": None,
            "comments": len(issue.comments),
            "user": _as_user(issue.author),
            "author_association": "NONE",
            **self.times(issue),
            **({"closed_by": _as_user(issue.closed_by)} if issue.closed_by else {}),
            **({"pull_request": pull} if issue.is_pull_request else {}),
        }

    def _as_comment(self, issue: Issue, index: int) -> dict[str, Any]:
        identity = issue.number * 1000 + index
        url = self.url(f"issues/comments/{identity}")
        return {
            "id": identity,
            "node_id": f"IC_{identity}",
            "url": url,
            "html_url": url,
            "issue_url": self.url(f"issues/{issue.number}"),
            "body": issue.comments[index],
            "user": _as_user("bot"),
            "author_association": "NONE",
            "created_at": issue.touched,
            "updated_at": issue.touched,
        }

    def as_label(self, name: str) -> dict[str, Any]:
        return {
            "id": 1 + sum(name.encode()),
            "node_id": f"LA_{name}",
            "url": self.url(f"labels/{name}"),
            "name": name,
            "description": None,
            "color": "ededed",
            "default": False,
        }


def _invalid(resource: str, name: str, code: str) -> Answer:
    errors = [{"resource": resource, "field": name, "code": code}]
    return Answer(
        422, {"message": "Validation Failed", "documentation_url": HOST, "errors": errors}
    )


def _as_user(login: str) -> dict[str, Any]:
    url = f"{HOST}/users/{login}"
    return {
        "login": login,
        "id": 1 + sum(login.encode()),
        "node_id": f"U_{login}",
        "avatar_url": url,
        "gravatar_id": "",
        "url": url,
        "html_url": url,
        **{f"{name}_url": f"{url}/{name}" for name in LINKS.split()},
        "type": "Bot" if login.endswith("[bot]") else "User",
        "site_admin": False,
    }


@dataclass
class GitHub(StandIn):
    """The running stand-in: its state, and a contract for requests and responses."""

    forge: GitHubForge = field(default_factory=GitHubForge)
    contract: Contract | None = None

    @property
    def url(self) -> str:
        """Return the address that a client gets for the API."""
        return self.forge.address

    def judged(self, request: Request) -> Answer:
        method, path, query, headers, body, _ = request
        contract, problems = self.contract, self.problems
        if not headers.get("user-agent"):
            problems.append(f"{method} {path} has no User-Agent, which GitHub refuses")
        operation = contract.operation(method, path) if contract else None
        if contract and operation is None:
            problems.append(f"{method} {path} is nothing that is described")
        if contract and operation:
            problems += contract.wrong_request(operation, query, body)
        answer = super().judged(request)
        if contract and operation and path != BASE:  # a repository serves only one field
            problems += contract.wrong_answer(operation, answer.status, answer.body)
        return answer

    def answer(self, request: Request) -> Answer:
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return refused(401, "Bad credentials")
        if not request.path.startswith(BASE):
            return NOT_FOUND
        return self.forge.answer(request, request.path.removeprefix(BASE).strip("/").split("/"))


@contextmanager
def serving(contract: Contract | None = None) -> Iterator[GitHub]:
    """Run a stand-in while the context lasts."""
    github = GitHub(contract=contract)
    with running(github) as address:
        github.forge.address = address
        yield github
