"""The base: a commit of ours, built into a separate environment in the cache."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import venv
from pathlib import Path

from ecosystem.checkouts import GitFailed, git

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"


def of_the_work_tree() -> Path:
    """Return the command of the current environment."""
    return Path(sys.executable).with_name("learnings")


def built(revision: str, cache: Path) -> Path:
    """Return the command of a commit. Raises GitFailed if it does not exist or cannot be built."""
    commit = git(ROOT, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    home = cache / "versions" / commit
    command = home / "env" / SCRIPTS / "learnings"
    if command.exists():
        return command
    source = home / "source"
    source.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(
        ["git", "archive", "--format=tar", commit], cwd=ROOT, capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(source, filter="data")
    venv.create(home / "env", with_pip=True)
    pip = [str(home / "env" / SCRIPTS / "python"), "-m", "pip", "install", "--quiet", str(source)]
    done = subprocess.run(pip, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GitFailed(f"{revision} cannot be installed: {done.stderr.strip()}")
    return command
