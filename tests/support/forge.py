"""The issues of a forge as its users see them: what GitHub and GitLab have in common."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from tests.support.stand_in import Answer, Request

START = datetime(2026, 5, 1, 9, tzinfo=UTC)


@dataclass
class Issue:
    """An issue; its state is `closed` or the word of the host for open."""

    number: int
    title: str
    body: str | None
    labels: list[str]
    state: str
    assignees: list[Any] = field(default_factory=list)
    author: str = "bot"
    reason: str | None = None
    comments: list[str] = field(default_factory=list)
    touched: str = ""
    is_pull_request: bool = False
    confidential: bool = False
    locked: bool = False
    closed_by: str | None = None


@dataclass
class Forge:
    """The state. `people` can be assigned; `lag` hides the newest issues from lists."""

    address: str = ""
    issues: dict[int, Issue] = field(default_factory=dict)
    labels: set[str] = field(default_factory=lambda: {"bug"})
    people: dict[str, int] = field(default_factory=lambda: {"ada": 7, "ada2": 9, "grace": 8})
    has_issues: bool = True
    lists_closers: bool = True
    may_label: bool = True
    numbers_pages: bool = True
    default_branch: str = "main"
    newest: str = "0" * 40
    lag: int = 0
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    _seconds: Iterator[int] = field(default_factory=itertools.count)

    OPEN: ClassVar = "open"
    PATH: ClassVar = ""  # of the repository in the API

    def answer(self, request: Request, parts: list[str]) -> Answer:
        """Carry out a request for a path below the repository."""
        raise NotImplementedError

    def as_issue(self, issue: Issue) -> dict[str, Any]:
        """Return the document for an issue."""
        raise NotImplementedError

    def open_issues(self) -> list[Issue]:
        """Return the open issues, oldest first."""
        return [issue for issue in self.issues.values() if issue.state == self.OPEN]

    def add(self, title: str, body: str = "", *, labels: Sequence[str] = (), **more: Any) -> Issue:  # noqa: ANN401  (fields)
        """Add an issue as a person would."""
        number = next(self._numbers)
        fields = {"state": self.OPEN, "touched": self.now(), **more}
        self.issues[number] = Issue(number, title, body, [*labels], **fields)
        return self.issues[number]

    def listed(self, query: Mapping[str, str], *, state: str, order: str) -> list[Issue]:
        """Return the issues that a list of them shows; order names the parameter for it."""
        wanted = {name.casefold() for name in query.get("labels", "").split(",") if name}
        shown = [*self.issues.values()][: len(self.issues) - self.lag]
        return [
            issue
            for issue in (shown if query.get(order, "desc") == "asc" else shown[::-1])
            if query.get("state", state) in (issue.state, "all")
            and wanted <= {name.casefold() for name in issue.labels}
        ]

    def page(self, rows: list[Any], path: str, query: Mapping[str, str]) -> Answer:
        """Return a page of rows, with a link to the next one."""
        size, page = min(100, int(query.get("per_page", 20))), int(query.get("page", 1))
        headers = {}
        if page * size < len(rows):
            rest = "&".join(f"{k}={v}" for k, v in query.items() if k != "page")
            target = f"{self.url(path)}?{rest}&page={page + 1}"
            headers["Link"] = f'<{target}>; rel="next", <{target}>; rel="last"'
        return Answer(200, rows[(page - 1) * size : page * size], headers)

    def times(self, issue: Issue) -> dict[str, str | None]:
        """Return the times of an issue."""
        return {
            "created_at": _text(START + timedelta(seconds=issue.number)),
            "updated_at": issue.touched,
            "closed_at": issue.touched if issue.state == "closed" else None,
        }

    def url(self, path: str = "") -> str:
        return f"{self.address}{self.PATH}/{path}".rstrip("/")

    def now(self) -> str:
        return _text(START + timedelta(hours=1, seconds=next(self._seconds)))


def refused(status: int, message: str, **headers: str) -> Answer:
    """Return a response to a refused request; `_` in names of headers stands for `-`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, {"message": message}, named)


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
