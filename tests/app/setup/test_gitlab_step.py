"""The job of `learnings init --gitlab`: written where it is safe, valid, and run by a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import learnings
from learnings.app.setup.ci_steps import (
    JOB,
    PIPELINE,
    PIPELINE_TEXT,
    job_text,
    lines_to_include,
    running_file,
    servers,
    with_job,
)
from learnings.app.setup.origin import Origin
from learnings.app.setup.text_steps import ManualEditRequired
from release import names
from tests.support.command import Command, Completed
from tests.support.frameworks import ORIGIN, REVISION
from tests.support.gitlab.server import TOKEN, GitLab, serving
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

FILE, REPORT = "agents/learnings.md", "gl-code-quality-report.json"
LEARNINGS = "# Learnings\n\n## When a build hangs\n\nLook.\n"
OWN = "stages: [test]\n\ntest:\n  script: [make test]\n"
SCRIPTS = Path(sysconfig.get_path("scripts"))


def init(repository: GitRepository, *words: str) -> Completed:
    return Command("learnings")("init", *words, cwd=repository.path)


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, LEARNINGS)
    repository.commit(date="2026-01-01")
    return repository


def test_a_repository_without_a_pipeline_gets_one(memory: GitRepository) -> None:
    shown = init(memory, "--gitlab", "--dry-run")
    assert shown.code == 0, shown.err
    assert f"+++ b/{JOB}" in shown.out
    assert not (memory.path / JOB).exists()

    done = init(memory, "--gitlab")
    assert f"{JOB}: created\n{PIPELINE}: created\n" in done.out
    assert f" {JOB} {PIPELINE} " in done.out.partition("git add")[2]
    assert "learnings init --gitlab" not in done.out
    assert memory.read(JOB).decode() == job_text(ORIGIN)
    assert yaml.safe_load(memory.read(PIPELINE)) == {"include": [{"local": JOB}]}

    again = init(memory, "--gitlab")
    assert "created" not in again.out
    assert f"{JOB} is already up to date\n" in again.err
    assert "nothing to do" in again.err


@pytest.mark.parametrize(
    ("head", "lines"),
    [
        (
            "",
            "add to .gitlab-ci.yml, at the end:\n  include:\n    - local: .gitlab/learnings.yml\n",
        ),
        (
            "include:\n  - local: x.yml\n\n",
            "add to .gitlab-ci.yml, in the list `include`:\n  - local: .gitlab/learnings.yml\n",
        ),
    ],
)
def test_a_pipeline_of_others_is_left_alone_and_the_line_printed(
    memory: GitRepository, head: str, lines: str
) -> None:
    memory.write(PIPELINE, head + OWN)
    assert lines in init(memory, "--gitlab", "--dry-run").err
    done = init(memory, "--gitlab")
    assert (done.code, lines in done.out) == (0, True)
    assert f" {PIPELINE}" in done.out.partition("git add")[2]
    assert memory.read(PIPELINE).decode() == head + OWN
    assert memory.read(JOB).decode() == job_text(ORIGIN)
    assert "nothing to do" not in init(memory, "--gitlab").err


def test_a_pipeline_that_has_the_job(memory: GitRepository) -> None:
    for pipeline in (f"include: '{JOB}'\n{OWN}", f"include:\n  - local: /{JOB}\n"):
        assert lines_to_include(pipeline) == ()
        memory.write(PIPELINE, pipeline)
        assert running_file(memory.path) == PIPELINE
    assert "learnings init --gitlab" not in init(memory).out
    assert lines_to_include(f"# include {JOB}\n") == ("include:", f"  - local: {JOB}")


@pytest.mark.parametrize(
    ("pipeline", "is_missing"),
    [
        ("stages:\r\n  - build\r\n  - test\r\n", False),
        ("stages: [build, test]\n", False),
        ("stages: [build]\n\ntest:\n  script: [make test]\n", True),
        ("stages:\n  - build\n  - unit-test\n\nlint:\n  stage: build\n", True),
    ],
)
def test_a_stage_that_the_pipeline_does_not_have(
    memory: GitRepository, pipeline: str, *, is_missing: bool
) -> None:
    memory.write(PIPELINE, pipeline)
    note = f"{PIPELINE} has no stage `test` for the job"
    assert (note in init(memory, "--gitlab").err) == is_missing


def test_another_content_is_never_overwritten(memory: GitRepository) -> None:
    memory.write(JOB, "lint:\n  script: [make lint]\n")
    done = init(memory, "--gitlab")
    assert done.code == 2
    assert f"{JOB} exists with different content and was not changed" in done.err
    assert "learnings:\n  image: python" in done.err
    assert memory.read(JOB) == b"lint:\n  script: [make lint]\n"
    assert not (memory.path / PIPELINE).exists()


def test_a_job_that_was_changed_or_is_older_is_left_as_it_is() -> None:
    changed = job_text(ORIGIN).replace("python:3.13", "python:3.12")
    assert with_job(changed, ORIGIN) == (
        changed,
        (f"{JOB} already installs learnings and was not changed",),
    )
    older = job_text(ORIGIN).replace(REVISION, "v0.0.1")
    assert (
        with_job(older, ORIGIN)
        .notes[0]
        .endswith(f"; it installs v0.0.1, change that to {REVISION}")
    )
    windows = job_text(ORIGIN).replace("\n", "\r\n")
    assert with_job(windows, ORIGIN) == (windows, (f"{JOB} is already up to date",))
    with pytest.raises(ManualEditRequired):
        with_job(job_text(ORIGIN).replace("learnings", "other"), ORIGIN)


@pytest.mark.parametrize(
    ("url", "is_there"),
    [
        ("git@gitlab.com:ada/parcels.git", True),
        ("https://gitlab.example.org/ada/parcels", True),
        ("git@github.com:ada/gitlab.git", False),
        ("https://notgitlab.org/ada/parcels", False),
    ],
)
def test_a_project_on_gitlab_is_told_of_the_job(
    memory: GitRepository, url: str, *, is_there: bool
) -> None:
    memory.git("config", "remote.origin.url", url)
    assert ("gitlab" in servers(memory.path)) == is_there
    assert ("  learnings init --gitlab\n" in init(memory).out) == is_there


def test_the_job_is_that_of_the_page_and_of_the_example() -> None:
    page = (ROOT / "docs/ci.md").read_text("utf-8")
    assert f"```yaml\n{PIPELINE_TEXT}```\n" in page
    example = (ROOT / "examples/gitlab/learnings.yml").read_text("utf-8")
    home = learnings.HOME or f"https://{names.SERVER}"
    assert example.partition("\n")[2] == job_text(Origin(home, learnings.REVISION))
    assert [rule["if"] for rule in job()["rules"]] == [
        '$CI_PIPELINE_SOURCE == "merge_request_event"',
        "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH",
    ]
    assert job()["variables"] == {"GIT_DEPTH": "0"}


@pytest.mark.soak
def test_gitlab_has_a_schema_for_the_job_and_the_pipeline(tmp_path: Path) -> None:
    def checked(text: str) -> subprocess.CompletedProcess[str]:
        path = tmp_path / "job.yml"
        path.write_text(text, "utf-8")
        words = ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", str(path)]
        program = SCRIPTS / "check-jsonschema"
        return subprocess.run([program, *words], capture_output=True, text=True, check=False)

    for text in (job_text(ORIGIN), PIPELINE_TEXT):
        done = checked(text)
        assert done.returncode == 0, done.stdout + done.stderr
    assert checked(job_text(ORIGIN).replace("codequality:", "code-quality:")).returncode == 1


# --- the script of the job


def job() -> Any:  # noqa: ANN401  (of a YAML file)
    return yaml.safe_load(job_text(ORIGIN))["learnings"]


@pytest.fixture
def gitlab() -> Iterator[GitLab]:
    with serving() as server:
        yield server
    assert server.problems == []


PIPELINE_VARIABLES = {
    "CI": "true",
    "GITLAB_CI": "true",
    "CI_PROJECT_ID": "42",
    "CI_PIPELINE_ID": "77",
    "CI_DEFAULT_BRANCH": "main",
}
PUSH = {**PIPELINE_VARIABLES, "CI_PIPELINE_SOURCE": "push", "CI_COMMIT_BRANCH": "main"}
MERGE_REQUEST = {
    **PIPELINE_VARIABLES,
    "CI_PIPELINE_SOURCE": "merge_request_event",
    "CI_MERGE_REQUEST_IID": "3",
}


def run_script(
    repository: GitRepository, gitlab: GitLab, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the script as a runner does: in one shell that ends at the first failure."""
    installation, *script = job()["script"]
    assert installation == f'pip install --quiet "{ORIGIN.requirement("gitlab")}"'
    path = f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "CI_API_V4_URL": gitlab.url, **variables}
    return subprocess.run(
        ["sh", "-e", "-c", "\n".join(script)],
        cwd=repository.path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def due(memory: GitRepository) -> GitRepository:
    entries = "".join(f"## When {number}\n\ntext\n\n" for number in range(4))
    memory.write(FILE, f"# Learnings\n\n{entries}")
    memory.commit(date="2026-01-01")
    memory.work("2026-01-02", days=16)
    return memory


def report(repository: GitRepository) -> list[str]:
    """Return the rules in the report that the job leaves."""
    assert job()["artifacts"]["reports"]["codequality"] == REPORT
    return [issue["check_name"] for issue in json.loads(repository.read(REPORT))]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="runs a POSIX shell")
def test_the_default_branch_keeps_the_issue(due: GitRepository, gitlab: GitLab) -> None:
    done = run_script(due, gitlab, **PUSH)
    assert (done.returncode, gitlab.seen) == (0, []), done.stderr
    assert "No issue is kept, because the variable GITLAB_TOKEN is not set.\n" in done.stdout
    assert f"{FILE}: due" in done.stdout
    done = run_script(due, gitlab, **PUSH, GITLAB_TOKEN=TOKEN)
    assert done.returncode == 0, done.stderr
    assert f"{FILE}: issue #1 created\n" in done.stdout
    assert report(due) == ["memory-not-loaded"]
    due.write("learnings.toml", "colour = 3\n")
    done = run_script(due, gitlab, **PUSH)
    assert (done.returncode != 0, "colour" in done.stderr) == (True, True)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="runs a POSIX shell")
def test_a_merge_request_with_a_finding_and_a_loss_fails_and_leaves_the_report(
    due: GitRepository, gitlab: GitLab
) -> None:
    base = due.git("rev-parse", "HEAD").strip()
    due.branch("topic")
    due.write(FILE, "# Learnings\n\n## When 1\n\ntext\n\n## When 1\n\nother\n")
    due.commit(date="2026-01-20")
    variables = MERGE_REQUEST | {"CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "GITLAB_TOKEN": TOKEN}
    done = run_script(due, gitlab, **variables)
    assert done.returncode == 1
    assert 'the entry "When 3" is lost' in done.stdout
    assert "duplicate-entry" in report(due)
    assert gitlab.seen == []
