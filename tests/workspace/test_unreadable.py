from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.history.memory import memory
from tests.support.command import Command
from tests.support.repository import GitRepository

# The superuser reads everything; without these capabilities modes count for him as well.
WITHOUT = ("--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all")
READABLE, UNREADABLE = "agents/learnings.md", "docs/lessons.md"
# They do their work in the other files.
WORK = ("plan --all", "archive A --reason=old --dry-run")
COMMANDS = (
    *("ages", "due", "batch", "check", "check --history", "check docs", "ci", "groups"),
    *("notify file --dry-run", *WORK),
)


def limited() -> list[str]:
    """Return words that start a program as somebody for whom modes count."""
    if not hasattr(os, "geteuid"):
        pytest.skip("Windows has no modes")
    if os.geteuid() != 0:
        return []
    words = ["setpriv", *WITHOUT]
    if shutil.which("setpriv") is None or subprocess.run([*words, "true"], check=False).returncode:
        pytest.skip("needs setpriv")
    return words


def run(program: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [*limited(), str(program), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def unreadable(repository: GitRepository) -> GitRepository:
    repository.write(READABLE, memory("A"))
    repository.write(UNREADABLE, memory("B"))
    repository.commit()
    (repository.path / UNREADABLE).chmod(0)
    return repository


@pytest.mark.slow
@pytest.mark.parametrize("both", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_every_command_says_so(
    unreadable: GitRepository, learnings: Command, *, both: bool
) -> None:
    if not both:
        unreadable.remove(READABLE)
    wrong = []
    for words in COMMANDS:
        done = run(learnings.path, unreadable.path, *words.split())
        printed, code = (done.stdout, 1) if words.startswith("check") else (done.stderr, 2)
        code = 0 if both and words in WORK else code
        sentences = [line for line in printed.splitlines() if UNREADABLE in line]
        if done.returncode != code or len(sentences) != 1 or "make it readable" not in sentences[0]:
            wrong.append((words, done))
    assert wrong == []
    assert run(learnings.path, unreadable.path, "check", UNREADABLE).returncode == 2


@pytest.mark.slow
def test_a_folder_that_may_be_listed_and_not_entered(
    unreadable: GitRepository, learnings: Command
) -> None:
    (unreadable.path / "docs").chmod(0o400)
    done = run(learnings.path, unreadable.path, "check")
    (unreadable.path / "docs").chmod(0o700)
    assert (done.returncode, f"{UNREADABLE}:1:1: error" in done.stdout) == (1, True)


@pytest.mark.slow
def test_verify_in_a_folder_that_may_not_be_entered(
    unreadable: GitRepository, learnings: Command
) -> None:
    (unreadable.path / UNREADABLE).chmod(0o600)
    (unreadable.path / "docs").chmod(0o400)
    done = run(learnings.path, unreadable.path, "verify")
    (unreadable.path / "docs").chmod(0o700)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"learnings: {UNREADABLE} cannot be read (Permission denied); fix this and run again\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("instructed")
def test_a_closed_folder_that_only_a_glob_leads_to(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(READABLE, memory("A"))
    repository.write("learnings.toml", 'targets = ["notes/**/*.md"]\n')
    repository.write("notes/a.md", "# A\n")
    repository.write("notes/data/b.md", "# B\n")
    (repository.path / "notes/data").chmod(0)
    done = run(learnings.path, repository.path, "check")
    (repository.path / "notes/data").chmod(0o700)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands", [("check",), pytest.param((*COMMANDS, "fix"), marks=pytest.mark.soak)]
)
def test_a_folder_that_may_not_be_listed(
    unreadable: GitRepository, learnings: Command, commands: tuple[str, ...]
) -> None:
    (unreadable.path / UNREADABLE).chmod(0o600)
    (unreadable.path / "docs").chmod(0)
    ended = {words: run(learnings.path, unreadable.path, *words.split()) for words in commands}
    (unreadable.path / "docs").chmod(0o700)
    ended.pop("check docs", None)  # says of the folder itself that it cannot be read
    codes = dict.fromkeys(WORK, 0) | {"check": 1, "check --history": 1}
    wrong = {w: done for w, done in ended.items() if done.returncode != codes.get(w, 2)}
    assert wrong == {}
    assert all(UNREADABLE in done.stdout + done.stderr for done in ended.values()), ended


@pytest.mark.slow
def test_what_no_command_reads_may_be_unreadable(
    unreadable: GitRepository, learnings: Command
) -> None:
    assert run(learnings.path, unreadable.path, "check", READABLE).returncode == 0
    unreadable.write(".gitignore", "docs/\n")
    unreadable.git("rm", "--quiet", "--cached", UNREADABLE)
    assert run(learnings.path, unreadable.path, "check").returncode == 0
    (unreadable.path / ".gitignore").unlink()
    (unreadable.path / UNREADABLE).unlink()
    (unreadable.path / "docs").chmod(0)
    done = run(learnings.path, unreadable.path, "check")
    (unreadable.path / "docs").chmod(0o700)
    assert done.returncode == 0
