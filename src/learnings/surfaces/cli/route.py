"""The target files that should receive the entries of the batch, each with a section and reasons.

FILE: the one configured, else discovered, else agents/learnings.md.
A proposal with ranks: neither a score nor its distance to the next one says how sure it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.consolidate.inputs import Inputs, load_inputs
from learnings.consolidation.routes.routes import routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
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
    """Add the arguments of `learnings route`."""
    add_input_options(parser)
    add_quiet_option(parser)
    add_format_option(parser, "routes")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the routes; exit code 0. Raises what load_inputs() raises."""
    inputs = load_inputs(input_options(args), cwd)
    notes = notes_stream(args, err)
    notes.writelines(f"learnings: {printable(note)}\n" for note in inputs.notes)
    proposals = routes(
        inputs.entries,
        inputs.document.entries,
        inputs.targets,
        line_limit=inputs.file_query.workspace.settings.line_limit,
        activity=_target_activity(inputs),
    )
    out.write(renderer("routes", args.format, out)(inputs.file, inputs.scope, proposals))
    return 0


def _target_activity(inputs: Inputs) -> TargetActivity | None:
    if inputs.dates is None or not inputs.targets or not inputs.entries:
        return None
    from learnings.history.transfers import transfers  # noqa: PLC0415  (only with history)

    try:
        return target_activity_of(transfers(inputs.file_query.query, inputs.target_paths))
    except UntrustedHistory:
        return None
