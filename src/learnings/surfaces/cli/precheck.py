"""What to settle before a consolidation: entries that are superseded, contradicted or redundant.

FILE: the one configured, else discovered, else agents/learnings.md; write it before --targets.
Each finding proposes to drop an entry or to ask (escalate), and shows the words and lines of both
sides. Nothing is changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TextIO

from learnings.app.consolidate.inputs import Inputs, add_input_options, inputs
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.prechecks import Thresholds, prechecks
from learnings.core.due.rule_facts import Resurrected
from learnings.core.errors import UntrustedHistory

# Each is a module prechecks_<format> of the renderers; only the one asked for is imported.
FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings precheck`."""
    add_input_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; exit code 0. Raises what inputs() raises."""
    asked = inputs(args, cwd, err=err)
    settings = asked.file_query.workspace.settings
    found = prechecks(
        asked.wanted,
        asked.targets,
        entries=asked.document.entries,
        order=Order(asked.document.entries, asked.dates or {}),
        resurrected=_resurrected(asked),
        thresholds=Thresholds(settings.coverage, settings.coverage_perhaps),
    )
    form = import_module(f"learnings.surfaces.render.prechecks_{args.format}")
    out.write(form.render(asked.file, asked.scope, found))
    return 0


def _resurrected(asked: Inputs) -> Sequence[Resurrected]:
    if asked.dates is None or not asked.wanted:
        return ()
    from learnings.history.rule_facts import history_facts  # noqa: PLC0415  (only with history)

    try:
        return history_facts(asked.file_query.query).resurrected
    except UntrustedHistory:
        return ()
