"""The issues of a project on GitLab: the state, and the change by each request.

Responses have the shape of https://docs.gitlab.com/api/issues/ and the pages linked there.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.stand_in import Answer

NUMBER, PATH = 42, "ada/tools/parcels"
MAX_TITLE, MAX_DESCRIPTION = 255, 1_048_576
START = datetime(2026, 5, 1, 9, tzinfo=UTC)
STATES = {"close": "closed", "reopen": "opened"}
# As in older versions: a code block ends at the first line of three backticks.
CODE = re.compile(r"^```.+?\n```$", re.DOTALL | re.MULTILINE)
QUICK_ACTION = re.compile(r"^/(?P<name>close|assign|cc)(?: [^\n]*)?(?:\n|\Z)", re.MULTILINE)


@dataclass
class Issue:
    """An issue as users see it."""

    number: int
    title: str
    description: str | None
    labels: list[str]
    assignees: list[int] = field(default_factory=list)
    author: str = "project_42_bot"
    state: str = "opened"
    confidential: bool = False
    comments: list[str] = field(default_factory=list)
    touched: str = ""


@dataclass
class Project:
    """The state. `members` can be assigned; `lag` hides the newest issues from lists."""

    address: str = ""
    issues: dict[int, Issue] = field(default_factory=dict)
    members: dict[str, int] = field(default_factory=lambda: {"ada": 7, "ada2": 9, "grace": 8})
    has_issues: bool = True
    may_label: bool = True
    numbers_pages: bool = True
    default_branch: str = "main"
    newest: str = "0" * 40
    lag: int = 0
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _seconds: Iterator[int] = field(default_factory=itertools.count)

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first."""
        return [issue for issue in self.issues.values() if issue.state == "opened"]

    def add(self, title: str, text: str = "", *, labels: Sequence[str] = (), **more: Any) -> Issue:  # noqa: ANN401
        """Add an issue as a person would."""
        number = next(self._numbers)
        issue = Issue(number, title, text, [*labels], touched=self._now(), **more)
        self.issues[number] = issue
        return issue

    # --- operations

    def project(self) -> Answer:
        document = {
            "id": NUMBER,
            "path_with_namespace": PATH,
            "default_branch": self.default_branch,
            "issues_enabled": self.has_issues,
            "issues_access_level": "enabled" if self.has_issues else "disabled",
        }
        return Answer(200, document)

    def branch(self, name: str) -> Answer:
        """Return the default branch, the only one."""
        if name != self.default_branch:
            return refused(404, "404 Branch Not Found")
        return Answer(200, {"name": name, "default": True, "commit": {"id": self.newest}})

    def list_issues(self, query: Mapping[str, str]) -> Answer:
        if not self.has_issues:
            return self._page([], "issues", query)
        labels = {*query["labels"].split(",")} if query.get("labels") else set()
        state = query.get("state", "all")
        listed = [
            issue
            for issue in [*self.issues.values()][: len(self.issues) - self.lag]
            if labels <= {*issue.labels} and state in ("all", issue.state)
        ]
        listed.sort(key=lambda issue: issue.number, reverse=query.get("sort", "desc") == "desc")
        return self._page([self.as_issue(issue) for issue in listed], "issues", query)

    def create_issue(self, body: Mapping[str, Any]) -> Answer:
        if not self.has_issues:
            return refused(403, "403 Forbidden")
        wrong = self._wrong(body)
        if "title" not in body:
            return Answer(400, {"error": "title is missing"})
        if wrong is not None:
            return wrong
        labels = body.get("labels", "")
        if isinstance(labels, str):  # as documented; GitLab also accepts a list
            labels = [name for name in labels.split(",") if name]
        issue = self.add(body["title"], labels=labels if self.may_label else [])
        issue.assignees = body.get("assignee_ids", [])
        self._describe(issue, body.get("description"))
        return Answer(201, self.as_issue(issue))

    def change_issue(self, issue: Issue, body: Mapping[str, Any]) -> Answer:
        if not self.has_issues:
            return refused(404, "404 Issue Not Found")
        if not body:
            return Answer(400, {"error": "title, description are missing, at least one is needed"})
        wrong = self._wrong(body)
        if wrong is not None:
            return wrong
        if "description" in body:
            self._describe(issue, body["description"])
        if "state_event" in body:
            issue.state = STATES[body["state_event"]]
        issue.touched = self._now()
        return Answer(200, self.as_issue(issue))

    def list_notes(self, issue: Issue, query: Mapping[str, str]) -> Answer:
        notes = [self.as_note(issue, index) for index in range(len(issue.comments))]
        return self._page(notes[::-1], f"issues/{issue.number}/notes", query)

    def create_note(self, issue: Issue, body: Mapping[str, Any]) -> Answer:
        if "body" not in body:
            return Answer(400, {"error": "body is missing"})
        issue.comments.append(self._without_quick_actions(issue, body["body"]))
        return Answer(201, self.as_note(issue, len(issue.comments) - 1))

    def list_members(self, query: Mapping[str, str]) -> Answer:
        wanted = query.get("query", "").lower()
        rows = [
            {"id": number, "username": name, "name": name.title(), "state": "active"}
            for name, number in sorted(self.members.items(), reverse=True)
            if wanted in name
        ]
        return self._page(rows, "members/all", query)

    # --- the same as documents

    def as_issue(self, issue: Issue) -> dict[str, Any]:
        accounts = {number: name for name, number in self.members.items()}
        people = [{"id": number, "username": accounts[number]} for number in issue.assignees]
        return {
            "id": 1000 + issue.number,
            "iid": issue.number,
            "project_id": NUMBER,
            "title": issue.title,
            "description": issue.description,
            "state": issue.state,
            "labels": issue.labels,
            "assignees": people,
            "assignee": people[0] if people else None,
            "author": {"id": 1, "username": issue.author},
            "confidential": issue.confidential,
            "issue_type": "issue",
            "user_notes_count": len(issue.comments),
            "created_at": _text(START + timedelta(seconds=issue.number)),
            "updated_at": issue.touched,
            "closed_at": issue.touched if issue.state == "closed" else None,
            "web_url": f"https://gitlab.example/{PATH}/-/issues/{issue.number}",
        }

    def as_note(self, issue: Issue, index: int) -> dict[str, Any]:
        return {
            "id": issue.number * 1000 + index,
            "body": issue.comments[index],
            "author": {"id": 1, "username": "project_42_bot"},
            "system": False,
            "internal": False,
            "noteable_type": "Issue",
            "noteable_iid": issue.number,
            "created_at": issue.touched,
            "updated_at": issue.touched,
        }

    def _describe(self, issue: Issue, text: str | None) -> None:
        issue.description = None if text is None else self._without_quick_actions(issue, text)

    def _without_quick_actions(self, issue: Issue, text: str) -> str:
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

    def _wrong(self, body: Mapping[str, Any]) -> Answer | None:
        for name, most in (("title", MAX_TITLE), ("description", MAX_DESCRIPTION)):
            if len(body.get(name) or "") > most:
                words = f"is too long (maximum is {most} characters)"
                return Answer(400, {"message": {name: [words]}})
        if body.get("state_event", "close") not in STATES:
            return Answer(400, {"error": "state_event does not have a valid value"})
        people = body.get("assignee_ids", [])
        if not all(isinstance(number, int) for number in people):
            return Answer(400, {"error": "assignee_ids is invalid"})
        return None

    def _page(self, rows: list[Any], path: str, query: Mapping[str, str]) -> Answer:
        size, page = min(100, int(query.get("per_page", 20))), int(query.get("page", 1))
        has_next = page * size < len(rows)
        headers = {}
        if self.numbers_pages:
            headers = {
                "X-Page": str(page),
                "X-Per-Page": str(size),
                "X-Next-Page": str(page + 1) if has_next else "",
                "X-Prev-Page": str(page - 1) if page > 1 else "",
            }
        if has_next:
            rest = "&".join(f"{k}={v}" for k, v in query.items() if k != "page")
            target = f"{self.address}/projects/{NUMBER}/{path}?{rest}&page={page + 1}"
            headers["Link"] = f'<{target}>; rel="next", <{target}>; rel="last"'
        return Answer(200, rows[(page - 1) * size : page * size], headers)

    def _now(self) -> str:
        return _text(START + timedelta(hours=1, seconds=next(self._seconds)))


def refused(status: int, message: str, **headers: str) -> Answer:
    """Return a response to a refused request; `_` in names of headers stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"message": message}, named)


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
