"""The oldest version of the framework that the manifest allows runs the hooks, as promised."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import manifest
from tests.support.frameworks import CONFIG, Framework, configuration
from tests.support.repository import GitRepository

(OLDEST,) = {hook["minimum_pre_commit_version"] for hook in manifest().values()}
MEMORY = "# Learnings\n\n## When a build hangs\n\nLook.\n"


def do(*command: str | Path, cwd: Path, **variables: str) -> tuple[int, str]:
    """Run a command; return its exit code and both streams."""
    real = {"HOME": os.environ["REAL_HOME"]}  # the settings of pip may be there, and its cache is
    env = {**os.environ, **real, **variables}
    run = subprocess.run(command, cwd=cwd, env=env, text=True, check=False, capture_output=True)
    return run.returncode, run.stdout + run.stderr


@pytest.mark.soak
@pytest.mark.network
def test_oldest_version_installs_and_runs_every_hook(
    published: GitRepository, repository: GitRepository, tmp_path: Path
) -> None:
    made = do(sys.executable, "-m", "venv", "--without-pip", "env", cwd=tmp_path)
    assert made == (0, "")
    python = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    got = do(*pip, "install", "--quiet", f"pre-commit=={OLDEST}", cwd=tmp_path)
    assert got[0] == 0, got
    oldest = python.with_name("pre-commit")
    assert do(oldest, "--version", cwd=tmp_path) == (0, f"pre-commit {OLDEST}\n")

    variables = Framework("pre-commit", published, tmp_path / "store").variables
    repository.write("agents/learnings.md", MEMORY)
    repository.write(CONFIG, configuration([*manifest()]))
    repository.commit("Memory")
    every = ("run", "--all-files", "--verbose", "--hook-stage", "manual")
    code, said = do(oldest, *every, cwd=repository.path, **variables)
    assert code == 0, said
    assert [hook for hook in manifest() if f"- hook id: {hook}" not in said] == []
    repository.write("agents/learnings.md", f"{MEMORY}\n## When a build hangs\n\nAgain.\n")
    code, said = do(oldest, *every, cwd=repository.path, **variables)
    assert (code, "duplicate-entry" in said) == (1, True)
