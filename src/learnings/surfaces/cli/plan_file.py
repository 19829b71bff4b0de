"""The file of a plan on disk: read, written anew, completed with what was done."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import NamedTuple, TextIO

from learnings.consolidation.plan.outcome import is_applied
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.text import printable
from learnings.store.files import Change
from learnings.surfaces.cli.output import write_file
from learnings.surfaces.cli.reports import print_problem
from learnings.workspace.disk import exists, read_file
from learnings.workspace.workspace import Workspace

STDIN = "-"
"""Stands for standard input on a command line."""


def write_new_plan(path: Path, data: bytes, *, shown: str) -> None:
    """Write a plan, over an older one only if that has nothing left to apply.

    shown is the path as messages name it. Raises LearningsError, nothing written.
    """
    before = read_file(path, shown=shown) if exists(path) else None
    plan = read_plan(before or b"").plan
    is_done_with = is_applied(plan) or (bool(plan.file) and plan.is_unedited)
    if before not in (None, data) and not is_done_with:
        raise UsageProblem(
            f"{printable(shown)} exists and is not an applied plan; apply it, remove it, "
            "or name another file"
        )
    write_file(path, before, data)


class PlanChange(NamedTuple):
    """A plan before and after the result was written to its end."""

    path: Path
    before: bytes
    after: bytes

    def inside(self, workspace: Workspace) -> Change | None:
        """Return the change if the plan is a writable file of the workspace, else None."""
        relative = workspace.relative(self.path)
        if relative is None or not _is_writable(self.path):
            return None
        return Change(relative, self.before, self.after)

    def write(self, err: TextIO) -> None:
        """Write the plan by itself; print a note if that is not possible."""
        try:
            write_file(self.path, self.before, self.after)
        except LearningsError as error:
            print_problem(f"cannot record the result in the plan: {error}", err)


def _is_writable(path: Path) -> bool:
    """Return True if the mode lets the owner write, also for the superuser."""
    try:
        return bool(path.stat().st_mode & stat.S_IWUSR)
    except OSError:  # gone meanwhile, or the disk fails: writing it says why
        return False
