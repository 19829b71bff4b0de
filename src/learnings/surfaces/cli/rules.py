"""All rules: id, severity, the roles of the files they look at, and what they find.

`learnings explain RULE` tells all about one. The role `none` stands for a file without a role that
is named on the command line.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import TextIO

from learnings.app.check.rule_pages import facts
from learnings.rules import RULES

# Each is a module rules_<format> of the renderers; only the one asked for is imported.
FORMATS = ("text", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings rules`."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the rules in the order of their ids; returns 0."""
    del err, cwd
    form = import_module(f"learnings.surfaces.render.rules_{args.format}")
    out.write(form.render([facts(rule) for rule in RULES]))
    return 0
