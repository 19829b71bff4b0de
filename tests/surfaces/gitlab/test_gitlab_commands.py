"""`learnings notify gitlab` and `learnings ci` in a real repository, on GitLab."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.command import Command, Completed
from tests.support.gitlab.server import TOKEN, GitLab
from tests.support.repository import GitRepository
from tests.surfaces.memory import FILE, MOMENT, as_shown, memory

Run = Callable[..., Completed]
PIPELINE = {
    "CI": "true",
    "GITLAB_CI": "true",
    "CI_JOB_TOKEN": "a-job-token",
    "CI_PROJECT_PATH": "ada/tools/parcels",
    "CI_PROJECT_URL": "https://gitlab.example/ada/tools/parcels",
    "CI_PIPELINE_ID": "77",
    "CI_DEFAULT_BRANCH": "main",
}
PUSH = {**PIPELINE, "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main"}
SCHEDULE = PUSH | {"CI_PIPELINE_SOURCE": "schedule"}
MERGE_REQUEST = {
    **PIPELINE,
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_IID": "3",
}


@pytest.fixture
def run(learnings: Command, gitlab: GitLab, due: GitRepository) -> Run:
    """Return a command with a token for the project; keyword arguments are variables."""

    def run(*words: str, **variables: str | None) -> Completed:
        env: dict[str, str | None] = {
            "GITLAB_TOKEN": TOKEN,
            "CI_API_V4_URL": gitlab.url,
            "CI_PROJECT_ID": "42",
        }
        done = learnings(*words, cwd=due.path, env={**env, **variables})
        assert TOKEN not in done.out + done.err
        return done

    return run


@pytest.mark.slow
def test_due_changed_consolidated(run: Run, gitlab: GitLab, due: GitRepository) -> None:
    first = run("notify", "gitlab", **PUSH)
    assert (first.code, first.out, first.err) == (0, f"{FILE}: issue #1 created\n", "")
    (issue,) = gitlab.forge.open_issues()
    assert "### 1. `When one`" in (issue.body or "")
    assert "[run](https://gitlab.example/ada/tools/parcels/-/pipelines/77)" in (issue.body or "")
    gitlab.forget()
    later = PUSH | {"CI_PIPELINE_ID": "78"}
    unchanged = f"{FILE}: issue #1 unchanged: already up to date\n"
    assert run("notify", "gitlab", **later).out == unchanged
    assert gitlab.writes == []
    due.write(FILE, memory("When new"))
    due.commit(date="2026-01-18")
    closed = f"{FILE}: issue #1 closed with a comment\n"
    assert run("notify", "gitlab", **later).out == closed
    assert issue.comments[0].startswith("No longer due: only 1 of the 3 entries")


def test_a_dry_run_shows_exactly_what_is_sent(run: Run, gitlab: GitLab) -> None:
    options = ("--labels", "a, b", "--assignees", "ada", "--title", "Do {file}")
    dry_run = run("notify", "gitlab", "--dry-run", *options)
    assert gitlab.writes == []
    assert f"GET {gitlab.url}/projects/42/members/all?query=ada\n" in dry_run.out
    assert "  assignee_ids: ada\n" in dry_run.out
    run("notify", "gitlab", *options)
    (issue,) = (request for request in gitlab.seen if request.method == "POST")
    assert f"POST {gitlab.url}/projects/42/issues\n" in dry_run.out
    assert issue.body.pop("assignee_ids") == [7]
    for name, value in issue.body.items():
        assert as_shown(name, value) in MOMENT.sub("NOW", dry_run.out)
    assert (issue.body["title"], issue.body["labels"]) == (f"Do {FILE}", "learnings,a,b")


def test_a_dry_run_needs_neither_token_nor_network(run: Run, gitlab: GitLab) -> None:
    nothing = {"GITLAB_TOKEN": None, "CI_PROJECT_ID": None, "CI_API_V4_URL": None}
    done = run("notify", "gitlab", "--dry-run", **nothing)
    assert done.code == 0
    assert "existing issues were not read" in done.out
    assert "POST https://gitlab.com/api/v4/projects/PROJECT/issues\n" in done.out
    assert gitlab.seen == []


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        (
            {"GITLAB_TOKEN": None, "CI_JOB_TOKEN": "x"},
            "GITLAB_TOKEN is not set; CI_JOB_TOKEN cannot write issues; set it",
        ),
        ({"CI_PROJECT_ID": None}, "the project for the issues is unknown; set CI_PROJ"),
        ({"GITLAB_TOKEN": "other"}, "GITLAB_TOKEN is invalid or belongs"),
        ({"CI_PROJECT_ID": "43"}, "cannot find project 43 with issues enabled with this token"),
    ],
)
def test_what_is_missing_is_one_sentence(
    run: Run, gitlab: GitLab, variables: dict[str, str | None], message: str
) -> None:
    done = run("notify", "gitlab", **variables)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"learnings: {message}")
    assert done.err.count("\n") == 1
    assert gitlab.writes == []


def test_an_entry_carries_nothing_out(run: Run, gitlab: GitLab, due: GitRepository) -> None:
    body = "Then:\n\n```\n/close\n```\n\n/close\n/assign @eve\n"
    due.write(FILE, memory("When one", "When two", "When three", body=body))
    due.commit(date="2026-01-17")
    run("notify", "gitlab")
    (issue,) = gitlab.forge.open_issues()
    assert (issue.body or "").count("\n /close\n") == 6
    assert (issue.body or "").count("\n /assign @eve\n") == 3
    gitlab.forget()
    assert "unchanged" in run("notify", "gitlab").out
    assert gitlab.writes == []


def test_a_long_task_with_quick_actions_still_fits(
    run: Run, gitlab: GitLab, due: GitRepository
) -> None:
    body = "/close\n" * 300
    due.write(FILE, memory(*(f"When thing {number} hangs" for number in range(60)), body=body))
    due.commit(date="2026-01-01")
    assert run("notify", "gitlab").out == f"{FILE}: issue #1 created\n"
    text = gitlab.forge.issues[1].body or ""
    assert 60_000 < len(text) <= 65_536
    assert text.endswith("<!-- learnings:end -->")


def test_a_job_checks_and_keeps_the_issue(run: Run, gitlab: GitLab) -> None:
    dry_run = run("ci", "--notify", "gitlab", "--dry-run", **SCHEDULE)
    assert f"{FILE}: issue would be created" in dry_run.out
    assert gitlab.writes == []
    done = run("ci", "--notify", "gitlab", **SCHEDULE)
    assert done.code == 0
    assert f"{FILE}: due" in done.out
    assert f"{FILE}: issue #1 created\n" in done.out
    assert "::" not in done.out
    assert len(gitlab.forge.open_issues()) == 1


def test_a_job_for_a_merge_request_refuses_a_loss(
    run: Run, gitlab: GitLab, due: GitRepository
) -> None:
    due.branch("topic")
    due.write(FILE, memory("When one", "When two"))
    due.commit(date="2026-01-18")
    base = due.git("rev-parse", "main").strip()
    done = run("ci", **MERGE_REQUEST, CI_MERGE_REQUEST_DIFF_BASE_SHA=base, GITLAB_TOKEN=None)
    assert done.code == 1
    assert 'the entry "When three" is lost' in done.out
    assert gitlab.seen == []


def test_a_job_for_a_push_refuses_a_loss(run: Run, due: GitRepository) -> None:
    before = due.head()
    due.git("reset", "--quiet", "--hard", "HEAD~1")
    due.write(FILE, memory("When one", "When two"))
    due.commit(date="2026-01-18")
    done = run("ci", **PUSH, CI_COMMIT_BEFORE_SHA=before, GITLAB_TOKEN=None)
    assert done.code == 1
    assert 'the entry "When three" is lost' in done.out
    assert f"learnings archive --from {before} --file {FILE} --stage" in done.out
    done = run("ci", **PUSH, CI_COMMIT_BEFORE_SHA="d" * 40)
    assert (done.code, f"run git fetch origin {'d' * 40} first" in done.err) == (2, True)


def test_a_job_names_the_setting_for_a_shallow_clone(run: Run) -> None:
    done = run("ci", **MERGE_REQUEST, CI_MERGE_REQUEST_DIFF_BASE_SHA="d" * 40)
    assert (
        "is missing here, so the change is not described; check out with GIT_DEPTH: 0" in done.err
    )


def test_an_older_pipeline_leaves_what_a_later_one_has_written(
    run: Run, gitlab: GitLab, due: GitRepository
) -> None:
    run("notify", "gitlab", **PUSH)
    older = PUSH | {"CI_PIPELINE_ID": "76"}
    gitlab.forge.newest = "1" * 40
    assert "left as run 77 has written it" in run("notify", "gitlab", **older).out
    gitlab.forge.newest = due.git("rev-parse", "HEAD").strip()
    assert "unchanged" in run("notify", "gitlab", **older).out
