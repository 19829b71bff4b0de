"""A workflow run of GitHub, its API and its issues."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from learnings.core.errors import UsageProblem
from learnings.surfaces.issues import access, steps
from learnings.surfaces.issues.client import Client, JsonObject
from learnings.surfaces.issues.issues import CLOSED, OPEN, Issue, read_body

_RATE_LIMIT_WAIT = 60.0  # seconds; from GitHub's documentation, for an answer without a time
_LABEL_FIELDS = {
    "color": "c5def5",
    "description": "kept by learnings: one issue for each memory file",
}
PUBLIC_API, PUBLIC_SERVER = "https://api.github.com", "https://github.com"
PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target", "pull_request_review")
_SCHEDULE = "schedule"  # GitHub starts these only for the default branch
_WRITING_EVENTS = (
    "",
    "push",
    _SCHEDULE,
    "workflow_dispatch",
    "repository_dispatch",
    "workflow_run",
)
_LARGEST_EVENT = 25_000_000  # bytes; GitHub sends none larger


class GitHub(steps.Platform):
    name = "GitHub"
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

    def read_run(self, environ: Mapping[str, str]) -> access.CiRun:
        event = environ.get("GITHUB_EVENT_NAME", "")
        payload = _payload(environ.get("GITHUB_EVENT_PATH", "")) if event else {}
        ref, repository = environ.get("GITHUB_REF", ""), environ.get("GITHUB_REPOSITORY", "")
        number = access.run_number(environ, "GITHUB_RUN_ID")
        api = environ.get("GITHUB_API_URL") or PUBLIC_API
        server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
        # The environment may set only the API address, so derive the server from it.
        own_pages = PUBLIC_SERVER if api == PUBLIC_API else api.rstrip("/").removesuffix("/api/v3")
        has_page = server and repository and number
        return access.CiRun(
            event=event,
            ref=ref,
            repository=repository,
            number=int(number or 0),
            url=f"{server}/{repository}/actions/runs/{number}" if has_page else None,
            api=api,
            default_branch=_text(payload, "repository", "default_branch"),
            base=_base(event, payload, ref),
            in_actions=environ.get("GITHUB_ACTIONS") == "true",
            runs_url=f"{server or own_pages}/{repository}/actions/runs/" if repository else "",
            is_pull_request=event in (*PULL_REQUEST_EVENTS, "merge_group")
            or ref.startswith(("refs/pull/", "refs/heads/gh-readonly-queue/")),
            event_writes=event in _WRITING_EVENTS,
            is_on_default=event == _SCHEDULE,
        )

    def checked_repository(self, run: access.CiRun) -> str:
        owner, slash, name = run.repository.partition("/")
        if not (owner and slash and name) or "/" in name or ".." in (owner, name):
            raise UsageProblem(
                "the repository for the issues is unknown; set GITHUB_REPOSITORY=owner/name"
            )
        return run.repository

    def missing_token(self, environ: Mapping[str, str]) -> str:  # noqa: ARG002  (others read it)
        return "GITHUB_TOKEN is not set; set it, or use --dry-run"

    def base(self, address: str, repository: str) -> str:
        return f"{address}/repos/{quote(repository)}"

    def wait(
        self, status: int, document: object, headers: Mapping[str, str], now: float
    ) -> float | None:
        if status not in (403, 429):
            return None
        requested = access.limit_wait(headers, now, prefix="x-ratelimit")
        if requested is not None:
            return requested
        message = document.get("message") if isinstance(document, Mapping) else None
        is_limit = status == 429 or "rate limit" in str(message)
        return _RATE_LIMIT_WAIT if is_limit else None

    def unexpected(self, host: str = "the server") -> access.PlatformError:
        return access.PlatformError(
            f"{host} does not respond like GitHub; check GITHUB_API_URL, which ends in "
            f"/api/v3 for GitHub Enterprise Server"
        )

    def refusal(self, status: int, document: object, *, repository: str) -> access.PlatformError:
        if 300 <= status < 400:
            return access.PlatformError(
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
        default = f"GitHub returned {status} ({access.server_message(document)}); try again later"
        return access.PlatformError(sentences.get(status, default))

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
        labels = document.get("labels")  # each is a text or an object
        if not isinstance(labels, list) or not all(isinstance(row, str | dict) for row in labels):
            raise self.unexpected()
        names = (label if isinstance(label, str) else label.get("name") for label in labels)
        known = tuple(name for name in names if isinstance(name, str))
        return Issue(number, state, reason, known, body, text)

    def requests_for(self, step: steps.IssueStep, label: str) -> list[steps.Request]:
        match step:
            case steps.CreateIssue(desired, body):
                fields = {"name": label, **_LABEL_FIELDS}
                labels = list(dict.fromkeys((label, *desired.labels)))
                issue = {"title": desired.title, "body": body, "labels": labels}
                people = {"assignees": list(desired.assignees)} if desired.assignees else {}
                return [
                    steps.Request("POST", "labels", fields, "the label does not exist"),
                    steps.Request("POST", "issues", issue | people),
                ]
            case steps.ChangeIssue(issue, body, state, reason):
                changes = {"body": body, "state": state, "state_reason": reason}
                fields = {name: value for name, value in changes.items() if value is not None}
                return [steps.Request("PATCH", f"issues/{issue.number}", fields)]
            case steps.CommentOnIssue(issue, marker, text):
                path = f"issues/{issue.number}/comments"
                fields = {"body": f"{text}\n\n{marker}"}
                return [steps.Request("POST", path, fields, "the comment does not exist")]

    def create(self, client: Client, requests: Sequence[steps.Request], label: str) -> JsonObject:
        new_label, issue = requests
        if client.get_or_none(f"labels/{quote(label, safe='')}") is None:
            client.post_unless_there(new_label.path, new_label.fields)
        return client.write(*issue[:3])

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
    return access.shortened_reason(", ".join(fields)) if fields else access.server_message(document)


def _payload(path: str) -> Mapping[str, Any]:
    if not path:
        return {}
    try:
        with Path(path).open("rb") as file:
            payload = json.loads(file.read(_LARGEST_EVENT))
    except (OSError, ValueError, RecursionError):
        raise UsageProblem(
            "cannot read the file in GITHUB_EVENT_PATH; outside GitHub Actions, unset "
            "GITHUB_EVENT_NAME"
        ) from None
    return payload if isinstance(payload, dict) else {}


def _base(event: str, payload: Mapping[str, Any], ref: str) -> str:
    if event in PULL_REQUEST_EVENTS:
        return _text(payload, "pull_request", "base", "sha")
    if event == "merge_group":
        return _text(payload, "merge_group", "base_sha")
    # After a deletion, GitHub checks out the default branch, which the push did not change.
    if event != "push" or payload.get("deleted") or ref.startswith("refs/tags/"):
        return ""
    return access.known_commit(_text(payload, "before"))


def _text(value: Any, *names: str) -> str:  # noqa: ANN401
    """Return the text at the end of a path of names; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


GITHUB = GitHub()
