"""The documentation of a rule: what it finds, why that matters, how to fix it, an example."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.core.errors import UsageProblem
from learnings.core.text import suggestion
from learnings.rules import RULES
from learnings.surfaces.cli.formats import coloured
from learnings.surfaces.render.rule_pages import page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings explain`."""
    parser.add_argument("rule", metavar="RULE", help="the id of a rule, as findings name it")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the documentation; returns 0. Raises UsageProblem for a rule that does not exist."""
    del err, cwd
    by_id = {rule.ID: rule for rule in RULES}
    if args.rule not in by_id:
        advice = suggestion(args.rule, by_id, otherwise="`learnings rules` lists all")
        raise UsageProblem(f"there is no rule {args.rule[:60]!r}; {advice}")
    out.write(coloured(page(by_id[args.rule]), "markdown", out))
    return 0
