"""Run by git itself, with the variables that git sets, the command says the same as outside."""

from __future__ import annotations

import json
import stat
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.history.memory import FILE, Json, ages, body, day, due, forget, keep, live, memory
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

HOOK = """\
#!/bin/sh
env | grep ^GIT_ >{out}/variables
pwd >{out}/folder
{command} ages {file} --format=json >{out}/ages || exit
{command} due {file} --format=json >{out}/due
"""


@dataclass(frozen=True, slots=True)
class Said:
    """What the hook saw and heard."""

    variables: set[str]
    ages: Json
    due: Json


@pytest.fixture
def lived(repository: GitRepository) -> GitRepository:
    """A repository with another file that changes, and a memory of A to D with some history."""
    repository.write("sub/other.txt", "1\n")
    keep(repository, 0, memory("A", "B", "C", "D", "E"))
    keep(repository, 1, memory("A", "B", "C", "D"))
    live(repository, 2, 8)
    repository.git("reset", "--quiet", "--hard")
    return repository


def committed(
    repository: GitRepository, *words: str, out: Path, folder: str = ".", file: str = FILE
) -> Said:
    """Run `git commit` with a pre-commit hook that runs the command, and forget before."""
    common = repository.path / repository.git("rev-parse", "--git-common-dir")
    hook = common / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK.format(out=out, command=Command("learnings").path, file=file))
    hook.chmod(hook.stat().st_mode | stat.S_IXUSR)
    forget(repository)
    stamp = f"{day(9)}T12:00:00Z"
    repository.git("-C", folder, "commit", "--quiet", "-m", "x", f"--date={stamp}", *words)
    lines = (out / "variables").read_text().splitlines()
    return Said(
        {line.partition("=")[0] for line in lines},
        json.loads((out / "ages").read_bytes()),
        json.loads((out / "due").read_bytes())["files"][0],
    )


def change(repository: GitRepository) -> None:
    repository.write("sub/other.txt", "2\n")
    repository.write(FILE, memory("A", "Bee", "New", "C", Bee=body("B")))


WAYS = {
    "commit": (),
    "commit -a": ("-a",),
    "commit PATH": (FILE,),
    "commit another PATH": ("sub/other.txt",),
}
SOAK = pytest.mark.soak
CASES = ["commit PATH", *(pytest.param(way, marks=SOAK) for way in WAYS if way != "commit PATH")]


@pytest.mark.parametrize("way", CASES)
@pytest.mark.parametrize("where", ["here", "in a subfolder", pytest.param("linked", marks=SOAK)])
def test_in_a_hook(lived: GitRepository, where: str, way: str, tmp_path: Path) -> None:
    linked = where == "linked"
    tree = lived.worktree(tmp_path / "tree", branch="work") if linked else lived
    folder = "sub" if where == "in a subfolder" else "."
    change(tree)
    if not WAYS[way]:
        tree.git("add", "--all")
    outside = ages(tree), due(tree)
    forget(lived)
    paths = [f":/{word}" if word[0] != "-" else word for word in WAYS[way]]
    said = committed(tree, *paths, out=tmp_path, folder=folder)
    assert {"GIT_INDEX_FILE", "GIT_PREFIX", *(["GIT_DIR"] if linked else [])} <= said.variables
    assert (said.ages, said.due) == outside
    bases = [entry["basis"] for entry in said.ages["entries"]]
    assert bases == ["commit", "renamed-heading", "uncommitted", "commit"]


def test_in_a_hook_about_a_file_of_another_repository(lived: GitRepository, tmp_path: Path) -> None:
    other = lived.clone(path=tmp_path / "other")
    keep(other, 20, memory("X", "Y"))
    change(lived)
    said = committed(lived, "-a", out=tmp_path, file=str(other.path / FILE))
    assert said.ages == ages(other)
    assert [entry["title"] for entry in said.ages["entries"]] == ["X", "Y"]


@pytest.mark.parametrize("way", CASES)
def test_a_new_file_that_is_staged(lived: GitRepository, way: str, tmp_path: Path) -> None:
    lived.write("agents/learnings.md", memory("N"))
    change(lived)
    lived.git("add", "--all")
    said = committed(lived, *WAYS[way], out=tmp_path, file="agents/learnings.md")
    assert [entry["basis"] for entry in said.ages["entries"]] == ["uncommitted"]
