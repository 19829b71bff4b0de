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

from learnings.app.consolidate.inputs import Material, add_material_options, material
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.prechecks import Thresholds, prechecks
from learnings.core.due.rule_facts import Resurrected
from learnings.core.errors import UntrustedHistory

# Each is a module prechecks_<format> of the renderers; only the one asked for is imported.
FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings precheck`."""
    add_material_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; exit code 0. Raises what material() raises."""
    asked = material(args, cwd, err=err)
    settings = asked.inquiry.workspace.settings
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


def _resurrected(asked: Material) -> Sequence[Resurrected]:
    if asked.dates is None or not asked.wanted:
        return ()
    from learnings.history.rule_facts import past_of  # noqa: PLC0415  (only with history)

    try:
        return past_of(asked.inquiry.question).resurrected
    except UntrustedHistory:
        return ()
