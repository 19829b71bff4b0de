"""GitHub: a workflow run, and what its API calls things.

https://docs.github.com/rest/issues
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learnings.core.errors import UsageProblem
from learnings.surfaces.issues.ci_run import CiRun, known_commit, run_number
from learnings.surfaces.issues.issues import CLOSED, OPEN
from learnings.surfaces.issues.platform import MOVED, Platform

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


def read_run(environ: Mapping[str, str]) -> CiRun:
    """Return the run of the environment. Raises UsageProblem if it cannot be read."""
    event = environ.get("GITHUB_EVENT_NAME", "")
    payload = _payload(environ.get("GITHUB_EVENT_PATH", "")) if event else {}
    ref, repository = environ.get("GITHUB_REF", ""), environ.get("GITHUB_REPOSITORY", "")
    number = run_number(environ, "GITHUB_RUN_ID")
    api = environ.get("GITHUB_API_URL") or PUBLIC_API
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    # The environment may set only the API address, so derive the server from it.
    own_pages = PUBLIC_SERVER if api == PUBLIC_API else api.rstrip("/").removesuffix("/api/v3")
    has_page = server and repository and number
    return CiRun(
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
    return known_commit(_text(payload, "before"))


def _text(value: Any, *names: str) -> str:  # noqa: ANN401
    """Return the text at the end of a path of names; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


_GRANT = "give the job `permissions: issues: write`, or the token that permission"
GITHUB = Platform(
    name="GitHub",
    token_variable="GITHUB_TOKEN",  # noqa: S106  (a name)
    address_variable="GITHUB_API_URL",
    address_form="which ends in /api/v3 for GitHub Enterprise Server",
    branch_setting="GITHUB_REF=refs/heads/NAME",
    history_setting="fetch-depth: 0",
    placeholder="OWNER/NAME",
    read_run=read_run,
    repository=r"[^/]+/[^/]+",
    unknown_repository=(
        "the repository for the issues is unknown; set GITHUB_REPOSITORY=owner/name"
    ),
    missing_token=lambda _: "GITHUB_TOKEN is not set; set it, or use --dry-run",
    headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
    token_header=("Authorization", "Bearer "),
    repositories="repos",
    safe_in_name="/",
    refusals={
        MOVED: (
            "GitHub redirects {where}, so nothing was written; set GITHUB_REPOSITORY to its "
            "current name"
        ),
        401: "GITHUB_TOKEN is invalid or belongs to another server; set a new one",
        403: f"the token is not allowed to do this in {{where}}; {_GRANT}",
        404: (
            "cannot find repository {where} with this token; check GITHUB_REPOSITORY and "
            f"{_GRANT}"
        ),
        410: (
            "issues are disabled in {where}; enable them in its settings, or use "
            "`learnings notify file`"
        ),
        422: "GitHub refuses the content ({reason}); correct the issue settings",
    },
    hints={},
    number="number",
    text="body",
    comments="comments",
    locked="locked",
    people="assignees",
    order={"sort": "created", "direction": "asc"},
    state_fields={OPEN: {"state": "open"}, CLOSED: {"state": "closed"}},
    change="PATCH",
    branch="git/ref/heads%2F{}",
    commit=("object", "sha"),
    new_label={
        "color": "c5def5",
        "description": "kept by learnings: one issue for each memory file",
    },
)
