"""Set up a repository: configuration, hooks for pre-commit, and an entry in .gitignore.

Writes the paths of the learnings files, those in packages below the root too, into pyproject.toml
if there is one, else into learnings.toml; the hooks into .pre-commit-config.yaml, if that is new or
its `repos` is a list in block style; and the report of a consolidation into .gitignore. Comments
and formatting stay. For a file in another form it prints the lines to add, and writes nothing at
all. A second run changes nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from learnings.app.setup.step import ManualEditRequired
from learnings.core.text import printable
from learnings.store.files import write
from learnings.surfaces.cli.formats import coloured
from learnings.surfaces.render.changes_diff import diff

if TYPE_CHECKING:
    from learnings.app.setup.plan import Plan

NEXT = (
    "next: `git add` these files, `pre-commit install`, `learnings check`; "
    "if that finds more than you want to fix now, `learnings baseline`"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings init`."""
    parser.add_argument(
        "--dry-run", action="store_true", help="print the changes as a diff, and write nothing"
    )


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Set up the repository around `cwd`; returns 0. Raises LearningsError, nothing written."""
    plan = _planned(cwd, err)
    if not args.dry_run:
        write(plan.root, plan.changes)
        out.writelines(f"{line}\n" for line in _summary(plan))
    else:
        out.write(coloured("".join(diff(plan.changes)), "diff", out))
    err.writelines(f"learnings: {printable(note)}\n" for note in plan.notes)
    if not plan.changes:
        err.write("learnings: nothing to do\n")
    return 0


def _planned(cwd: Path, err: TextIO) -> Plan:
    from learnings.app.setup.plan import plan_for  # noqa: PLC0415  (imports YAML)

    try:
        return plan_for(cwd)
    except ManualEditRequired as error:
        err.writelines(f"{line}\n" for line in (*error.lines, ""))
        raise


def _summary(plan: Plan) -> list[str]:
    lines = [
        f"{change.path}: {'created' if change.before is None else 'extended'}"
        for change in plan.changes
    ]
    return [*lines, NEXT] if lines else []
