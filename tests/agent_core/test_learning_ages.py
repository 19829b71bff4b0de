from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent_core.agent_files import BARE, PLUGIN
from tests.support.command import Command
from tests.support.repository import GitRepository

pytestmark = pytest.mark.slow

SCRIPT = PLUGIN / "bin" / "learning-ages.py"
FILE = "agents/learnings.md"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    repository.write(FILE, "# Learnings\n\n## When A\n\nDo b.\n")
    repository.commit(date="2026-03-01")
    return repository


def run(*words: str, cwd: Path, path: str = "", python: list[str] = BARE) -> tuple[int, str, str]:
    env = {**os.environ, **({"PATH": path} if path else {})}
    command = [*python, str(SCRIPT), *words]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_it_prints_what_learnings_ages_prints(memory: GitRepository, learnings: Command) -> None:
    for option in ([], ["--format", "json"]):
        expected = learnings("ages", FILE, *option, cwd=memory.path)
        done = run(FILE, *option, cwd=memory.path, python=[sys.executable])
        assert done == (0, expected.out, "")
    code, out, err = run("none.md", cwd=memory.path, python=[sys.executable])
    assert (code, out, "none.md" in err) == (1, "", True)


def test_without_the_package_it_uses_the_command(
    memory: GitRepository, learnings: Command, tmp_path: Path
) -> None:
    path = os.pathsep.join([str(learnings.path.parent), os.environ["PATH"]])
    expected = learnings("ages", FILE, cwd=memory.path).out
    assert run(FILE, cwd=memory.path, path=path) == (0, expected, "")

    code, out, err = run(FILE, cwd=memory.path, path=str(tmp_path))
    assert (code, out) == (2, "")
    assert err.startswith("learning-ages.py: learnings is not installed; run: pipx ")
