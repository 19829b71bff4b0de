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

from learnings.app.consolidate.inputs import Inputs
from learnings.consolidation.routes.routes import Route, routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
from learnings.core.errors import UntrustedHistory
from learnings.surfaces.cli.proposals import add_proposal_arguments, print_proposals
from learnings.surfaces.cli.reports import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings route`."""
    add_proposal_arguments(parser, "routes")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the routes; exit code 0, or 2 where a file has no report."""
    output = Output("route", "routes", args.format, out, err, cwd)
    return print_proposals(args, _routes, output)


def _routes(inputs: Inputs) -> Sequence[Route]:
    return routes(
        inputs.entries,
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
