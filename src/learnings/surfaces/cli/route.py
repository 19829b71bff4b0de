"""The target files that should receive the entries of the batch, each with a section and reasons.

FILE: every learnings file configured, else discovered; several come one after another, in JSON in
one document.
A proposal with ranks: neither a score nor its distance to the next one says how sure it is.
"""

from __future__ import annotations

import argparse

from learnings.app.consolidate.suggestions import routes_of
from learnings.surfaces.cli.context import Context
from learnings.surfaces.cli.reports import Output, add_proposal_arguments, print_proposals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_proposal_arguments(parser, "routes")


def run(args: argparse.Namespace, context: Context) -> int:
    output = Output("route", "routes", args.format, context)
    return print_proposals(args, routes_of, output)
