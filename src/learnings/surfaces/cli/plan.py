"""Propose a consolidation as a plan: a file that a person or agent edits, and `apply` carries out.

For each entry of the batch, or with --all of the file: `merge` for groups of entries that overlap,
with a draft of their text; `drop` for superseded entries and those that a target file covers;
`keep` for the rest, with the targets beside it that may receive it. The file explains itself.
Nothing else is written. Without --output the plan is printed. With --all the newest entries are
kept. Exit code: 0 made, 2 usage, a history that cannot be trusted (--all does without one),
configuration, or a file that cannot be read or written.
"""

from __future__ import annotations

import argparse
import io
from typing import TextIO

from learnings.app.consolidate.inputs import load_inputs
from learnings.app.consolidate.suggestions import plan_for_inputs
from learnings.consolidation.plan.plan_text import plan_text
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.text import counted, decode, printable, printable_lines
from learnings.forms.verdict_words import shell_word
from learnings.surfaces.cli.context import Context
from learnings.surfaces.cli.options import (
    add_quiet_option,
    add_selection_options,
    input_options,
    notes_stream,
)
from learnings.surfaces.cli.plan_file import write_new_plan
from learnings.surfaces.cli.reports import print_notes
from learnings.workspace.memory_file import MemoryFile, chosen_files, no_file
from learnings.workspace.workspace import Workspace


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings plan`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    add_selection_options(parser)
    parser.add_argument("--output", metavar="PLAN", help="write the plan to a file")
    add_quiet_option(parser)


def run(args: argparse.Namespace, context: Context) -> int:
    """Write or print the plan; returns 0. Raises LearningsError, nothing written."""
    options = input_options(args)._replace(needs_history=True)
    inputs = load_inputs(_file(args.file, context.workspace), options)
    print_notes(inputs.notes, set(), notes_stream(args, context.err))
    plan = plan_for_inputs(inputs)
    if args.output is None:
        _print(plan_text(plan), context.out)
        return 0

    write_new_plan(context.folder / args.output, plan, shown=args.output)
    steps = counted(len(plan.steps), "step")
    context.out.write(f"{printable(args.output)}: {steps} for {printable(inputs.scope)}\n")
    if plan.steps:
        context.out.write(
            f"next: edit it, then learnings apply {shell_word(args.output)} --dry-run\n"
        )
    return 0


def _file(name: str | None, workspace: Workspace) -> MemoryFile:
    """Return the learnings file that is named, else the only one there is."""
    chosen = chosen_files([] if name is None else [name], workspace)
    for error in chosen.errors:
        raise error
    if not chosen.files:
        raise MissingFile(no_file(workspace))
    names = [file.workspace.relative(file.path) or "" for file in chosen.files]
    if len(names) > 1:
        raise UsageProblem(f"a plan is for one file; name one of {', '.join(names)}")
    if printable(names[0]) != names[0]:
        raise UsageProblem(
            f"{printable(names[0])} has characters in its name that a line of a plan cannot show; "
            "rename the file"
        )
    return chosen.files[0]


def _print(data: bytes, out: TextIO) -> None:
    """Print the bytes of a plan; a terminal would obey what is in them, so there it is shown."""
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="surrogateescape")
    text = decode(data)
    out.write(printable_lines(text) if out.isatty() else text)
