"""The workflow run as its environment variables describe it, and whether it may write issues."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from learnings.core.errors import UsageProblem
from learnings.core.patterns import lazy_pattern

PUBLIC_API, PUBLIC_SERVER = "https://api.github.com", "https://github.com"
PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target", "pull_request_review")
SCHEDULE = "schedule"
_WRITING_EVENTS = ("", "push", SCHEDULE, "workflow_dispatch", "repository_dispatch", "workflow_run")
_LARGEST_EVENT = 25_000_000  # bytes; GitHub sends no larger ones
_NUMBER = lazy_pattern(r"[0-9]{1,20}")  # of a run; those of GitHub have 11 digits
_NO_COMMIT = "0" * 40  # in a push event, the commit before a new branch


class WorkflowRun(NamedTuple):
    """The facts about a run; unknown text is empty and an unknown number 0.

    event is empty outside of GitHub Actions. base is the commit of the target branch for a pull
    request, the one before it for a push. A run has its page at runs_url with its number appended.
    """

    event: str
    ref: str
    repository: str
    number: int
    url: str | None
    api: str
    default_branch: str
    base: str
    in_actions: bool = False
    runs_url: str = ""

    @property
    def is_pull_request(self) -> bool:
        """True if the run is about a change that is not merged yet."""
        return self.event in (*PULL_REQUEST_EVENTS, "merge_group") or self.ref.startswith(
            ("refs/pull/", "refs/heads/gh-readonly-queue/")
        )

    @property
    def branch(self) -> str:
        """The branch that the run is about; empty for a tag or a pull request."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else ""


def read_run(environ: Mapping[str, str]) -> WorkflowRun:
    """Return the run of the environment. Raises UsageProblem if its event file cannot be read."""
    event = environ.get("GITHUB_EVENT_NAME", "")
    payload = _payload(environ.get("GITHUB_EVENT_PATH", "")) if event else {}
    repository, number = environ.get("GITHUB_REPOSITORY", ""), environ.get("GITHUB_RUN_ID", "")
    number = number if _NUMBER.fullmatch(number) else ""
    api = environ.get("GITHUB_API_URL") or PUBLIC_API
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    # Only the address of the API may be set, so the server follows from it.
    own_pages = PUBLIC_SERVER if api == PUBLIC_API else api.rstrip("/").removesuffix("/api/v3")
    has_page = server and repository and number
    return WorkflowRun(
        event=event,
        ref=environ.get("GITHUB_REF", ""),
        repository=repository,
        number=int(number or 0),
        url=f"{server}/{repository}/actions/runs/{number}" if has_page else None,
        api=api,
        default_branch=_text(payload, "repository", "default_branch"),
        base=_base(event, payload),
        in_actions=environ.get("GITHUB_ACTIONS") == "true",
        runs_url=f"{server or own_pages}/{repository}/actions/runs/" if repository else "",
    )


def checked_repository(run: WorkflowRun) -> str:
    """Return the repository as `owner/name`. Raises UsageProblem if the environment names none."""
    owner, slash, name = run.repository.partition("/")
    if not (owner and slash and name) or "/" in name or ".." in (owner, name):
        raise UsageProblem(
            "it is not known which repository the issues are in; set GITHUB_REPOSITORY=owner/name"
        )
    return run.repository


def reason_not_to_write(
    run: WorkflowRun, branch: str, default_branch: Callable[[], str]
) -> str | None:
    """Return why a run writes no issues, as the rest of a sentence, or None if it does.

    branch is the one that is checked out. default_branch is called if the event does not name it.
    """
    if run.is_pull_request:
        return "this change is not merged yet; issues are written for the default branch only"
    if run.event not in _WRITING_EVENTS:
        return f"issues are not written for the event {run.event}"
    if run.event == SCHEDULE:  # which GitHub starts for the default branch alone
        return None
    current = run.branch or ("" if run.event else branch)
    if current:
        default = run.default_branch or default_branch()
        is_default = current == default
        return None if is_default else f"{current} is not the default branch, which is {default}"
    if run.ref.startswith("refs/tags/"):
        tag = run.ref.removeprefix("refs/")
        return f"{tag} is not a branch; issues are written for the default one"
    return "no branch is checked out; set GITHUB_REF=refs/heads/NAME to say which one it is"


def _payload(path: str) -> Mapping[str, Any]:
    if not path:
        return {}
    try:
        with Path(path).open("rb") as file:
            payload = json.loads(file.read(_LARGEST_EVENT))
    except (OSError, ValueError, RecursionError):
        raise UsageProblem(
            "the file that GITHUB_EVENT_PATH names cannot be read; unset GITHUB_EVENT_NAME outside "
            "of GitHub Actions"
        ) from None
    return payload if isinstance(payload, dict) else {}


def _base(event: str, payload: Mapping[str, Any]) -> str:
    if event in PULL_REQUEST_EVENTS:
        return _text(payload, "pull_request", "base", "sha")
    if event == "merge_group":
        return _text(payload, "merge_group", "base_sha")
    before = _text(payload, "before") if event == "push" else ""
    return "" if before == _NO_COMMIT else before


def _text(value: Any, *names: str) -> str:  # noqa: ANN401
    """Return the text at the end of a path of names; empty if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""
