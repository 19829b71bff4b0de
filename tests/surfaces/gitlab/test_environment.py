"""The pipeline described by the variables of GitLab CI/CD, and whether it may write issues."""

from __future__ import annotations

import pytest

from learnings.core.errors import UsageProblem
from learnings.surfaces.gitlab import GITLAB
from learnings.surfaces.issues.access import CiRun, reason_not_to_write

PIPELINE = {
    "GITLAB_CI": "true",
    "CI_API_V4_URL": "https://gitlab.example/api/v4",
    "CI_PROJECT_ID": "42",
    "CI_PROJECT_PATH": "ada/tools/parcels",
    "CI_PROJECT_URL": "https://gitlab.example/ada/tools/parcels",
    "CI_PIPELINE_ID": "77",
    "CI_DEFAULT_BRANCH": "main",
}
PUSH = {**PIPELINE, "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main"}
MERGE_REQUEST = {
    **PIPELINE,
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_IID": "3",
    "CI_MERGE_REQUEST_DIFF_BASE_SHA": "c" * 40,
    "CI_COMMIT_BEFORE_SHA": "0" * 40,
}


def never() -> str:
    raise AssertionError("the default branch need not be asked for")


def test_a_push() -> None:
    run = GITLAB.read_run(PUSH | {"CI_COMMIT_BEFORE_SHA": "b" * 40})
    assert run == CiRun(
        event="push",
        ref="refs/heads/main",
        repository="42",
        number=77,
        url="https://gitlab.example/ada/tools/parcels/-/pipelines/77",
        api="https://gitlab.example/api/v4",
        default_branch="main",
        base="b" * 40,
        runs_url="https://gitlab.example/ada/tools/parcels/-/pipelines/",
    )
    assert reason_not_to_write(run, "", never, setting="") is None


def test_nothing_is_known_outside_of_a_pipeline() -> None:
    assert GITLAB.read_run({}) == CiRun("", "", "", 0, None, "https://gitlab.com/api/v4", "", "")


def test_a_merge_request_starts_from_its_base() -> None:
    run = GITLAB.read_run(MERGE_REQUEST)
    assert (run.base, run.is_pull_request) == ("c" * 40, True)


@pytest.mark.parametrize("source", ["schedule", "web", "push"])
def test_no_commit_is_before_a_new_branch_or_a_schedule(source: str) -> None:
    variables = PUSH | {"CI_PIPELINE_SOURCE": source, "CI_COMMIT_BEFORE_SHA": "0" * 40}
    assert GITLAB.read_run(variables).base == ""


@pytest.mark.parametrize(
    ("variables", "branch", "why"),
    [
        (PUSH, "", None),
        (PUSH | {"CI_PIPELINE_SOURCE": "parent_pipeline"}, "", None),
        (
            PUSH | {"CI_COMMIT_BRANCH": "topic"},
            "",
            "topic is not the default branch, which is main",
        ),
        (MERGE_REQUEST, "main", "not merged"),
        (MERGE_REQUEST | {"CI_PIPELINE_SOURCE": "parent_pipeline"}, "main", "not merged"),
        (
            PUSH | {"CI_PIPELINE_SOURCE": "external_pull_request_event"},
            "main",
            "not merged",
        ),
        (
            PUSH | {"CI_PIPELINE_SOURCE": "ondemand_dast_scan"},
            "main",
            "issues are not updated for the event ondemand_dast_scan",
        ),
        (
            {**PIPELINE, "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_TAG": "v1"},
            "main",
            "tags/v1 is not a branch",
        ),
        ({}, "", "no branch is checked out; set CI_COMMIT_BRANCH=NAME to name it"),
    ],
)
def test_only_what_is_about_the_default_branch_writes(
    variables: dict[str, str], branch: str, why: str | None
) -> None:
    run = GITLAB.read_run(variables)
    reason = reason_not_to_write(run, branch, lambda: "main", setting=GITLAB.branch_setting)
    assert reason is None if why is None else why in str(reason)


@pytest.mark.parametrize("project", ["42", "ada/tools/parcels", "a.b/c-d/e_f"])
def test_what_is_a_project(project: str) -> None:
    assert GITLAB.checked_repository(GITLAB.read_run({"CI_PROJECT_PATH": project})) == project


@pytest.mark.parametrize("project", ["", "parcels", "ada/", "/parcels", "../x", "a/../b", "a b/c"])
def test_what_is_not_a_project(project: str) -> None:
    with pytest.raises(UsageProblem, match="CI_PROJECT_PATH=group/name"):
        GITLAB.checked_repository(GITLAB.read_run({"CI_PROJECT_PATH": project}))


def test_the_pages_of_pipelines_follow_from_the_api_where_no_project_page_is_named() -> None:
    here = {"CI_PROJECT_PATH": "ada/parcels"}
    own = {"CI_API_V4_URL": "https://gl.example/sub/api/v4/"}
    below = "ada/parcels/-/pipelines/"
    assert GITLAB.read_run(here).runs_url == f"https://gitlab.com/{below}"
    assert GITLAB.read_run(here | own).runs_url == f"https://gl.example/sub/{below}"
    assert GITLAB.read_run(own).runs_url == ""


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 5_000])
def test_a_pipeline_without_a_number(number: str) -> None:
    run = GITLAB.read_run(PIPELINE | {"CI_PIPELINE_ID": number})
    assert (run.number, run.url) == (0, None)
