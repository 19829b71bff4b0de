"""The target files that should receive the entries of the batch, each with a section and reasons.

FILE: the one configured, else discovered, else agents/learnings.md; write it before --targets.
A proposal with ranks: neither a score nor its distance to the next one says how sure it is.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import TextIO

from learnings.app.consolidate.inputs import Inputs, add_input_options, inputs
from learnings.consolidation.routes.routes import routes
from learnings.consolidation.routes.target_activity import TargetActivity, target_activity_of
from learnings.core.errors import UntrustedHistory

# Each is a module routes_<format> of the renderers; only the one asked for is imported.
FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings route`."""
    add_input_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the routes; exit code 0. Raises what inputs() raises."""
    asked = inputs(args, cwd, err=err)
    found = routes(
        asked.wanted,
        asked.document.entries,
        asked.targets,
        line_limit=asked.file_query.workspace.settings.line_limit,
        past=_past(asked),
    )
    form = import_module(f"learnings.surfaces.render.routes_{args.format}")
    out.write(form.render(asked.file, asked.scope, found))
    return 0


def _past(asked: Inputs) -> TargetActivity | None:
    if asked.dates is None or not asked.targets or not asked.wanted:
        return None
    from learnings.history.transfers import transfers  # noqa: PLC0415  (only with history)

    try:
        return target_activity_of(transfers(asked.file_query.query, asked.target_paths))
    except UntrustedHistory:
        return None
