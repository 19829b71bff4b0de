"""Write a report on what was done: with --consolidation on a plan that was applied.

The report is written to tmp/consolidation-report.md, in place of an older one, and its path is
printed: the entries that were consolidated, dropped, escalated and skipped, the decisions with
their evidence, and the files and indexes that changed. Exit code: 0 written, 2 usage, a plan that
was not applied, or a file that cannot be read or written.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.workspace.disk import exists, read_file
from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.plan.read_plan import read_plan
from learnings.consolidation.plan.report import is_applied, report_of
from learnings.core.errors import UsageProblem
from learnings.core.file_names import PLAN, REPORT
from learnings.core.text import printable
from learnings.store.files import Change, write
from learnings.surfaces.render.consolidation_report import render


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings report`."""
    parser.add_argument(
        "plan", nargs="?", default=PLAN, metavar="PLAN", help=f"a plan that was applied ({PLAN})"
    )
    parser.add_argument(
        "--consolidation", action="store_true", required=True, help="report on a consolidation"
    )


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Write the report and print its path; returns 0. Raises LearningsError, nothing written."""
    del err
    shown = printable(args.plan)
    reading = read_plan(read_file(cwd / args.plan, shown=args.plan))
    if reading.problems:
        line, message = reading.problems[0]
        raise UsageProblem(f"{shown}:{line}: {message}")
    if not is_applied(reading.plan):
        raise UsageProblem(f"{shown} was not applied yet; run `learnings apply {shown}` first")
    root = Workspace.open(cwd).root
    before = read_file(root / REPORT, shown=REPORT) if exists(root / REPORT) else None
    after = render(report_of(reading.plan)).encode("utf-8", "replace")
    write(root, [Change(REPORT, before, after)])
    out.write(f"{REPORT}\n")
    return 0
