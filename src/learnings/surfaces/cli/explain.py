"""Explain a rule: what it finds, why it matters and how to fix it, with an example."""

from __future__ import annotations

import argparse

from learnings.rules import RULES
from learnings.surfaces.cli.commands import Context
from learnings.surfaces.cli.formats import coloured
from learnings.surfaces.render.rules import page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    ids = [rule.id for rule in RULES]
    parser.add_argument("rule", choices=ids, metavar="RULE", help="id of a rule, as in findings")


def run(args: argparse.Namespace, context: Context) -> int:
    by_id = {rule.id: rule for rule in RULES}
    context.out.write(coloured(page(by_id[args.rule]), "markdown", context.out))
    return 0
