"""List all rules: id, severity, the roles of the files they check, and what they find.

`learnings explain RULE` prints the documentation of a rule. The role `none` stands for a file
without a role that is named on the command line.
"""

from __future__ import annotations

import argparse

from learnings.rules import RULES
from learnings.surfaces.cli.commands import Context
from learnings.surfaces.cli.formats import add_format_option, renderer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_format_option(parser, "rules")


def run(args: argparse.Namespace, context: Context) -> int:
    context.out.write(renderer("rules", args.format, context.out)(RULES))
    return 0
