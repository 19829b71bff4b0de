"""What to settle before a consolidation: entries that are superseded, contradicted or redundant.

FILE: every learnings file configured, else discovered; several come one after another, in JSON in
one document.
Each finding proposes to drop an entry, to ask (escalate), or to compare it with a place in a target
file (look), and shows the lines of both sides. Nothing is changed.
"""

from __future__ import annotations

import argparse

from learnings.app.consolidate.suggestions import prechecks_of
from learnings.surfaces.cli.context import Context
from learnings.surfaces.cli.reports import Output, add_proposal_arguments, print_proposals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings precheck`."""
    add_proposal_arguments(parser, "prechecks")


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the findings; exit code 0, or 2 where a file has no report."""
    output = Output("precheck", "prechecks", args.format, context)
    return print_proposals(args, prechecks_of, output)
