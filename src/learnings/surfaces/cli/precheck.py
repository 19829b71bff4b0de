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

from learnings.app.consolidate.inputs import Inputs
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.prechecks import Precheck, Thresholds, prechecks
from learnings.core.due.rule_facts import Resurrected
from learnings.core.errors import UntrustedHistory
from learnings.surfaces.cli.proposals import add_proposal_arguments, print_proposals
from learnings.surfaces.cli.reports import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings precheck`."""
    add_proposal_arguments(parser, "prechecks")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; exit code 0, or 2 where a file has no report."""
    output = Output("precheck", "prechecks", args.format, out, err, cwd)
    return print_proposals(args, _findings, output)


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
