"""The run described by the environment, and whether it may write issues."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learnings.core.errors import UsageProblem
from learnings.surfaces.hosts import GITHUB
from learnings.surfaces.issues.issues import CiRun, reason_not_to_write

REPOSITORY = {"repository": {"default_branch": "main"}}
ACTIONS = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_REPOSITORY": "ada/parcels",
    "GITHUB_RUN_ID": "77",
    "GITHUB_SERVER_URL": "https://github.example",
    "GITHUB_API_URL": "https://api.github.example",
}


def event(tmp_path: Path, name: str, payload: object, **more: str) -> CiRun:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(payload), encoding="utf-8")
    own = {"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": str(path)}
    return GITHUB.read_run({**ACTIONS, **own, **more})


def never() -> str:
    raise AssertionError("the default branch need not be asked for")


def test_a_push(tmp_path: Path) -> None:
    payload = REPOSITORY | {"before": "b" * 40}
    run = event(tmp_path, "push", payload, GITHUB_REF="refs/heads/main")
    assert run == CiRun(
        event="push",
        ref="refs/heads/main",
        repository="ada/parcels",
        number=77,
        api="https://api.github.example",
        default_branch="main",
        base="b" * 40,
        runs_url="https://github.example/ada/parcels/actions/runs/",
    )
    assert run.url == "https://github.example/ada/parcels/actions/runs/77"
    assert reason_not_to_write(run, "", never, setting="") is None


def test_nothing_is_known_outside_of_a_run() -> None:
    assert GITHUB.read_run({}) == CiRun("", "", "", 0, "https://api.github.com", "", "")


@pytest.mark.parametrize(
    ("name", "payload", "base"),
    [
        ("push", {"before": "0" * 40}, ""),
        ("push", {}, ""),
        ("push", {"before": "b", "deleted": True}, ""),
        ("pull_request", {"pull_request": {"base": {"sha": "c"}}}, "c"),
        ("pull_request_target", {"pull_request": {"base": {"sha": "c"}}}, "c"),
        ("pull_request", {"pull_request": None}, ""),
        ("merge_group", {"merge_group": {"base_sha": "d"}}, "d"),
        ("schedule", {"schedule": "0 6 * * *"}, ""),
        ("push", ["no", "table"], ""),
    ],
)
def test_the_commit_that_an_event_starts_from(
    tmp_path: Path, name: str, payload: object, base: str
) -> None:
    assert event(tmp_path, name, payload).base == base


@pytest.mark.parametrize("content", [None, "{", b"\xff"])
def test_an_event_that_cannot_be_read(tmp_path: Path, content: str | bytes | None) -> None:
    path = tmp_path / "event.json"
    if content is not None:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(UsageProblem, match="GITHUB_EVENT_PATH"):
        GITHUB.read_run({"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": str(path)})


@pytest.mark.parametrize(
    ("name", "ref", "branch", "why"),
    [
        ("push", "refs/heads/main", "", None),
        ("push", "refs/heads/feature", "", "feature is not the default branch, which is main"),
        ("push", "refs/tags/main", "", "tags/main is not a branch; issues are updated only for"),
        ("schedule", "refs/heads/main", "", None),
        ("schedule", "", "", None),
        ("pull_request", "refs/pull/3/merge", "main", "not merged"),
        ("pull_request_target", "refs/heads/main", "", "not merged"),
        ("merge_group", "refs/heads/gh-readonly-queue/main/pr-3-abc", "", "not merged"),
        ("push", "refs/heads/gh-readonly-queue/main/pr-3-abc", "", "not merged"),
        ("issues", "refs/heads/main", "", "issues are not updated for the event issues"),
        ("", "", "main", None),
        ("", "", "feature", "feature is not the default branch"),
        ("", "", "", "no branch is checked out; set GITHUB_REF"),
        ("", "refs/heads/main", "", None),
    ],
)
def test_only_what_is_about_the_default_branch_writes(
    name: str, ref: str, branch: str, why: str | None
) -> None:
    run = GITHUB.read_run({"GITHUB_EVENT_NAME": name, "GITHUB_REF": ref})
    reason = reason_not_to_write(run, branch, lambda: "main", setting=GITHUB.branch_setting)
    assert reason is None if why is None else why in str(reason)


@pytest.mark.parametrize("repository", ["", "parcels", "ada/", "/parcels", "a/b/c", "../x"])
def test_what_is_not_a_repository(repository: str) -> None:
    with pytest.raises(UsageProblem, match="GITHUB_REPOSITORY=owner/name"):
        GITHUB.checked_repository(GITHUB.read_run({"GITHUB_REPOSITORY": repository}))


def test_the_pages_of_runs_follow_from_the_api_where_no_server_is_named() -> None:
    here = {"GITHUB_REPOSITORY": "a/b"}
    own = {"GITHUB_API_URL": "https://ghe.example/api/v3/"}
    assert GITHUB.read_run(here).runs_url == "https://github.com/a/b/actions/runs/"
    assert GITHUB.read_run(here | own).runs_url == "https://ghe.example/a/b/actions/runs/"
    assert GITHUB.read_run(own).runs_url == ""


@pytest.mark.parametrize("number", ["", "x", "-1", "1.5", "٣", "9" * 5_000])
def test_a_run_without_a_number(number: str) -> None:
    run = GITHUB.read_run(ACTIONS | {"GITHUB_RUN_ID": number})
    assert (run.number, run.url) == (0, None)
