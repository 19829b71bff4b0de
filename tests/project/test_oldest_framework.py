"""The oldest version of the framework that the manifest allows: it runs the hooks, as promised."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout import manifest
from tests.support.frameworks import CONFIG, Framework, configuration
from tests.support.repository import GitRepository

pytestmark = [pytest.mark.network, pytest.mark.slow]

(OLDEST,) = {hook["minimum_pre_commit_version"] for hook in manifest().values()}
MEMORY = "# Learnings\n\n## When a build hangs\n\nLook.\n"


def do(*command: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    real = {"HOME": os.environ["REAL_HOME"]}  # the settings of pip may be there, and its cache is
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **real, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def oldest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the command of the oldest version, in its own environment."""
    home = tmp_path_factory.mktemp("oldest")
    made = do(sys.executable, "-m", "venv", "--without-pip", home, cwd=home)
    assert made.returncode == 0, made.stdout + made.stderr
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    got = do(*pip, "install", "--quiet", f"pre-commit=={OLDEST}", cwd=home)
    assert got.returncode == 0, got.stdout + got.stderr
    return python.with_name("pre-commit")


def test_oldest_version_installs_and_runs_every_hook(
    oldest: Path, published: GitRepository, repository: GitRepository, tmp_path: Path
) -> None:
    variables = Framework("pre-commit", published, tmp_path / "store").variables
    repository.write("agents/learnings.md", MEMORY)
    repository.write(CONFIG, configuration([*manifest()]))
    repository.commit("Memory")
    version = do(oldest, "--version", cwd=repository.path)
    assert version.stdout.split() == ["pre-commit", OLDEST]
    every = ("run", "--all-files", "--verbose", "--hook-stage", "manual")
    passed = do(oldest, *every, cwd=repository.path, **variables)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    for hook in manifest():
        assert f"- hook id: {hook}" in passed.stdout
    repository.write("agents/learnings.md", f"{MEMORY}\n## When a build hangs\n\nAgain.\n")
    failed = do(oldest, *every, cwd=repository.path, **variables)
    assert failed.returncode == 1
    assert "duplicate-entry" in failed.stdout
