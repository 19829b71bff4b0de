"""The API of GitHub and its issues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from learnings.surfaces.github import environment
from learnings.surfaces.issues.access import (
    PlatformError,
    limit_wait,
    server_message,
    shortened_reason,
)
from learnings.surfaces.issues.api import next_link
from learnings.surfaces.issues.ci_run import CiRun
from learnings.surfaces.issues.client import Client, JsonObject
from learnings.surfaces.issues.issues import CLOSED, OPEN, Issue, read_body
from learnings.surfaces.issues.steps import (
    ChangeIssue,
    CommentOnIssue,
    CreateIssue,
    IssueStep,
    Request,
)

_RATE_LIMIT_WAIT = 60.0  # seconds; from GitHub's documentation, for an answer without a time
_LABEL_FIELDS = {
    "color": "c5def5",
    "description": "kept by learnings: one issue for each memory file",
}


class GitHub:
    name = "GitHub"
    extra = "github"
    token_variable = "GITHUB_TOKEN"  # noqa: S105  (a name)
    address_variable = "GITHUB_API_URL"
    headers: Mapping[str, str] = {
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    token_header = ("Authorization", "Bearer ")
    placeholder = "OWNER/NAME"
    branch_setting = "GITHUB_REF=refs/heads/NAME"
    history_setting = "fetch-depth: 0"

    def read_run(self, environ: Mapping[str, str]) -> CiRun:
        return environment.read_run(environ)

    def checked_repository(self, run: CiRun) -> str:
        return environment.checked_repository(run)

    def missing_token(self, environ: Mapping[str, str]) -> str:  # noqa: ARG002  (others read it)
        return "GITHUB_TOKEN is not set; set it, or use --dry-run"

    def base(self, address: str, repository: str) -> str:
        return f"{address}/repos/{quote(repository)}"

    def next_page(self, url: str, headers: Mapping[str, str]) -> str | None:  # noqa: ARG002
        return next_link(headers)

    def wait(
        self, status: int, document: object, headers: Mapping[str, str], now: float
    ) -> float | None:
        if status not in (403, 429):
            return None
        requested = limit_wait(headers, now, prefix="x-ratelimit")
        if requested is not None:
            return requested
        message = document.get("message") if isinstance(document, Mapping) else None
        is_limit = status == 429 or "rate limit" in str(message)
        return _RATE_LIMIT_WAIT if is_limit else None

    def unexpected(self, host: str = "the server") -> PlatformError:
        return PlatformError(
            f"{host} does not respond like GitHub; check GITHUB_API_URL, which ends in "
            f"/api/v3 for GitHub Enterprise Server"
        )

    def refusal(self, status: int, document: object, *, repository: str) -> PlatformError:
        if 300 <= status < 400:
            return PlatformError(
                f"GitHub redirects {repository}, so nothing was written; set "
                f"GITHUB_REPOSITORY to its current name"
            )
        grant = "give the job `permissions: issues: write`, or the token that permission"
        sentences = {
            401: "GITHUB_TOKEN is invalid or belongs to another server; set a new one",
            403: f"the token is not allowed to do this in {repository}; {grant}",
            404: f"cannot find repository {repository} with this token; check "
            f"GITHUB_REPOSITORY and {grant}",
            410: f"issues are disabled in {repository}; enable them in its settings, or use "
            "`learnings notify file`",
            422: f"GitHub refuses the content ({_fields(document)}); correct the issue settings",
        }
        default = f"GitHub returned {status} ({server_message(document)}); try again later"
        return PlatformError(sentences.get(status, default))

    def query(self, label: str) -> Mapping[str, str]:
        return {"labels": label, "state": "all", "sort": "created", "direction": "asc"}

    def as_issue(self, document: Mapping[str, Any]) -> Issue | None:
        """Return an issue of the API, or None for a pull request or one without our marker."""
        text = document.get("body")
        if not isinstance(text, str | None):
            raise self.unexpected()
        body = read_body(text)
        if text is None or body is None or "pull_request" in document:
            return None
        number, state, reason = (document.get(key) for key in ("number", "state", "state_reason"))
        if (
            type(number) is not int
            or state not in (OPEN, CLOSED)
            or not isinstance(reason, str | None)
        ):
            raise self.unexpected()
        labels = self._label_names(document.get("labels"))
        return Issue(number, state, reason, labels, body, text)

    def _label_names(self, labels: object) -> tuple[str, ...]:
        """Return the names of labels, which the API gives as text or as objects."""
        if not isinstance(labels, list) or not all(isinstance(row, str | dict) for row in labels):
            raise self.unexpected()
        names = (label if isinstance(label, str) else label.get("name") for label in labels)
        return tuple(name for name in names if isinstance(name, str))

    def requests_for(self, step: IssueStep, label: str) -> list[Request]:
        match step:
            case CreateIssue(desired, body):
                fields = {"name": label, **_LABEL_FIELDS}
                labels = list(dict.fromkeys((label, *desired.labels)))
                issue = {"title": desired.title, "body": body, "labels": labels}
                people = {"assignees": list(desired.assignees)} if desired.assignees else {}
                return [
                    Request("POST", "labels", fields, "the label does not exist"),
                    Request("POST", "issues", issue | people),
                ]
            case ChangeIssue(issue, body, state, reason):
                changes = {"body": body, "state": state, "state_reason": reason}
                fields = {name: value for name, value in changes.items() if value is not None}
                return [Request("PATCH", f"issues/{issue.number}", fields)]
            case CommentOnIssue(issue, marker, text):
                path = f"issues/{issue.number}/comments"
                fields = {"body": f"{text}\n\n{marker}"}
                return [Request("POST", path, fields, "the comment does not exist")]

    def create(self, client: Client, requests: Sequence[Request], label: str) -> JsonObject:
        new_label, issue = requests
        if client.get_or_none(f"labels/{quote(label, safe='')}") is None:
            client.post_unless_there(new_label.path, new_label.fields)
        return client.write(*issue[:3])

    def harmless(self, text: str) -> str:
        return text

    def default_branch(self, client: Client) -> str:
        name = client.get("").get("default_branch")
        if not isinstance(name, str):
            raise self.unexpected()
        return name

    def newest_commit(self, client: Client, branch: str) -> str | None:
        ref = quote(f"heads/{branch}", safe="")
        document = client.get_or_none(f"git/ref/{ref}") or {}
        newest = document.get("object")
        commit = newest.get("sha") if isinstance(newest, dict) else None
        return commit if isinstance(commit, str) else None


def _fields(document: object) -> str:
    """Return the refused fields, as `assignees: invalid`."""
    errors = document.get("errors") if isinstance(document, Mapping) else None
    fields = [
        f"{error.get('field', error.get('resource', 'request'))}: {error.get('code', 'invalid')}"
        for error in (errors if isinstance(errors, list) else [])
        if isinstance(error, Mapping)
    ]
    return shortened_reason(", ".join(fields)) if fields else server_message(document)


GITHUB = GitHub()
