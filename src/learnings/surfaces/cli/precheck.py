"""What to settle before a consolidation: entries that are superseded, contradicted or redundant.

FILE: every learnings file configured, else discovered; several come one after another, in JSON in
one document.
Each finding proposes to drop an entry or to ask (escalate), and shows the words and lines of both
sides. Nothing is changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.app.consolidate.inputs import Inputs, load_inputs
from learnings.app.workspace.chosen_files import ChosenFile, chosen_files
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.prechecks import Precheck, Thresholds, prechecks
from learnings.core.due.rule_facts import Resurrected
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
    """Add the arguments of `learnings precheck`."""
    add_input_options(parser)
    add_quiet_option(parser)
    add_format_option(parser, "prechecks")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; exit code 0, or 2 where a file has no report."""
    options, noted = input_options(args), set[str]()
    notes = notes_stream(args, err)
    output = Output("precheck", "prechecks", args.format, out, err, cwd, notes=notes)

    def report(file: ChosenFile) -> tuple[str, str, Sequence[Precheck]]:
        inputs = load_inputs(file.path, options, cwd)
        print_notes(inputs.notes, noted, notes)
        return inputs.file, inputs.scope, _findings(inputs)

    return print_reports(chosen_files(args.files, cwd), report, output)


def _findings(inputs: Inputs) -> Sequence[Precheck]:
    settings = inputs.file_query.workspace.settings
    return prechecks(
        inputs.entries,
        inputs.targets,
        entries=inputs.document.entries,
        order=Order(inputs.document.entries, inputs.dates or {}),
        resurrected=_resurrected(inputs),
        thresholds=Thresholds(settings.coverage, settings.coverage_perhaps),
    )


def _resurrected(inputs: Inputs) -> Sequence[Resurrected]:
    if inputs.dates is None or not inputs.entries:
        return ()
    from learnings.history.rule_facts import history_facts  # noqa: PLC0415  (only with history)

    try:
        return history_facts(inputs.file_query.query).resurrected
    except UntrustedHistory:
        return ()
