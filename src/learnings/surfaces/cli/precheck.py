"""What to settle before a consolidation: entries that are superseded, contradicted or redundant.

FILE: the one configured, else discovered, else agents/learnings.md.
Each finding proposes to drop an entry or to ask (escalate), and shows the words and lines of both
sides. Nothing is changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.app.consolidate.inputs import Inputs, load_inputs
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.prechecks import Thresholds, prechecks
from learnings.core.due.rule_facts import Resurrected
from learnings.core.errors import UntrustedHistory
from learnings.core.text import printable
from learnings.surfaces.cli.formats import add_format_option, renderer
from learnings.surfaces.cli.options import (
    add_input_options,
    add_quiet_option,
    input_options,
    notes_stream,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings precheck`."""
    add_input_options(parser)
    add_quiet_option(parser)
    add_format_option(parser, "prechecks")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; exit code 0. Raises what load_inputs() raises."""
    inputs = load_inputs(input_options(args), cwd)
    notes = notes_stream(args, err)
    notes.writelines(f"learnings: {printable(note)}\n" for note in inputs.notes)
    settings = inputs.file_query.workspace.settings
    findings = prechecks(
        inputs.entries,
        inputs.targets,
        entries=inputs.document.entries,
        order=Order(inputs.document.entries, inputs.dates or {}),
        resurrected=_resurrected(inputs),
        thresholds=Thresholds(settings.coverage, settings.coverage_perhaps),
    )
    out.write(renderer("prechecks", args.format, out)(inputs.file, inputs.scope, findings))
    return 0


def _resurrected(inputs: Inputs) -> Sequence[Resurrected]:
    if inputs.dates is None or not inputs.entries:
        return ()
    from learnings.history.rule_facts import history_facts  # noqa: PLC0415  (only with history)

    try:
        return history_facts(inputs.file_query.query).resurrected
    except UntrustedHistory:
        return ()
