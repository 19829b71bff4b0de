"""The commands that let git merge the learnings files by entry: docs/merging.md."""

from __future__ import annotations

import shlex
from pathlib import Path

from learnings.app.setup.next_steps import NextStep
from learnings.app.workspace.workspace import Workspace
from learnings.core.patterns import lazy_pattern
from learnings.history.git import process
from learnings.history.git.programs import find_program

DRIVER = "learnings merge-driver %O %A %B %P --marker-size=%L"
"""What git starts; it replaces the place holders."""

_ATTRIBUTES = ".gitattributes"
# What has a meaning in a pattern of .gitattributes, or ends it.
_SPECIAL = lazy_pattern(r'[\s*?\[\]\\"!#]')


def merge_steps(root: Path) -> list[NextStep]:
    """Return commands for the root of the repository, none where `learnings` cannot be started.

    Git starts it by name, long after this command and perhaps from another program, so it has to be
    on PATH and not in a folder of the repository itself, such as a virtual environment.
    """
    if find_program("learnings", root) is None:
        return []
    names = [file.path for file in Workspace.open(root).settings.files if file.path]
    attributes = _attributes(root)
    lines = [f"{_pattern(name)} merge=learnings" for name in names]
    missing = [line for line in lines if line not in attributes]
    steps = [NextStep(f"echo {shlex.quote(line)} >> {_ATTRIBUTES}") for line in missing]
    if names and not _is_configured(root):
        driver = f'git config merge.learnings.driver "{DRIVER}"'
        steps.append(NextStep(driver, "in each clone"))
    return steps


def _pattern(name: str) -> str:
    return _SPECIAL.sub("?", name)


def _attributes(root: Path) -> list[str]:
    try:
        text = (root / _ATTRIBUTES).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line.strip() for line in text.splitlines()]


def _is_configured(root: Path) -> bool:
    try:
        return bool(process.run(["config", "--get", "merge.learnings.driver"], root).strip())
    except process.GitFailed:
        return False  # git ends with 1 for a key that is not there
