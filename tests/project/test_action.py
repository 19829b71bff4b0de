"""The composite action: its own steps, run in order as a runner runs them, for each event."""

from __future__ import annotations

import os
import shutil
from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import which

import pytest

from tests.support.checkout import files
from tests.support.github.server import TOKEN, GitHub, serving
from tests.support.guard import ROOT, guarded
from tests.support.repository import GitRepository
from tests.support.runner import Ran, Runner

pytestmark = [
    pytest.mark.network,
    pytest.mark.soak,
    pytest.mark.skipif(os.name == "nt", reason="paths of Windows are not those of its bash"),
]

FILE = "agents/learnings.md"
HOSTILE = '$(touch "$RUNNER_TEMP/pwned") `id` "; exit 9; \' @team'
PUSH = {"repository": {"default_branch": "main"}}
SHADOWED = "taken from the checkout"
STEPS = [
    "Fetch the missing history",
    "Set up Python",
    "Install learnings in its own environment",
    "Check, judge and notify",
]


def memory(*titles: str) -> str:
    return "# Learnings\n\n" + "\n".join(f"## {title}\n\ntext of {title}\n" for title in titles)


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the checkout, because a build leaves files in it."""
    folder = tmp_path_factory.mktemp("action")
    with guarded.opened():
        present = files()
    for path in present:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    return folder


@pytest.fixture(scope="module")
def runner(action: Path, tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(action, tmp_path_factory.mktemp("runner"), token=TOKEN, once=STEPS[2:3])


@pytest.fixture(scope="module", autouse=True)
def installed(runner: Runner, nowhere: Path, tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """Run all steps once, in a checkout with modules named like Python's."""
    os.chdir(nowhere)  # comes before the fixture that does so for each test
    checkout = GitRepository(tmp_path_factory.mktemp("hostile"))
    hostile(checkout)
    checkout.commit()
    return runner.run(
        checkout.path, event="push", payload=PUSH, environ={}, inputs={"notify": "none"}
    )


def hostile(checkout: GitRepository) -> None:
    """Write modules that end whatever imports them."""
    for name in ("venv.py", "logging/__init__.py", "pip.py", "json.py"):
        checkout.write(name, f'raise SystemExit("{SHADOWED}")\n')


@pytest.fixture
def github() -> Iterator[GitHub]:
    with serving() as server:
        yield server
    assert server.problems == []


@pytest.fixture
def origin(repository: GitRepository) -> GitRepository:
    """Return a repository whose memory is due, with a branch that adds to it."""
    repository.write(FILE, memory("When one", "When two", "When three"))
    repository.commit(date="2026-01-01")
    repository.work("2026-01-02", days=16)
    repository.branch("feature")
    repository.write(FILE, memory("When one", "When two", "When three", "When four"))
    repository.commit(date="2026-01-17")
    repository.checkout("main")
    return repository


def run(
    runner: Runner,
    github: GitHub,
    checkout: GitRepository,
    event: str,
    payload: Mapping[str, object],
    *,
    given: Mapping[str, str] | None = None,
    **more: str,
) -> Ran:
    inputs = {"notify": "github", **(given or {})}
    environ = {
        "GITHUB_API_URL": github.url,
        "GITHUB_REPOSITORY": "ada/parcels",
        "GITHUB_RUN_ID": "77",
        "GITHUB_SERVER_URL": "https://github.example",
        **more,
    }
    ran = runner.run(checkout.path, event=event, payload=payload, environ=environ, inputs=inputs)
    assert TOKEN not in ran.printed + str(ran.outputs) + ran.last.summary
    return ran


def test_a_push_with_everything_given(
    runner: Runner, github: GitHub, origin: GitRepository
) -> None:
    clone = origin.clone()
    given = {"labels": "soon, later", "assignees": "ada", "title": f"{{file}} {HOSTILE}"}
    ran = run(
        runner, github, clone, "push", PUSH, GITHUB_REF="refs/heads/main",
        given={**given, "mention": HOSTILE, "files": f"{FILE}\r\n\n"},
    )  # fmt: skip
    assert [step.name for step in ran.steps] == STEPS
    assert ran.last.code == 0, ran.printed
    (issue,) = github.forge.open_issues()
    assert issue.title == f"{FILE} {HOSTILE}"
    assert (issue.labels, issue.assignees) == (["learnings", "soon", "later"], ["ada"])
    assert f"\n\n{HOSTILE}\n\n" in (issue.body or "")
    assert ran.outputs["verdict"] == "due"
    assert ran.outputs["reasons"].startswith(f"{FILE}: 16 active days")
    assert (ran.outputs["batch-size"], ran.outputs["issue-number"]) == ("3", "1")
    report = Path(ran.outputs["report-path"])
    assert report.read_text(encoding="utf-8") in ran.last.summary
    assert not (report.parent / "pwned").exists()


def test_a_push_that_is_refused_ends_the_job(
    runner: Runner, github: GitHub, origin: GitRepository
) -> None:
    origin.write(FILE, memory("When one", "When one"))
    ran = run(runner, github, origin, "push", PUSH, GITHUB_REF="refs/heads/main")
    assert ran.last.code == 1
    assert "::error file=agents/learnings.md,line=7,col=1,title=duplicate-entry::" in ran.printed
    assert ran.outputs["verdict"] == "not-due"


@pytest.mark.parametrize(
    "made_for",
    [
        ("pull_request", "refs/pull/3/merge", None),
        ("pull_request", "refs/pull/3/merge", ""),  # from a fork
        ("merge_group", "refs/heads/gh-readonly-queue/main/pr-3-abc", None),
    ],
)
def test_what_is_not_merged_is_shown_and_not_sent(
    runner: Runner, github: GitHub, origin: GitRepository, made_for: tuple[str, str, str | None]
) -> None:
    # The merge that a server makes to try it.
    event, ref, token = made_for
    clone, base = origin.clone(), origin.head("main")
    clone.git("checkout", "--quiet", "--detach", "origin/main")
    clone.merge("origin/feature", message=f"Merge {origin.head('feature')} into {base}")
    pull = {"base": {"sha": base}, "head": {"repo": {"fork": token is not None}}}
    payload: dict[str, object] = {**PUSH, "pull_request": pull, "merge_group": {"base_sha": base}}
    given = {} if token is None else {"token": token}
    ran = run(runner, github, clone, event, payload, GITHUB_REF=ref, given=given)
    assert ran.last.code == 0, ran.printed
    assert f"- `{FILE}`: 13 → 17 of 150 lines\n" in ran.last.summary
    assert "\n- Adds 1 entry.\n  - **added** " in ran.last.summary
    assert "not sent: this change is not merged" in ran.printed
    assert ran.outputs["issue-number"] == ""
    assert github.seen == []


def test_a_schedule_with_a_shallow_checkout_that_is_deepened(
    runner: Runner, github: GitHub, origin: GitRepository
) -> None:
    clone = origin.clone(depth=1)
    payload = {"schedule": "17 6 * * 1-5"}
    ran = run(runner, github, clone, "schedule", payload, GITHUB_REF="refs/heads/main")
    assert ran.last.code == 0, ran.printed
    assert clone.git("rev-parse", "--is-shallow-repository") == "false"
    assert (ran.outputs["verdict"], ran.outputs["issue-number"]) == ("due", "1")


def test_the_commit_that_a_forced_push_replaced_is_fetched(
    runner: Runner, github: GitHub, origin: GitRepository
) -> None:
    before = origin.head()
    origin.git("checkout", "--quiet", "--orphan", "other")
    origin.git("branch", "--quiet", "--delete", "--force", "main", "feature")
    origin.write(FILE, memory("When one", "When two"))
    origin.commit(date="2026-01-18")
    payload: dict[str, object] = {**PUSH, "before": before}
    for clone in (origin.clone(), origin.clone(depth=1)):
        ran = run(runner, github, clone, "push", payload, GITHUB_REF="refs/heads/main")
        assert ran.last.code == 1, ran.printed
        assert 'the entry "When three" is lost' in ran.printed
    payload["before"] = "d" * 40
    ran = run(runner, github, origin, "push", payload, GITHUB_REF="refs/heads/main")
    assert (ran.last.code, [step.name for step in ran.steps]) == (2, STEPS)
    assert f"run git fetch origin {'d' * 40} first" in ran.printed


def test_a_shallow_checkout_is_refused_where_that_is_wanted(
    runner: Runner, github: GitHub, origin: GitRepository
) -> None:
    clone = origin.clone(depth=1)
    given = {"unshallow": "false", "python-version": ""}
    ran = run(runner, github, clone, "push", PUSH, GITHUB_REF="refs/heads/main", given=given)
    assert [step.name for step in ran.steps] == STEPS[2:]
    assert ran.last.code == 2
    assert "fetch-depth: 0" in ran.printed
    assert github.seen == []


def test_history_that_cannot_be_fetched_ends_the_job_without_showing_the_token(
    runner: Runner, github: GitHub, origin: GitRepository, tmp_path: Path
) -> None:
    clone = origin.clone(depth=1)
    clone.git("remote", "set-url", "origin", str(tmp_path / "nowhere"))
    seen, folder = tmp_path / "seen", tmp_path / "bin"
    folder.mkdir()
    words = '"$*" "${GIT_CONFIG_KEY_0:-}" "${GIT_CONFIG_VALUE_0:-}" "${GIT_TERMINAL_PROMPT:-}"'
    script = f"#!/bin/sh\nprintf '%s|%s|%s|%s\\n' {words} >> '{seen}'\nexec {which('git')} \"$@\"\n"
    (folder / "git").write_text(script, encoding="utf-8")
    (folder / "git").chmod(0o755)
    path = os.pathsep.join((str(folder), os.environ["PATH"]))
    ran = run(runner, github, clone, "push", PUSH, GITHUB_REF="refs/heads/main", PATH=path)
    assert len(ran.steps) == 1
    assert ran.last.code != 0
    masked = [line for line in ran.printed.splitlines() if line.startswith("::add-mask::")]
    assert len(masked) == 1
    rows = [line.split("|") for line in seen.read_text(encoding="utf-8").splitlines()]
    first, second = [row for row in rows if row[0].startswith("fetch ")]
    basic = b64encode(f"x-access-token:{TOKEN}".encode()).decode()
    assert first[1:] == ["", "", "0"]
    assert second[1] == "http.https://github.example/.extraheader"
    assert second[2:] == [f"Authorization: Basic {basic}", "0"]
    assert not [row for row in rows if TOKEN in row[0] or basic in row[0]]


def test_modules_of_the_checkout_do_not_run_and_only_notifying_has_the_token(
    runner: Runner, installed: Ran, github: GitHub, origin: GitRepository
) -> None:
    hostile(origin)
    ran = run(runner, github, origin, "push", PUSH, given={"notify": "none"})
    for steps in (installed, ran):
        assert steps.last.code == 0, steps.printed
        assert SHADOWED not in steps.printed
    assert ran.last.env["GITHUB_TOKEN"] == ""
    assert ran.outputs["issue-number"] == ""
    assert github.seen == []


def test_a_folder_of_the_checkout(runner: Runner, github: GitHub, origin: GitRepository) -> None:
    origin.write("packages/a/learnings.toml", 'path = "memory.md"\n')
    origin.write("packages/a/memory.md", memory("When a"))
    origin.commit(date="2026-01-17")
    given = {"working-directory": "packages/a", "notify": "none"}
    ran = run(runner, github, origin, "push", PUSH, given=given)
    assert ran.last.code == 0, ran.printed
    assert "| `packages/a/memory.md` | not-due:" in ran.last.summary
    assert FILE not in ran.last.summary
