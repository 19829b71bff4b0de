"""Set a repository up: configuration, hooks for pre-commit, and the ignored report.

Names the learnings files that are found, in packages below the root too, in pyproject.toml if
there is one, else in learnings.toml; puts the hooks into .pre-commit-config.yaml and the report of
a consolidation into .gitignore. Comments and formatting stay. Either all of it is written or
nothing; a second run changes nothing.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.setup.edit import ManualEditRequired
from learnings.app.setup.plan import Plan, plan_for
from learnings.core.text import printable
from learnings.store.files import write
from learnings.surfaces.render.changes_diff import diff

NEXT = (
    "next: `git add` these files, `pre-commit install`, `learnings check`; "
    "if that finds more than you want to mend now, `learnings baseline`"
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
        out.writelines(f"{line}\n" for line in _told(plan))
    else:
        out.writelines(diff(plan.changes))
    err.writelines(f"learnings: {printable(note)}\n" for note in plan.notes)
    if not plan.changes:
        err.write("learnings: nothing to do\n")
    return 0


def _planned(cwd: Path, err: TextIO) -> Plan:
    try:
        return plan_for(cwd)
    except ManualEditRequired as error:
        err.writelines(f"{line}\n" for line in (*error.lines, ""))
        raise


def _told(plan: Plan) -> list[str]:
    lines = [
        f"{change.path}: {'created' if change.before is None else 'extended'}"
        for change in plan.changes
    ]
    return [*lines, NEXT] if lines else []
