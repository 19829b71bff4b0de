"""The workflow run described by its environment variables."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learnings.core.errors import UsageProblem
from learnings.surfaces.issues.ci_run import NO_COMMIT, CiRun, run_number

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
    """Return the run of the environment. Raises UsageProblem if its event file cannot be read."""
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
        base=_base(event, payload),
        in_actions=environ.get("GITHUB_ACTIONS") == "true",
        runs_url=f"{server or own_pages}/{repository}/actions/runs/" if repository else "",
        is_pull_request=event in (*PULL_REQUEST_EVENTS, "merge_group")
        or ref.startswith(("refs/pull/", "refs/heads/gh-readonly-queue/")),
        event_writes=event in _WRITING_EVENTS,
        is_on_default=event == _SCHEDULE,
    )


def checked_repository(run: CiRun) -> str:
    """Return the repository as `owner/name`. Raises UsageProblem if the environment names none."""
    owner, slash, name = run.repository.partition("/")
    if not (owner and slash and name) or "/" in name or ".." in (owner, name):
        raise UsageProblem(
            "the repository for the issues is unknown; set GITHUB_REPOSITORY=owner/name"
        )
    return run.repository


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


def _base(event: str, payload: Mapping[str, Any]) -> str:
    if event in PULL_REQUEST_EVENTS:
        return _text(payload, "pull_request", "base", "sha")
    if event == "merge_group":
        return _text(payload, "merge_group", "base_sha")
    before = _text(payload, "before") if event == "push" else ""
    return "" if before == NO_COMMIT else before


def _text(value: Any, *names: str) -> str:  # noqa: ANN401
    """Return the text at the end of a path of names; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""
