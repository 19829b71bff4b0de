"""The pipeline described by the variables of GitLab CI/CD."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.surfaces.issues.ci_run import NO_COMMIT, CiRun, run_number

PUBLIC_API = "https://gitlab.com/api/v4"
_API_PATH = "/api/v4"
_MERGE_REQUEST_SOURCES = ("merge_request_event", "external_pull_request_event")
# Values of CI_PIPELINE_SOURCE for pipelines of a branch.
_WRITING_SOURCES = (
    *("", "push", "schedule", "web", "webide", "api", "chat"),
    *("trigger", "pipeline", "parent_pipeline"),
)
# The number of a project, or its path with at least one group.
_PROJECT = lazy_pattern(r"\d{1,20}|[\w.-]+(?:/[\w.-]+)+")


def read_run(environ: Mapping[str, str]) -> CiRun:
    """Return the pipeline of the environment; outside GitLab, almost nothing is known."""
    source = environ.get("CI_PIPELINE_SOURCE", "")
    branch, tag = environ.get("CI_COMMIT_BRANCH", ""), environ.get("CI_COMMIT_TAG", "")
    api = environ.get("CI_API_V4_URL") or PUBLIC_API
    number, path = run_number(environ, "CI_PIPELINE_ID"), environ.get("CI_PROJECT_PATH", "")
    pages = environ.get("CI_PROJECT_URL", "")
    if path and not pages:
        pages = f"{api.rstrip('/').removesuffix(_API_PATH)}/{path}"
    runs_url = f"{pages}/-/pipelines/" if pages else ""
    is_merge_request = source in _MERGE_REQUEST_SOURCES or "CI_MERGE_REQUEST_IID" in environ
    base = "CI_MERGE_REQUEST_DIFF_BASE_SHA" if is_merge_request else "CI_COMMIT_BEFORE_SHA"
    before = environ.get(base, "")
    return CiRun(
        event=source,
        ref=f"refs/heads/{branch}" if branch else f"refs/tags/{tag}" if tag else "",
        repository=environ.get("CI_PROJECT_ID") or path,
        number=int(number or 0),
        url=f"{runs_url}{number}" if runs_url and number else None,
        api=api,
        default_branch=environ.get("CI_DEFAULT_BRANCH", ""),
        base="" if before == NO_COMMIT else before,
        runs_url=runs_url,
        is_pull_request=is_merge_request,
        event_writes=source in _WRITING_SOURCES,
    )


def checked_project(run: CiRun) -> str:
    """Return the number or path of the project. Raises UsageProblem if it has neither form."""
    if not _PROJECT.fullmatch(run.repository) or ".." in run.repository.split("/"):
        raise UsageProblem(
            "the project for the issues is unknown; set CI_PROJECT_PATH=group/name, or "
            "CI_PROJECT_ID to its number"
        )
    return run.repository
