"""GitHub and GitLab: a run or pipeline of each, and what its API calls things.

https://docs.github.com/rest/issues, https://docs.gitlab.com/api/issues/
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from learnings.core.errors import UsageProblem
from learnings.surfaces.issues.issues import CLOSED, MOVED, OPEN, CiRun, Platform

_MOST_DIGITS = 20  # of the number of a run; GitHub's have 11


def _known_commit(text: str) -> str:
    """Return the commit in an event or a variable, or "" for the zeros that stand for none."""
    return text if text.strip("0") else ""


def _run_number(text: str) -> int:
    """Return the number of a run, or 0 if a variable has none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS else 0


_GITHUB_API, _GITHUB_SERVER = "https://api.github.com", "https://github.com"
_PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target", "pull_request_review")
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


def _github_run(environ: Mapping[str, str]) -> CiRun:
    """Return the run of the environment. Raises UsageProblem if it cannot be read."""
    event = environ.get("GITHUB_EVENT_NAME", "")
    payload = _payload(environ.get("GITHUB_EVENT_PATH", "")) if event else {}
    ref, repository = environ.get("GITHUB_REF", ""), environ.get("GITHUB_REPOSITORY", "")
    api = environ.get("GITHUB_API_URL") or _GITHUB_API
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    # The environment may set only the API address, so derive the server from it.
    own_pages = _GITHUB_SERVER if api == _GITHUB_API else api.rstrip("/").removesuffix("/api/v3")
    return CiRun(
        event=event,
        ref=ref,
        repository=repository,
        number=_run_number(environ.get("GITHUB_RUN_ID", "")),
        api=api,
        default_branch=_text(payload, "repository", "default_branch"),
        base=_github_base(event, payload, ref),
        runs_url=f"{server or own_pages}/{repository}/actions/runs/" if repository else "",
        is_pull_request=event in (*_PULL_REQUEST_EVENTS, "merge_group")
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


def _github_base(event: str, payload: Mapping[str, Any], ref: str) -> str:
    if event in _PULL_REQUEST_EVENTS:
        return _text(payload, "pull_request", "base", "sha")
    if event == "merge_group":
        return _text(payload, "merge_group", "base_sha")
    # After a deletion, GitHub checks out the default branch, which the push did not change.
    if event != "push" or payload.get("deleted") or ref.startswith("refs/tags/"):
        return ""
    return _known_commit(_text(payload, "before"))


def _text(value: Any, *names: str) -> str:  # noqa: ANN401
    """Return the text at the end of a path of names; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


_GITHUB_GRANT = "give the job `permissions: issues: write`, or the token that permission"
GITHUB = Platform(
    name="GitHub",
    token_variable="GITHUB_TOKEN",  # noqa: S106  (a name)
    address_variable="GITHUB_API_URL",
    address_form="which ends in /api/v3 for GitHub Enterprise Server",
    branch_setting="GITHUB_REF=refs/heads/NAME",
    history_setting="fetch-depth: 0",
    placeholder="OWNER/NAME",
    read_run=_github_run,
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
        403: f"the token is not allowed to do this in {{where}}; {_GITHUB_GRANT}",
        404: (
            "cannot find repository {where} with this token; check GITHUB_REPOSITORY and "
            f"{_GITHUB_GRANT}"
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

_GITLAB_API = "https://gitlab.com/api/v4"
_GITLAB_PATH = "/api/v4"
_MERGE_REQUEST_SOURCES = ("merge_request_event", "external_pull_request_event")
# Values of CI_PIPELINE_SOURCE for pipelines of a branch.
_WRITING_SOURCES = (
    *("", "push", "schedule", "web", "webide", "api", "chat"),
    *("trigger", "pipeline", "parent_pipeline"),
)


def _gitlab_run(environ: Mapping[str, str]) -> CiRun:
    """Return the pipeline of the environment; outside GitLab, almost nothing is known."""
    source = environ.get("CI_PIPELINE_SOURCE", "")
    branch, tag = environ.get("CI_COMMIT_BRANCH", ""), environ.get("CI_COMMIT_TAG", "")
    api = environ.get("CI_API_V4_URL") or _GITLAB_API
    path, pages = environ.get("CI_PROJECT_PATH", ""), environ.get("CI_PROJECT_URL", "")
    if path and not pages:
        pages = f"{api.rstrip('/').removesuffix(_GITLAB_PATH)}/{path}"
    is_merge_request = source in _MERGE_REQUEST_SOURCES or "CI_MERGE_REQUEST_IID" in environ
    base = "CI_MERGE_REQUEST_DIFF_BASE_SHA" if is_merge_request else "CI_COMMIT_BEFORE_SHA"
    return CiRun(
        event=source,
        ref=f"refs/heads/{branch}" if branch else f"refs/tags/{tag}" if tag else "",
        repository=environ.get("CI_PROJECT_ID") or path,
        number=_run_number(environ.get("CI_PIPELINE_ID", "")),
        api=api,
        default_branch=environ.get("CI_DEFAULT_BRANCH", ""),
        base="" if tag else _known_commit(environ.get(base, "")),
        runs_url=f"{pages}/-/pipelines/" if pages else "",
        is_pull_request=is_merge_request,
        event_writes=source in _WRITING_SOURCES,
    )


def _missing_gitlab_token(environ: Mapping[str, str]) -> str:
    instead = "; CI_JOB_TOKEN cannot write issues" if "CI_JOB_TOKEN" in environ else ""
    return (
        f"GITLAB_TOKEN is not set{instead}; set it, as a masked variable, to an access token with "
        "the role Reporter and the scope api, or use --dry-run"
    )


_GITLAB_GRANT = (
    "it needs the role Reporter and the scope api; enable issues there, or use `learnings notify "
    "file`"
)
_GITLAB_CONTENT = "GitLab refuses the content ({reason}); correct the issue settings"
_GITLAB_MOVED = (
    "GitLab redirects project {where}, so nothing was written; set CI_PROJECT_ID to its number"
)
GITLAB = Platform(
    name="GitLab",
    token_variable="GITLAB_TOKEN",  # noqa: S106  (a name)
    address_variable="CI_API_V4_URL",
    address_form="which ends in /api/v4",
    branch_setting="CI_COMMIT_BRANCH=NAME",
    history_setting="GIT_DEPTH: 0",
    placeholder="PROJECT",
    read_run=_gitlab_run,
    # The number of a project, or its path with at least one group.
    repository=r"\d{1,20}|[\w.-]+(?:/[\w.-]+)+",
    unknown_repository=(
        "the project for the issues is unknown; set CI_PROJECT_PATH=group/name, or CI_PROJECT_ID "
        "to its number"
    ),
    missing_token=_missing_gitlab_token,
    headers={"Accept": "application/json"},
    token_header=("PRIVATE-TOKEN", ""),
    repositories="projects",
    safe_in_name="",
    refusals={
        MOVED: _GITLAB_MOVED,
        400: _GITLAB_CONTENT,
        401: "GITLAB_TOKEN is invalid or belongs to another server; set a new one",
        403: (
            "the token is not allowed to do this in project {where}, or issues are disabled; "
            f"{_GITLAB_GRANT}"
        ),
        404: (
            "cannot find project {where} with issues enabled with this token; check "
            f"CI_PROJECT_ID; {_GITLAB_GRANT}"
        ),
        405: _GITLAB_MOVED,  # the answer for a moved project
        422: _GITLAB_CONTENT,
    },
    hints={"insufficient_scope": "GITLAB_TOKEN lacks the scope api; set a token that has it"},
    number="iid",
    text="description",
    comments="notes",
    locked="discussion_locked",
    people="assignee_ids",
    order={"order_by": "created_at", "sort": "asc"},
    state_fields={OPEN: {"state_event": "reopen"}, CLOSED: {"state_event": "close"}},
    change="PUT",
    branch="repository/branches/{}",
    commit=("commit", "id"),
    members="members/all",
    has_quick_actions=True,
)

PLATFORMS: Mapping[str, Platform] = {"github": GITHUB, "gitlab": GITLAB}


def platform_here(environ: Mapping[str, str]) -> Platform:
    """Return the platform of the current CI run, or GitHub if unknown."""
    return GITLAB if environ.get("GITLAB_CI") == "true" else GITHUB
