"""The contents of the checkout, for the tests of the project itself."""

from __future__ import annotations

import os
import subprocess
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.support.guard import ROOT


def files() -> list[Path]:
    """Return the project's files below ROOT, tracked or new; needs the mark `outside`.

    In an unpacked source archive these are the files that .gitignore does not name.
    """
    if (ROOT / ".git").exists():
        return _listed("-c", f"safe.directory={ROOT}")
    with tempfile.TemporaryDirectory() as empty:
        subprocess.run(["git", "init", "--quiet", "--bare", empty], check=True)
        return _listed(f"--git-dir={empty}", f"--work-tree={ROOT}")


def _listed(*options: str) -> list[Path]:
    listed = subprocess.run(
        ["git", *options, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        env=os.environ | {"GIT_OPTIONAL_LOCKS": "0"},
        capture_output=True,
        check=True,
    )
    names = {os.fsdecode(name) for name in listed.stdout.split(b"\0") if name}
    return sorted(path for path in map(Path, names) if (ROOT / path).is_file())


@cache
def pyproject() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def manifest() -> dict[str, dict[str, Any]]:
    """Return the hooks that other repositories can use, by id."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return {hook["id"]: hook for hook in hooks}
