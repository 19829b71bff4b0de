"""Write a page about the memory, or with --consolidation a report on an applied plan.

The page is one HTML file, tmp/learnings-report.html; the command replaces an older page and prints
its path. The page shows whether consolidation is due and why, the cost of the memory for each
session, the size of each learnings file over time, the age of each entry, overlapping entries, the
state of indexes and target files, and the findings. It loads nothing from the network. --format
json prints the same numbers. --now judges the memory at another time: commits with a date after the
next day count as commits with a wrong clock.

--badge writes an SVG image, tmp/learnings-badge.svg, with the numbers of entries, of stale entries,
and of the tokens that a session pays. Stale entries are at least `freshness` active days old, and
do not rest after a decision. The colour is green if the memory is healthy, amber if a file is due
or has errors, and red if the memory cannot be judged.

--consolidation writes tmp/consolidation-report.md and prints its path; with several learnings
files, the name contains the learnings file. The report lists the consolidated, dropped, escalated
and skipped entries, the decisions with their evidence, and the changed files and indexes. Until you
commit these, a retry adds to the report.

Exit code: 0 if written, 2 for wrong usage or configuration, a plan that was not applied, or a file
that cannot be read or written.
"""

from __future__ import annotations

from learnings.app.consolidate.inputs import read_targets
from learnings.app.memory_report import memory_report
from learnings.app.overview import overview
from learnings.consolidation.plan.moving import place_now
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.core.errors import UsageProblem
from learnings.core.file_names import BADGE, PAGE, PLAN, REPORT
from learnings.core.text import count_lines, decode, printable
from learnings.history.git.repository import head_commit
from learnings.surfaces.cli.arguments import command_table
from learnings.surfaces.cli.commands import Args, Context, renderer
from learnings.surfaces.cli.output import write_output
from learnings.surfaces.render.consolidation_report import as_markdown
from learnings.surfaces.render.report import badge
from learnings.workspace.clock import Clock
from learnings.workspace.disk import exists, read_file
from learnings.workspace.memory_file import chosen_files
from learnings.workspace.workspace import Workspace

ARGUMENTS = f"""
plan=PLAN?       with --consolidation: the plan (default: {PLAN})
--consolidation  report on an applied plan
--badge          write a badge instead of the page
--output FILE    file for the page (default: {PAGE}) or the badge (default: {BADGE}); - prints it
+format report
+now
"""


def run(args: Args, context: Context) -> None:
    if args.consolidation:
        if args.output is not None or args.format != "html" or args.now is not None:
            raise UsageProblem(
                "--consolidation excludes --output, --format and --now; leave them out"
            )
        if args.badge:
            raise UsageProblem(
                "--consolidation and --badge exclude each other; leave one of them out"
            )
        _report_on_plan(args.plan or PLAN, context)
        return
    if args.plan is not None:
        raise UsageProblem(f"{printable(args.plan)}: a plan needs --consolidation; add it")
    workspace = Workspace.open(context.folder, clock=Clock(args.now))
    if args.badge:
        if args.format != "html":
            raise UsageProblem("--badge is an SVG image; leave --format out")
        state = overview(workspace, commands=command_table)
        _write(badge(state, name=workspace.root.name), args.output, BADGE, context)
        return
    report = memory_report(workspace, commands=command_table)
    output = "-" if args.output is None and args.format == "json" else args.output
    _write(renderer("report", args.format)(report), output, PAGE, context)


def _write(text: str, output: str | None, default: str, context: Context) -> None:
    """Write a text to standard output for `-`, else to a file."""
    if output == "-":
        context.out.write(text)
    else:
        folder = context.folder if output else context.workspace.root
        write_output(text, output or default, context, folder=folder)


def _report_on_plan(plan: str, context: Context) -> None:
    shown = printable(plan)
    reading = read_plan(read_file(context.folder / plan, shown=plan))
    if reading.problems:
        line, message = reading.problems[0]
        raise UsageProblem(f"{shown}:{line}: {message}")
    if not reading.plan.result:
        raise UsageProblem(f"{shown} is not applied yet; run `learnings apply {shown}` first")
    workspace, file = context.workspace, reading.plan.file
    name = REPORT
    if len(chosen_files([], workspace).files) > 1:
        stem, _, suffix = REPORT.rpartition(".")
        name = f"{stem}-{file.removesuffix('.md').replace('/', '-')}.{suffix}"
    path = workspace.root / name
    commit = head_commit(workspace.root)
    earlier = read_file(path, shown=name) if commit and exists(path) else b""
    files = (candidate.path for candidate in workspace.found.targets if candidate.included)
    targets = read_targets(workspace, files)

    def lines_of(path: str) -> int | None:
        if not exists(workspace.root / path):
            return None
        return count_lines(read_file(workspace.tree.full(path), shown=path))

    text = as_markdown(
        reading.plan,
        about=f"{printable(file)}, consolidated at {commit or 'no commit'}",
        earlier=decode(earlier),
        lines_of=lines_of,
        place_of=lambda subject, entry: place_now(subject, entry, targets),
    )
    _write(text, None, name, context)
