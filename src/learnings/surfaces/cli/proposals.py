"""What the commands that propose something about entries have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from learnings.app.consolidate.inputs import Inputs, load_inputs
from learnings.app.workspace.chosen_files import ChosenFile, chosen_files
from learnings.surfaces.cli.formats import add_format_option
from learnings.surfaces.cli.options import (
    add_input_options,
    add_quiet_option,
    input_options,
    notes_stream,
)
from learnings.surfaces.cli.reports import Output, print_notes, print_reports


def add_proposal_arguments(parser: argparse.ArgumentParser, result: str) -> None:
    """Add the arguments of a command whose result is a key of FORMATS."""
    add_input_options(parser)
    add_quiet_option(parser)
    add_format_option(parser, result)


def print_proposals(
    args: argparse.Namespace, propose: Callable[[Inputs], Sequence[object]], output: Output
) -> int:
    """Print what is proposed about the entries of each file; returns the exit code.

    Notes about the inputs are printed once, unless the user wants quiet.
    """
    options, noted = input_options(args), set[str]()
    notes = notes_stream(args, output.err)

    def report(file: ChosenFile) -> tuple[str, str, Sequence[object]]:
        inputs = load_inputs(file.path, options, output.cwd)
        print_notes(inputs.notes, noted, notes)
        return inputs.file, inputs.scope, propose(inputs)

    chosen = chosen_files(args.files, output.cwd)
    return print_reports(chosen, report, output._replace(notes=notes))
