"""The file of a plan on disk: read, written anew, completed with what was done."""

from __future__ import annotations

from pathlib import Path

from learnings.app.workspace.disk import exists, find_root, is_folder, read_file
from learnings.consolidation.plan.model import Plan
from learnings.consolidation.plan.plan_text import plan_text
from learnings.consolidation.plan.read_plan import read_plan
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.store.files import Change, write


def write_new_plan(path: Path, plan: Plan, *, shown: str) -> None:
    """Write a plan to a file, and over an older plan only where that was applied.

    shown is the path as messages name it. Raises LearningsError, nothing written.
    """
    data = plan_text(plan)
    before = read_file(path, shown=shown) if exists(path) else None
    if before is not None and before != data and not read_plan(before).plan.result:
        raise UsageProblem(
            f"{printable(shown)} is there and is not a plan that was applied; apply it, remove it, "
            "or name another file"
        )
    write_beside(path, before, data)


def write_beside(path: Path, before: bytes | None, after: bytes) -> None:
    """Write a file in its repository or, outside of any, in its folder."""
    folder = path.parent
    while not is_folder(folder):
        folder = folder.parent
    root = find_root(folder)
    write(root, [Change(path.relative_to(root).as_posix(), before, after)])
