"""GitLab: a pipeline, and what its API calls things.

https://docs.gitlab.com/api/issues/
"""

from __future__ import annotations

from collections.abc import Mapping

from learnings.surfaces.issues.ci_run import CiRun, known_commit, run_number
from learnings.surfaces.issues.issues import CLOSED, OPEN
from learnings.surfaces.issues.platform import MOVED, Platform

PUBLIC_API = "https://gitlab.com/api/v4"
_API_PATH = "/api/v4"
_MERGE_REQUEST_SOURCES = ("merge_request_event", "external_pull_request_event")
# Values of CI_PIPELINE_SOURCE for pipelines of a branch.
_WRITING_SOURCES = (
    *("", "push", "schedule", "web", "webide", "api", "chat"),
    *("trigger", "pipeline", "parent_pipeline"),
)


def read_run(environ: Mapping[str, str]) -> CiRun:
    """Return the pipeline of the environment; outside GitLab, almost nothing is known."""
    source = environ.get("CI_PIPELINE_SOURCE", "")
    branch, tag = environ.get("CI_COMMIT_BRANCH", ""), environ.get("CI_COMMIT_TAG", "")
    api = environ.get("CI_API_V4_URL") or PUBLIC_API
    number = run_number(environ, "CI_PIPELINE_ID")
    path, pages = environ.get("CI_PROJECT_PATH", ""), environ.get("CI_PROJECT_URL", "")
    if path and not pages:
        pages = f"{api.rstrip('/').removesuffix(_API_PATH)}/{path}"
    runs_url = f"{pages}/-/pipelines/" if pages else ""
    is_merge_request = source in _MERGE_REQUEST_SOURCES or "CI_MERGE_REQUEST_IID" in environ
    base = "CI_MERGE_REQUEST_DIFF_BASE_SHA" if is_merge_request else "CI_COMMIT_BEFORE_SHA"
    return CiRun(
        event=source,
        ref=f"refs/heads/{branch}" if branch else f"refs/tags/{tag}" if tag else "",
        repository=environ.get("CI_PROJECT_ID") or path,
        number=int(number or 0),
        url=f"{runs_url}{number}" if runs_url and number else None,
        api=api,
        default_branch=environ.get("CI_DEFAULT_BRANCH", ""),
        base="" if tag else known_commit(environ.get(base, "")),
        runs_url=runs_url,
        is_pull_request=is_merge_request,
        event_writes=source in _WRITING_SOURCES,
    )


def _missing_token(environ: Mapping[str, str]) -> str:
    instead = "; CI_JOB_TOKEN cannot write issues" if "CI_JOB_TOKEN" in environ else ""
    return (
        f"GITLAB_TOKEN is not set{instead}; set it, as a masked variable, to an access token with "
        "the role Reporter and the scope api, or use --dry-run"
    )


_GRANT = (
    "it needs the role Reporter and the scope api; enable issues there, or use `learnings notify "
    "file`"
)
_CONTENT = "GitLab refuses the content ({reason}); correct the issue settings"
_HAS_MOVED = (
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
    read_run=read_run,
    # The number of a project, or its path with at least one group.
    repository=r"\d{1,20}|[\w.-]+(?:/[\w.-]+)+",
    unknown_repository=(
        "the project for the issues is unknown; set CI_PROJECT_PATH=group/name, or CI_PROJECT_ID "
        "to its number"
    ),
    missing_token=_missing_token,
    headers={"Accept": "application/json"},
    token_header=("PRIVATE-TOKEN", ""),
    repositories="projects",
    safe_in_name="",
    refusals={
        MOVED: _HAS_MOVED,
        400: _CONTENT,
        401: "GITLAB_TOKEN is invalid or belongs to another server; set a new one",
        403: (
            "the token is not allowed to do this in project {where}, or issues are disabled; "
            f"{_GRANT}"
        ),
        404: (
            "cannot find project {where} with issues enabled with this token; check "
            f"CI_PROJECT_ID; {_GRANT}"
        ),
        405: _HAS_MOVED,  # the answer for a moved project
        422: _CONTENT,
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
