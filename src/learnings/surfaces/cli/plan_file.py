"""The plan file on disk: a new one, and the result written into it."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import NamedTuple, TextIO

from learnings.consolidation.plan.plan_reading import read_plan
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.text import printable
from learnings.store.files import Change
from learnings.surfaces.cli.output import write_file
from learnings.surfaces.cli.reports import print_problem
from learnings.workspace.disk import exists, read_file
from learnings.workspace.workspace import Workspace

STDIN = "-"
"""Standard input on a command line."""


def write_new_plan(path: Path, data: bytes, *, shown: str) -> None:
    """Write a plan; replace an older one only if it has nothing left to apply.

    shown is the path in messages. Raises LearningsError before anything is written.
    """
    before = read_file(path, shown=shown) if exists(path) else None
    plan = read_plan(before or b"").plan
    is_done_with = bool(plan.result) or (bool(plan.file) and plan.is_unedited)
    if before not in (None, data) and not is_done_with:
        raise UsageProblem(
            f"{printable(shown)} exists and is not an applied plan; apply it, remove it, "
            "or name another file"
        )
    write_file(path, before, data)


class PlanChange(NamedTuple):
    """A plan file before and after the result is appended."""

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
        """Write only the plan; print a note if that fails."""
        try:
            write_file(self.path, self.before, self.after)
        except LearningsError as error:
            print_problem(f"cannot record the result in the plan: {error}", err)


def _is_writable(path: Path) -> bool:
    """Return True if the mode lets the owner write; the superuser is no exception."""
    try:
        return bool(path.stat().st_mode & stat.S_IWUSR)
    except OSError:  # deleted meanwhile, or a disk error: the write reports it
        return False
