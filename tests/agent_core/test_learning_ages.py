from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnings import REVISION
from tests.support.command import Command
from tests.support.guard import ROOT
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

SCRIPT = ROOT / "agent-core" / "bin" / "learning-ages.py"
FILE = "agents/learnings.md"

# Without site-packages Python finds no installed package.
BARE = [sys.executable, "-I", "-S"]


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, "# Learnings\n\n## When A\n\nDo b.\n")
    repository.commit(date="2026-03-01")
    return repository


def run(*words: str, cwd: Path, path: str | None = None) -> subprocess.CompletedProcess[bytes]:
    env = {**os.environ, **({} if path is None else {"PATH": path})}
    return subprocess.run([*words], cwd=cwd, env=env, capture_output=True, check=False)


def test_it_can_be_executed() -> None:
    assert os.access(SCRIPT, os.X_OK)


@pytest.mark.parametrize("option", [[], ["--summary"], ["--format", "json"]])
def test_it_prints_what_learnings_ages_prints(
    memory: GitRepository, learnings: Command, option: list[str]
) -> None:
    expected = learnings("ages", FILE, *option, cwd=memory.path)
    done = run(sys.executable, str(SCRIPT), FILE, *option, cwd=memory.path)

    assert (done.returncode, done.stdout) == (0, expected.stdout)


def test_a_missing_file_is_1(memory: GitRepository) -> None:
    done = run(sys.executable, str(SCRIPT), "none.md", cwd=memory.path)

    assert (done.returncode, done.stdout) == (1, b"")
    assert b"none.md" in done.stderr


def test_without_the_package_the_command_on_the_path_is_used(
    memory: GitRepository, learnings: Command
) -> None:
    expected = learnings("ages", FILE, cwd=memory.path)
    path = os.pathsep.join([str(learnings.path.parent), os.environ["PATH"]])
    done = run(*BARE, str(SCRIPT), FILE, cwd=memory.path, path=path)

    assert (done.returncode, done.stdout) == (0, expected.stdout)


def test_without_either_uvx_runs_this_version(memory: GitRepository, tmp_path: Path) -> None:
    uvx = tmp_path / "uvx"
    uvx.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 2\n', encoding="utf-8")
    uvx.chmod(0o755)
    done = run(*BARE, str(SCRIPT), FILE, "--summary", cwd=memory.path, path=str(tmp_path))

    source = f"git+https://github.com/agent-learnings/learnings@{REVISION}"
    words = ["--from", source, "learnings", "ages", FILE, "--summary"]
    assert (done.returncode, done.stdout.decode().splitlines()) == (2, words)


def test_without_either_it_says_how_to_install(memory: GitRepository, tmp_path: Path) -> None:
    done = run(*BARE, str(SCRIPT), FILE, cwd=memory.path, path=str(tmp_path))

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"learning-ages.py: learnings is not installed; run: pipx ")
