"""The programs that we run are never those of the folder or the repository that is worked in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from learnings.app.setup.hooks import suitable_python
from learnings.history.git.process import environment, find_program
from tests.history.memory import FILE, keep, memory
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

posix = pytest.mark.skipif(os.name == "nt", reason="the traps are shell scripts")
REAL = os.path.dirname(shutil.which("git") or "")  # noqa: PTH120
BIN = ROOT / "agent-core" / "bin"


def trap(folder: Path, *names: str) -> None:
    """Put programs into a folder that leave the file `trapped` in the working directory."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text('#!/bin/sh\n: >"$TRAPPED"\nexit 1\n', encoding="utf-8")
        (folder / name).chmod(0o755)


@pytest.fixture
def trapped(repository: GitRepository) -> GitRepository:
    """A memory in a repository that brings programs of the names that we run."""
    keep(repository, 0, memory("A", "B"))
    names = ("git", "learnings", "uvx", "learnings-check", "python3.11")
    for folder in (".", "bin", "agents"):
        trap(repository.path / folder, *names)
    return repository


def search_paths(repository: GitRepository, outside: Path) -> list[str]:
    """Values of PATH that lead to the traps first and to the real programs afterwards."""
    link = outside / "link"
    link.symlink_to(repository.path / "bin")
    firsts = (".", "", "bin", "./bin", "./", str(repository.path), f"{repository.path}/bin", link)
    return [*(f"{first}:{REAL}:/usr/bin:/bin" for first in firsts), f"{REAL}::.:/usr/bin:/bin"]


@posix
@pytest.mark.slow
def test_no_command_runs_the_git_of_a_repository(
    trapped: GitRepository, learnings: Command, tmp_path: Path
) -> None:
    mark, outside = tmp_path / "mark", tmp_path / "outside"
    outside.mkdir()
    wrong = []
    for path in search_paths(trapped, outside):
        for folder in (trapped.path, outside):
            file = os.path.relpath(trapped.path / FILE, folder)
            env = {"PATH": path, "TRAPPED": str(mark)}
            done = learnings("ages", file, "--summary", cwd=folder, env=env)
            if mark.exists() or (done.code, done.err) != (0, ""):
                wrong.append((path, folder, done))
            mark.unlink(missing_ok=True)
    assert wrong == []


@posix
def test_the_installed_command_does_not_either(
    trapped: GitRepository, learnings: Command, tmp_path: Path
) -> None:
    env = {"PATH": f".:{REAL}", "TRAPPED": str(tmp_path / "mark")}
    done = learnings.process("ages", FILE, cwd=trapped.path, env=env)
    assert (done.code, done.err, (tmp_path / "mark").exists()) == (0, "", False)


@posix
def test_a_git_of_the_repository_alone_is_none(
    trapped: GitRepository, learnings: Command, tmp_path: Path
) -> None:
    env = {"PATH": f".:{trapped.path}::bin", "TRAPPED": str(tmp_path / "mark")}
    done = learnings("ages", FILE, cwd=trapped.path, env=env)
    assert (done.code, (tmp_path / "mark").exists()) == (2, False)
    assert "outside this repository" in done.err


@posix
@pytest.mark.soak
def test_no_script_of_the_plugin_runs_a_program_of_a_repository(
    trapped: GitRepository, tmp_path: Path
) -> None:
    mark, outside = tmp_path / "mark", tmp_path / "outside"
    outside.mkdir()
    wrong = []
    for path in search_paths(trapped, outside):
        for script in ("learning-ages.py", "memory-line.py"):
            env = {**os.environ, "PATH": path.replace(REAL, "/none"), "TRAPPED": str(mark)}
            words = [sys.executable, "-I", "-S", str(BIN / script), FILE]
            subprocess.run(words, cwd=trapped.path, env=env, capture_output=True, check=False)
            if mark.exists():
                wrong.append((path, script))
            mark.unlink(missing_ok=True)
    assert wrong == []


@posix
@pytest.mark.slow
def test_nor_does_the_script_for_plain_git(trapped: GitRepository, tmp_path: Path) -> None:
    trap(trapped.path, "mktemp", "rm", "xargs", "mkdir", "sh")
    mark = tmp_path / "mark"
    trapped.git("add", "--all")
    env = {**os.environ, "PATH": f".::{REAL}:/usr/bin:/bin", "TRAPPED": str(mark)}
    words = ["/bin/sh", str(ROOT / "hooks/git/pre-commit")]
    run = subprocess.run(words, cwd=trapped.path, env=env, capture_output=True, check=False)
    assert not mark.exists(), run


@posix
def test_git_gets_no_relative_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it starts itself, such as ssh, is looked up by it."""
    monkeypatch.setenv("PATH", f".::bin:{REAL}:/bin:")
    assert environment()["PATH"] == f"{REAL}:/bin"


@posix
def test_a_folder_that_is_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home folder with programs of its own, which is worked in now and then."""
    trap(tmp_path / "bin", "git")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin")
    assert find_program("git", tmp_path) == f"{tmp_path}/bin/git"
    (tmp_path / "bin" / "git").chmod(0o644)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/none")
    assert find_program("git", tmp_path) is None


@posix
def test_no_interpreter_of_a_repository_is_named(
    trapped: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(trapped.path)
    monkeypatch.setenv("PATH", f".:{trapped.path}")
    assert suitable_python() == f"python3.{sys.version_info.minor}"
