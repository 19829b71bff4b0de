"""Whether consolidation is due, with the reasons.

A file is due when it is long or stale and enough of its entries are old enough. FILE: every
learnings file configured, else discovered.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from learnings.core.due.verdicts import DUE
from learnings.core.errors import MissingConfigured, UsageProblem
from learnings.forms.tier_folder import has_tier_folder
from learnings.surfaces.cli.context import Context
from learnings.surfaces.cli.formats import FORMATS, add_format_option, renderer
from learnings.surfaces.cli.options import (
    add_history_options,
    add_quiet_option,
    add_threshold_options,
    history_options,
    notes_stream,
)
from learnings.surfaces.cli.reports import print_problem
from learnings.workspace.file_query import FileQuery, files_for, judge_all, no_file, query_about
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.forms.confidence.status import ConfidenceStatus
    from learnings.forms.tiers import TierStatus


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings due`."""
    parser.add_argument("files", nargs="*", default=[], metavar="FILE", help="learnings files")
    add_format_option(parser, "due")
    parser.add_argument("--exit-code", action="store_true", help="exit with 1 when a file is due")
    parser.add_argument(
        "--replay",
        action="store_true",
        help="evaluate over history: when a file was due, and what each consolidation did then",
    )
    add_quiet_option(parser, doc="print only files that are due, and no notes")
    parser.add_argument("--hook", action="store_true", help=argparse.SUPPRESS)
    add_history_options(parser)
    add_threshold_options(parser)


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the verdicts; exit code 0, or 1 with --exit-code where a file is due.

    A file whose history cannot be trusted does not keep the others from their verdict; it makes
    the exit code 2. As a hook it never stops a push for what it cannot know: the sentence is
    printed, exit code 0.
    """
    options = history_options(args)
    chosen = files_for(args.files, options, context.workspace)
    memory = {} if args.replay else _memory(args, context.workspace)
    if chosen.is_empty and not memory:
        print_problem(no_file(context.workspace), notes_stream(args, context.err))
    queries = [query_about(file, options) for file in chosen.files]
    if args.replay:
        for error in chosen.errors:
            raise error
        return _replay(queries, args.format, out=context.out, err=context.err)
    verdicts, errors = judge_all(queries)
    errors = (*chosen.errors, *errors)
    is_misused = not all(isinstance(error, MissingConfigured) for error in chosen.errors)
    lenient = args.hook and not args.exit_code and not is_misused
    for sentence in dict.fromkeys(str(error) for error in errors):
        print_problem(sentence, context.out if lenient else context.err)
    due = [verdict for verdict in verdicts if verdict.verdict == DUE]
    needs_action = bool(due)
    if verdicts or not errors:
        # A document is whole: who reads it looks for what has a verdict, whatever that is.
        shown = due if args.quiet and args.format == "text" else verdicts
        tiers = None if args.files or args.at else _tiers(context.workspace)
        if args.quiet and args.format == "text" and tiers and not tiers.needs_action:
            tiers = None
        others = {**memory, **({"tiers": tiers} if tiers else {})}
        context.out.write(renderer("due", args.format, context.out)(shown, **others))
        needs_action = needs_action or (tiers is not None and tiers.needs_action)
    if errors and not lenient:
        return 2
    return int(args.exit_code and needs_action)


def _tiers(workspace: Workspace) -> TierStatus | None:
    """Return how the learning tiers are, None where there are none."""
    if not has_tier_folder(workspace):
        return None
    from learnings.forms.tiers import tier_status  # noqa: PLC0415  (few repositories have them)

    return tier_status(workspace)


def _memory(args: argparse.Namespace, workspace: Workspace) -> dict[str, ConfidenceStatus]:
    """Return the state of a confidence memory for the renderer, unless that is about files."""
    is_about_files = args.files or args.hook or args.quiet or args.format == "github" or args.at
    if is_about_files:
        return {}
    from learnings.forms.confidence.status import confidence_status  # noqa: PLC0415  (without a file only)

    state = confidence_status(workspace)
    return {"memory": state} if state else {}


def _replay(queries: Sequence[FileQuery], format_name: str, *, out: TextIO, err: TextIO) -> int:
    if format_name not in FORMATS["replay"]:
        listed = ", ".join(FORMATS["replay"])
        raise UsageProblem(f"--replay has no format {format_name}; choose one of {listed}")
    from learnings.app.replays import replays  # noqa: PLC0415  (a verdict does without)
    from learnings.surfaces.cli.output import progress_on  # noqa: PLC0415  (as above)

    result = replays(queries, progress=progress_on(err))
    out.write(renderer("replay", format_name, out)(result))
    return 0
