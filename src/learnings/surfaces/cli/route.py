"""The target files that should receive the entries of the batch, each with a section and reasons.

FILE: every learnings file configured, else discovered; several come one after another, in JSON in
one document.
A proposal with ranks: neither a score nor its distance to the next one says how sure it is.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.app.consolidate.inputs import Inputs, load_inputs
from learnings.app.workspace.chosen_files import ChosenFile, chosen_files
from learnings.consolidation.routes.routes import Route, routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
from learnings.core.errors import UntrustedHistory
from learnings.surfaces.cli.formats import add_format_option
from learnings.surfaces.cli.options import (
    add_input_options,
    add_quiet_option,
    input_options,
    notes_stream,
)
from learnings.surfaces.cli.reports import Output, print_notes, print_reports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings route`."""
    add_input_options(parser)
    add_quiet_option(parser)
    add_format_option(parser, "routes")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the routes; exit code 0, or 2 where a file has no report."""
    options, noted = input_options(args), set[str]()
    notes = notes_stream(args, err)
    output = Output("route", "routes", args.format, out, err, cwd, notes=notes)

    def report(file: ChosenFile) -> tuple[str, str, Sequence[Route]]:
        inputs = load_inputs(file.path, options, cwd)
        print_notes(inputs.notes, noted, notes)
        return inputs.file, inputs.scope, _routes(inputs)

    return print_reports(chosen_files(args.files, cwd), report, output)


def _routes(inputs: Inputs) -> Sequence[Route]:
    return routes(
        inputs.entries,
        inputs.document.entries,
        inputs.targets,
        line_limit=inputs.file_query.workspace.settings.line_limit,
        activity=_target_activity(inputs),
    )


def _target_activity(inputs: Inputs) -> TargetActivity | None:
    if inputs.dates is None or not inputs.targets or not inputs.entries:
        return None
    from learnings.history.transfers import transfers  # noqa: PLC0415  (only with history)

    try:
        return target_activity_of(transfers(inputs.file_query.query, inputs.target_paths))
    except UntrustedHistory:
        return None
