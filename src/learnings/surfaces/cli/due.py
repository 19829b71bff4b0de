"""Whether consolidation is due, with the reasons.

A file is due when it is long or stale and enough of its entries are old enough. FILE: every
learnings file configured, else discovered.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory, UsageProblem
from learnings.core.triggers import DUE, Verdict
from learnings.surfaces import replay
from learnings.surfaces.disk import printable
from learnings.surfaces.inquiry import (
    Inquiry,
    add_history_options,
    add_threshold_options,
    inquiry_about,
    path_of,
    thresholds_of,
    workspace_for,
)
from learnings.surfaces.render import due_github, due_json, due_markdown, due_text

FORMATS = {
    "text": due_text.render,
    "markdown": due_markdown.render,
    "json": due_json.render,
    "github": due_github.render,
}


NONE_FOUND = "no learnings file found; write agents/learnings.md, or configure the path of yours"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings due`."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="learnings files")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 when a file is due")
    parser.add_argument(
        "--replay",
        action="store_true",
        help="evaluate over history: when it would have fired, what each consolidation found",
    )
    parser.add_argument("--hook", action="store_true", help=argparse.SUPPRESS)
    add_history_options(parser)
    add_threshold_options(parser)


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the verdicts; exit code 0, or 1 with --exit-code where a file is due.

    A file whose history cannot be trusted does not keep the others from their verdict; it makes
    the exit code 2. As a hook it never stops a push for what it cannot know: the sentence is
    printed, exit code 0.
    """
    inquiries = _inquiries(args, cwd)
    if not inquiries:
        err.write(f"learnings: {NONE_FOUND}\n")
    if args.replay:
        return _replay(inquiries, args, out=out, err=err)
    verdicts, trouble = _verdicts(inquiries)
    lenient = args.hook and not args.exit_code
    for error in trouble:
        (out if lenient else err).write(f"learnings: {printable(str(error))}\n")
    if verdicts or not trouble:
        out.write(FORMATS[args.format](verdicts))
    if trouble and not lenient:
        return 2
    return 1 if args.exit_code and any(v.verdict == DUE for v in verdicts) else 0


def _verdicts(inquiries: Sequence[Inquiry]) -> tuple[list[Verdict], list[LearningsError]]:
    verdicts: list[Verdict] = []
    trouble: list[LearningsError] = []
    for each in inquiries:
        try:
            verdicts.append(each.verdict())
        except (UntrustedHistory, MissingFile) as error:
            trouble.append(error)
    return verdicts, trouble


def _replay(
    inquiries: Sequence[Inquiry], args: argparse.Namespace, *, out: TextIO, err: TextIO
) -> int:
    if args.format not in replay.FORMATS:
        listed = ", ".join(replay.FORMATS)
        raise UsageProblem(f"--replay has no format {args.format}; choose one of {listed}")
    return replay.run(inquiries, format_name=args.format, out=out, err=err)


def _inquiries(args: argparse.Namespace, cwd: Path) -> Sequence[Inquiry]:
    """Make an inquiry for each file named, else for each one of the workspace."""
    if args.files:
        found = []
        for file in args.files:
            workspace = workspace_for(file, cwd, thresholds_of(args))
            path = path_of(args, file, workspace, cwd)
            found.append(inquiry_about(args, workspace, path, cwd))
        return found
    workspace = workspace_for(None, cwd, thresholds_of(args))
    files = [found.path for found in workspace.learnings_files() if found.taken]
    return [inquiry_about(args, workspace, workspace.root / file, cwd) for file in files]
