"""Show a change of the memory by entry: added, reworded, moved, merged, archived, dropped, lost.

A and B are revisions. Without B, the command compares A with the working tree; without both, HEAD
with the working tree. For an entry that stays, it shows the changed words.

Exit code: 0 whatever changed, 2 for wrong usage or history.
"""

from __future__ import annotations

import argparse

from learnings.app.verify.verification import diff_of
from learnings.surfaces.cli.commands import Context
from learnings.surfaces.cli.formats import add_format_option, renderer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("a", nargs="?", default="HEAD", metavar="A", help="default: HEAD")
    parser.add_argument("b", nargs="?", metavar="B", help="default: the working tree")
    add_format_option(parser, "diff")


def run(args: argparse.Namespace, context: Context) -> int:
    difference = diff_of(context.workspace, args.a, args.b)
    context.out.write(renderer("diff", args.format, context.out)(difference))
    return 0
