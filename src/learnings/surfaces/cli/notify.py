"""Keep an issue or a task open for as long as consolidation is due.

github: one issue for each learnings file, on GitHub. Needs GITHUB_TOKEN and GITHUB_REPOSITORY;
writes for the default branch only, elsewhere it says what it would do. FILE: every learnings file
configured, else discovered.

file: one line for each learnings file in a Markdown file with tasks; FILE is that file, TASKS.md
where none is named.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import HistoryOptions, file_queries
from learnings.app.due.verdicts import NONE_FOUND, judge_all
from learnings.core.text import printable
from learnings.surfaces.github import outcome_text
from learnings.surfaces.github.access import token_from
from learnings.surfaces.github.log import no_commands
from learnings.surfaces.github.notify import Job, Told, notify
from learnings.surfaces.github.options import add_issue_options, overrides_of
from learnings.surfaces.github.run import Run, run_from

PLACES = ("github", "file")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings notify`."""
    parser.add_argument("place", choices=PLACES, metavar="PLACE", help="github or file")
    parser.add_argument("files", nargs="*", metavar="FILE", help="see above")
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be sent or written, and do neither"
    )
    parser.add_argument(
        "--commit", action="store_true", help="file: commit it to a branch of its own (for CI)"
    )
    add_issue_options(parser)


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Notify; exit code 0, or 2 where a file could not be judged or something not be sent."""
    if args.place == "file":
        from learnings.surfaces.tasks import task_file  # noqa: PLC0415  (the other place does without)

        return task_file.run(args, out=out, err=err, cwd=cwd)
    queries = file_queries(args.files, HistoryOptions(), cwd)
    token = token_from(os.environ)
    if not queries:
        err.write(f"learnings: {NONE_FOUND}\n")
        if token is None:
            return 0  # with one, the issue of a file that was there is closed
    verdicts, errors = judge_all(queries)
    err.writelines(f"learnings: {printable(str(error))}\n" for error in errors)
    this = run_from(os.environ)
    all_files = not args.files and not errors
    job = Job(queries, verdicts, overrides_of(args), cwd, all_files)
    show(notify(job, this, token, dry_run=args.dry_run), this, out)
    return 2 if errors else 0


def show(told: Told, this: Run, out: TextIO) -> None:
    """Say what became of the issues, and what would have been sent."""
    out.write(outcome_text.outcomes(told.outcomes, told.held))
    if told.requests:
        base = outcome_text.base_of(this)
        with no_commands(out, in_actions=this.in_actions):
            out.write(outcome_text.requests(told.requests, base))
