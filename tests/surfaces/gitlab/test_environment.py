"""The pipeline described by the variables of GitLab CI/CD, and whether it may write issues."""

from __future__ import annotations

import json

import pytest

from learnings.core.errors import UsageProblem
from learnings.surfaces.hosts import GITLAB
from learnings.surfaces.issues import client as module
from learnings.surfaces.issues.client import Client, Token
from learnings.surfaces.issues.issues import (
    Body,
    CiRun,
    Issue,
    PlatformError,
    body_text,
    reason_not_to_write,
)
from tests.support.forge import refused
from tests.support.gitlab.server import TOKEN, GitLab
from tests.support.stand_in import Answer, Fault
from tests.surfaces.issues.clock import NOW, Standing

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
        api="https://gitlab.example/api/v4",
        default_branch="main",
        base="b" * 40,
        runs_url="https://gitlab.example/ada/tools/parcels/-/pipelines/",
    )
    assert run.url == "https://gitlab.example/ada/tools/parcels/-/pipelines/77"
    assert reason_not_to_write(run, "", never, setting="") is None


def test_nothing_is_known_outside_of_a_pipeline() -> None:
    assert GITLAB.read_run({}) == CiRun("", "", "", 0, "https://gitlab.com/api/v4", "", "")


def test_a_merge_request_starts_from_its_base() -> None:
    run = GITLAB.read_run(MERGE_REQUEST)
    assert (run.base, run.is_pull_request) == ("c" * 40, True)


@pytest.mark.parametrize("source", ["schedule", "web", "push"])
def test_no_commit_is_before_a_new_branch_or_a_schedule(source: str) -> None:
    variables = PUSH | {"CI_PIPELINE_SOURCE": source, "CI_COMMIT_BEFORE_SHA": "0" * 40}
    assert GITLAB.read_run(variables).base == ""


def test_no_commit_is_before_a_tag() -> None:
    variables = PIPELINE | {"CI_COMMIT_TAG": "v1", "CI_COMMIT_BEFORE_SHA": "b" * 40}
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
        (PUSH | {"CI_PIPELINE_SOURCE": "external_pull_request_event"}, "main", "not merged"),
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


SECRET = Token(TOKEN, "GITLAB_TOKEN")
TITLE = {"title": "T"}


@pytest.fixture
def client(gitlab: GitLab, time: Standing, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Send requests from the thread of the test, the only one that coverage measures."""
    monkeypatch.setattr(module, "_within", lambda _, work: work())
    return Client(GITLAB, gitlab.url, "ada/tools/parcels", SECRET, clock=time.clock)


def test_a_request_carries_what_gitlab_wants(gitlab: GitLab, client: Client) -> None:
    client.write("POST", "issues", TITLE)
    (seen,) = gitlab.seen
    assert seen.path == "/api/v4/projects/ada%2Ftools%2Fparcels/issues"
    assert seen.headers["private-token"] == TOKEN
    assert "authorization" not in seen.headers
    assert seen.headers["content-type"] == "application/json"
    assert TOKEN not in seen.path + json.dumps(seen.query) + json.dumps(seen.body)


@pytest.mark.parametrize("numbers_pages", [True, False], ids=["X-Next-Page", "Link"])
def test_lists_are_read_to_their_last_page(
    gitlab: GitLab,
    client: Client,
    numbers_pages: bool,
) -> None:
    gitlab.forge.numbers_pages = numbers_pages
    for number in range(230):
        gitlab.forge.add(f"Issue {number}", labels=["a b"])
    rows = [*client.pages("issues", GITLAB.query("a b"))]
    assert [row["iid"] for row in rows] == [*range(1, 231)]
    assert [request.query.get("page") for request in gitlab.seen] == [None, "2", "3"]
    assert {request.query["labels"] for request in gitlab.seen} == {"a b"}


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        (refused(429, "Too many", Retry_After="5"), 5.0),
        (refused(429, "x", RateLimit_Remaining="0", RateLimit_Reset=str(int(NOW) + 9)), 9.0),
        (Answer(429, b"Retry later\n"), 60.0),
    ],
)
def test_a_rate_limit_is_waited_for(
    gitlab: GitLab, client: Client, time: Standing, answer: Answer, wait: float
) -> None:
    gitlab.faults = [Fault("", answer)]
    client.write("POST", "issues", TITLE)
    assert (time.waits, len(gitlab.forge.issues)) == ([wait], 1)


PROJECT = "project ada/tools/parcels"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(301, None, {"Location": "/x"}), "set CI_PROJECT_ID to its number"),
        (refused(405, "Non GET methods are not allowed"), "set CI_PROJECT_ID to its number"),
        (refused(401, "401 Unauthorized"), "GITLAB_TOKEN is invalid or belongs"),
        (
            refused(403, "403 Forbidden"),
            f"the token is not allowed to do this in {PROJECT}, or issues are disabled; it needs",
        ),
        (Answer(403, {"error": "insufficient_scope"}), "GITLAB_TOKEN lacks the scope api"),
        (refused(404, "404 Project Not Found"), f"cannot find {PROJECT} with issues enabled"),
        (
            Answer(400, {"message": {"title": ["is too long", "is odd"], "x": 3}}),
            "GitLab refuses the content (title: is too long, is odd; x: 3); correct",
        ),
        (Answer(400, {"error": "title is missing"}), "the content (title is missing)"),
        (refused(418, "teapot"), "GitLab returned 418 (teapot)"),
        (Answer(409, {"message": None}), "GitLab returned 409 (no reason given)"),
    ],
)
def test_a_refusal_is_one_sentence(
    gitlab: GitLab, client: Client, time: Standing, answer: Answer, message: str
) -> None:
    gitlab.faults = [Fault("", answer)]
    with pytest.raises(PlatformError) as caught:
        client.write("POST", "issues", TITLE)
    assert message in str(caught.value)
    assert str(caught.value).isprintable()
    assert (len(gitlab.seen), time.waits) == (1, [])


def test_what_does_not_answer_as_gitlab_does(gitlab: GitLab, client: Client) -> None:
    gitlab.faults = [Fault("", Answer(200, b"<!doctype html>"))]
    with pytest.raises(PlatformError, match="not respond like GitLab; check CI_API_V4_URL"):
        client.get("")


def test_branches(gitlab: GitLab, client: Client) -> None:
    gitlab.forge.default_branch, gitlab.forge.newest = "release/1", "a" * 40
    assert client.default_branch() == "release/1"
    assert client.newest_commit("release/1") == "a" * 40
    assert client.newest_commit("other") is None
    gitlab.faults = [Fault("", Answer(200, {"default_branch": None}))]
    with pytest.raises(PlatformError, match="does not respond like GitLab"):
        client.default_branch()


DOCUMENT = {
    "iid": 3,
    "state": "opened",
    "labels": ["a"],
    "description": body_text(Body("a.md", "d", generated="task", notes="\n")),
}


def test_only_issues_with_our_marker_are_issues() -> None:
    text = str(DOCUMENT["description"])
    parts = Body("a.md", "d", generated="task", notes="\n")
    assert GITLAB.as_issue(DOCUMENT) == Issue(3, "open", None, ("a",), parts, text)
    closed = GITLAB.as_issue(DOCUMENT | {"state": "closed"})
    assert closed
    assert (closed.state, closed.reason) == ("closed", None)
    assert GITLAB.as_issue(DOCUMENT | {"description": "by hand"}) is None
    assert GITLAB.as_issue(DOCUMENT | {"description": None}) is None


@pytest.mark.parametrize(
    "wrong", [{"iid": True}, {"state": "ajar"}, {"labels": [3]}, {"description": 3}]
)
def test_an_issue_of_another_shape_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(PlatformError, match="does not respond like GitLab"):
        GITLAB.as_issue(DOCUMENT | wrong)


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("/close", " /close"),
        ("a\n/label ~x\nb", "a\n /label ~x\nb"),
        ("/usr/bin/env\n/ x\n//close\na /close", "/usr/bin/env\n/ x\n//close\na /close"),
    ],
)
def test_a_quick_action_is_one_no_more(text: str, harmless: str) -> None:
    assert GITLAB.harmless(text) == harmless
    assert GITLAB.harmless(harmless) == harmless
