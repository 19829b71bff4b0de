"""Whether consolidation is due, with the reasons.

A file is due when it is long or stale and enough of its entries are old enough. FILE: every
learnings file configured, else discovered.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import FileQuery, add_history_options, add_threshold_options
from learnings.app.due.verdicts import NONE_FOUND, file_queries, judge_all
from learnings.core.due.triggers import DUE
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.surfaces.render import (
    due_github,
    due_json,
    due_markdown,
    due_text,
    replay_json,
    replay_markdown,
    replay_text,
)

FORMATS = {
    "text": due_text.render,
    "markdown": due_markdown.render,
    "json": due_json.render,
    "github": due_github.render,
}
REPLAY_FORMATS = {
    "text": replay_text.render,
    "markdown": replay_markdown.render,
    "json": replay_json.render,
}


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
    asked = file_queries(args, cwd)
    if not asked:
        err.write(f"learnings: {NONE_FOUND}\n")
    if args.replay:
        return _replay(asked, args, out=out, err=err)
    verdicts, trouble = judge_all(asked)
    lenient = args.hook and not args.exit_code
    for error in trouble:
        (out if lenient else err).write(f"learnings: {printable(str(error))}\n")
    if verdicts or not trouble:
        out.write(FORMATS[args.format](verdicts))
    if trouble and not lenient:
        return 2
    return 1 if args.exit_code and any(v.verdict == DUE for v in verdicts) else 0


def _replay(
    asked: Sequence[FileQuery], args: argparse.Namespace, *, out: TextIO, err: TextIO
) -> int:
    if args.format not in REPLAY_FORMATS:
        listed = ", ".join(REPLAY_FORMATS)
        raise UsageProblem(f"--replay has no format {args.format}; choose one of {listed}")
    from learnings.app.due.replay import replays  # noqa: PLC0415  (seldom asked for)

    def show(progress: str) -> None:
        if err.isatty():
            err.write(f"\r\x1b[K{progress}")
            err.flush()

    out.write(REPLAY_FORMATS[args.format](replays(asked, progress=show)))
    return 0
