"""The run of a workflow as its environment tells of it: which event, which branch, which host."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from learnings.core.errors import UsageProblem

PUBLIC_API = "https://api.github.com"
PULL_REQUEST_EVENTS = ("pull_request", "pull_request_target", "pull_request_review")
_LARGEST_EVENT = 25_000_000  # bytes; GitHub sends no larger ones
_NO_COMMIT = "0" * 40


class Run(NamedTuple):
    """What is known of the run; empty text and 0 where it is not.

    event is empty outside of GitHub Actions. ref is the full name of the branch or pull request.
    default_branch is empty where the event does not tell. base is the commit that the event starts
    from: that of the target branch for a pull request, the one before it for a push.
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

    @property
    def is_pull_request(self) -> bool:
        """Whether the run is about a change that is not merged yet."""
        return self.event in (*PULL_REQUEST_EVENTS, "merge_group") or self.ref.startswith(
            ("refs/pull/", "refs/heads/gh-readonly-queue/")
        )

    @property
    def branch(self) -> str:
        """The branch that the run is about; empty for a tag or a pull request."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else ""


def run_from(environ: Mapping[str, str]) -> Run:
    """Read the run out of the environment and of the file that tells of the event.

    Raises UsageProblem where that file is named and cannot be read.
    """
    event = environ.get("GITHUB_EVENT_NAME", "")
    told = _event(environ.get("GITHUB_EVENT_PATH", "")) if event else {}
    repository, identity = environ.get("GITHUB_REPOSITORY", ""), environ.get("GITHUB_RUN_ID", "")
    server = environ.get("GITHUB_SERVER_URL", "").rstrip("/")
    known = server and repository and identity.isdecimal()
    return Run(
        event=event,
        ref=environ.get("GITHUB_REF", ""),
        repository=repository,
        number=int(identity) if identity.isdecimal() else 0,
        url=f"{server}/{repository}/actions/runs/{identity}" if known else None,
        api=environ.get("GITHUB_API_URL") or PUBLIC_API,
        default_branch=_text(told, "repository", "default_branch"),
        base=_base(event, told),
        in_actions=environ.get("GITHUB_ACTIONS") == "true",
    )


def checked_repository(run: Run) -> str:
    """The repository as `owner/name`; raises UsageProblem where the environment has none."""
    owner, slash, name = run.repository.partition("/")
    if not (owner and slash and name) or "/" in name or ".." in (owner, name):
        raise UsageProblem(
            "it is not known which repository the issues are in; set GITHUB_REPOSITORY=owner/name"
        )
    return run.repository


def _event(path: str) -> Mapping[str, Any]:
    if not path:
        return {}
    try:
        with Path(path).open("rb") as file:
            told = json.loads(file.read(_LARGEST_EVENT))
    except (OSError, ValueError, RecursionError):
        raise UsageProblem(
            "the file that GITHUB_EVENT_PATH names cannot be read; unset GITHUB_EVENT_NAME outside "
            "of GitHub Actions"
        ) from None
    return told if isinstance(told, dict) else {}


def _base(event: str, told: Mapping[str, Any]) -> str:
    if event in PULL_REQUEST_EVENTS:
        return _text(told, "pull_request", "base", "sha")
    if event == "merge_group":
        return _text(told, "merge_group", "base_sha")
    before = _text(told, "before") if event == "push" else ""
    return "" if before == _NO_COMMIT else before


def _text(told: Any, *names: str) -> str:  # noqa: ANN401
    for name in names:
        told = told.get(name) if isinstance(told, Mapping) else None
    return told if isinstance(told, str) else ""
