"""The issues of a repository on GitHub: the state, and the change by each request."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.stand_in import Answer

OWNER, NAME = "ada", "parcels"
MAX_BODY = 65_536
START = datetime(2026, 5, 1, 9, tzinfo=UTC)
PULL_REQUEST = {"url": "", "html_url": "", "diff_url": "", "patch_url": ""}


@dataclass
class Issue:
    """An issue as users see it."""

    number: int
    title: str
    body: str | None
    labels: list[str]
    assignees: list[str]
    author: str = "github-actions[bot]"
    state: str = "open"
    reason: str | None = None
    comments: list[str] = field(default_factory=list)
    touched: str = ""
    is_pull_request: bool = False


@dataclass
class Forge:
    """The state. `collaborators` can be assigned; `lag` hides the newest issues from lists."""

    address: str = ""
    issues: dict[int, Issue] = field(default_factory=dict)
    labels: set[str] = field(default_factory=lambda: {"bug"})
    collaborators: set[str] = field(default_factory=lambda: {"ada", "grace"})
    has_issues: bool = True
    may_label: bool = True
    default_branch: str = "main"
    newest: str = "0" * 40
    lag: int = 0
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _seconds: Iterator[int] = field(default_factory=itertools.count)

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first."""
        return [issue for issue in self.issues.values() if issue.state == "open"]

    def add(self, title: str, body: str = "", *, labels: Sequence[str] = (), **more: Any) -> Issue:  # noqa: ANN401
        """Add an issue as a person would."""
        number = next(self._numbers)
        issue = Issue(number, title, body, [*labels], [], touched=self._now(), **more)
        self.issues[number] = issue
        return issue

    # --- operations

    def repository(self) -> Answer:
        return Answer(200, {"default_branch": self.default_branch})

    def branch(self, ref: str) -> Answer:
        """Return the default branch, the only one."""
        name = f"heads/{self.default_branch}"
        if ref != name:
            return not_found()
        commit = {"type": "commit", "sha": self.newest, "url": self._url("git/commits/x")}
        document = {"ref": f"refs/{name}", "node_id": "REF", "url": self._url(f"git/refs/{name}")}
        return Answer(200, {**document, "object": commit})

    def list_issues(self, query: Mapping[str, str]) -> Answer:
        wanted = {name.casefold() for name in query.get("labels", "").split(",") if name}
        state = query.get("state", "open")
        shown = [*self.issues.values()][: len(self.issues) - self.lag]
        if query.get("direction", "desc") == "desc":
            shown.reverse()
        listed = [
            issue
            for issue in shown
            if state in (issue.state, "all") and wanted <= set(map(str.casefold, issue.labels))
        ]
        return self._page([self.as_issue(issue) for issue in listed], "issues", query)

    def create_issue(self, body: Mapping[str, Any]) -> Answer:
        wrong = self._wrong(body)
        if not body.get("title"):
            wrong.append(_error("Issue", "title", "missing_field"))
        strangers = set(body.get("assignees", ())) - self.collaborators
        wrong += [_error("Issue", "assignees", "invalid", name) for name in sorted(strangers)]
        if wrong:
            return invalid(wrong)
        labels = [*map(self._known_label, body.get("labels", ()))] if self.may_label else []
        self.labels |= set(labels)
        issue = self.add(body["title"], body.get("body") or "", labels=labels)
        issue.assignees = [*body.get("assignees", ())]
        return Answer(201, self.as_issue(issue), {"Location": self._url(f"issues/{issue.number}")})

    def change_issue(self, issue: Issue, body: Mapping[str, Any]) -> Answer:
        wrong = self._wrong(body)
        if wrong:
            return invalid(wrong)
        issue.title = body.get("title", issue.title)
        issue.body = body.get("body", issue.body)
        if body.get("state", issue.state) != issue.state:
            issue.state = body["state"]
            usual = "completed" if issue.state == "closed" else "reopened"
            issue.reason = body.get("state_reason", usual)
        issue.touched = self._now()
        return Answer(200, self.as_issue(issue))

    def list_comments(self, issue: Issue, query: Mapping[str, str]) -> Answer:
        shown = [self.as_comment(issue, index) for index in range(len(issue.comments))]
        return self._page(shown, f"issues/{issue.number}/comments", query)

    def create_comment(self, issue: Issue, body: Mapping[str, Any]) -> Answer:
        wrong = self._wrong(body)
        if wrong:
            return invalid(wrong)
        issue.comments.append(body["body"])
        issue.touched = self._now()
        return Answer(201, self.as_comment(issue, len(issue.comments) - 1))

    def find_label(self, name: str) -> Answer:
        known = self._known_label(name)
        return Answer(200, self.as_label(known)) if known in self.labels else not_found()

    def create_label(self, body: Mapping[str, Any]) -> Answer:
        if self._known_label(body["name"]) in self.labels:
            return invalid([_error("Label", "name", "already_exists")])
        self.labels.add(body["name"])
        return Answer(201, self.as_label(body["name"]))

    # --- the same as documents

    def as_issue(self, issue: Issue) -> dict[str, Any]:
        url = self._url(f"issues/{issue.number}")
        document = {
            "id": 1000 + issue.number,
            "node_id": f"I_{issue.number}",
            "url": url,
            "repository_url": self._url(),
            "labels_url": f"{url}/labels{{/name}}",
            "comments_url": f"{url}/comments",
            "events_url": f"{url}/events",
            "html_url": f"https://github.example/{OWNER}/{NAME}/issues/{issue.number}",
            "number": issue.number,
            "title": issue.title,
            "body": issue.body,
            "state": issue.state,
            "state_reason": issue.reason,
            "locked": False,
            "labels": [self.as_label(name) for name in issue.labels],
            "assignee": as_user(issue.assignees[0]) if issue.assignees else None,
            "assignees": [as_user(name) for name in issue.assignees],
            "milestone": None,
            "comments": len(issue.comments),
            "user": as_user(issue.author),
            "author_association": "NONE",
            "created_at": _text(START + timedelta(seconds=issue.number)),
            "updated_at": issue.touched,
            "closed_at": issue.touched if issue.state == "closed" else None,
        }
        return document | ({"pull_request": PULL_REQUEST} if issue.is_pull_request else {})

    def as_comment(self, issue: Issue, index: int) -> dict[str, Any]:
        identity = issue.number * 1000 + index
        url = self._url(f"issues/comments/{identity}")
        return {
            "id": identity,
            "node_id": f"IC_{identity}",
            "url": url,
            "html_url": url,
            "issue_url": self._url(f"issues/{issue.number}"),
            "body": issue.comments[index],
            "user": as_user("github-actions[bot]"),
            "author_association": "NONE",
            "created_at": issue.touched,
            "updated_at": issue.touched,
        }

    def as_label(self, name: str) -> dict[str, Any]:
        return {
            "id": 1 + sum(name.encode()),
            "node_id": f"LA_{name}",
            "url": self._url(f"labels/{name}"),
            "name": name,
            "description": None,
            "color": "ededed",
            "default": False,
        }

    def _page(self, rows: list[Any], path: str, query: Mapping[str, str]) -> Answer:
        size, page = min(100, int(query.get("per_page", 30))), int(query.get("page", 1))
        headers = {}
        if page * size < len(rows):
            rest = "&".join(f"{k}={v}" for k, v in query.items() if k != "page")
            target = f"{self._url(path)}?{rest}&page={page + 1}"
            headers["Link"] = f'<{target}>; rel="next", <{target}>; rel="last"'
        return Answer(200, rows[(page - 1) * size : page * size], headers)

    def _known_label(self, name: str) -> str:
        """Return the label as it was first written: GitHub ignores case."""
        same = (label for label in self.labels if label.casefold() == name.casefold())
        return next(same, name)

    def _wrong(self, body: Mapping[str, Any]) -> list[dict[str, str]]:
        if len(body.get("body") or "") > MAX_BODY:
            return [_error("Issue", "body", "custom", "body is too long (maximum is 65536)")]
        return []

    def _url(self, path: str = "") -> str:
        return f"{self.address}/repos/{OWNER}/{NAME}/{path}".rstrip("/")

    def _now(self) -> str:
        return _text(START + timedelta(hours=1, seconds=next(self._seconds)))


def not_found() -> Answer:
    return Answer(404, _problem("Not Found", 404))


def gone() -> Answer:
    return Answer(410, _problem("Issues has been disabled in this repository.", 410))


def invalid(errors: list[dict[str, str]]) -> Answer:
    return Answer(422, _problem("Validation Failed", 422) | {"errors": errors})


def refused(status: int, message: str, **headers: str) -> Answer:
    """Return a response to a refused request; `_` in names of headers stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, _problem(message, status), named)


def _problem(message: str, status: int) -> dict[str, Any]:
    return {
        "message": message,
        "documentation_url": "https://docs.github.example/rest",
        "status": str(status),
    }


def _error(resource: str, name: str, code: str, value: str = "") -> dict[str, str]:
    return {"resource": resource, "field": name, "code": code} | ({"value": value} if value else {})


def as_user(login: str) -> dict[str, Any]:
    """Return an account."""
    url = f"https://github.example/users/{login}"
    links = "followers following gists starred subscriptions organizations repos events"
    return {
        "login": login,
        "id": 1 + sum(login.encode()),
        "node_id": f"U_{login}",
        "avatar_url": url,
        "gravatar_id": "",
        "url": url,
        "html_url": url,
        **{f"{name}_url": f"{url}/{name}" for name in (*links.split(), "received_events")},
        "type": "User",
        "site_admin": False,
    }


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
