"""Groups of entries that overlap, as proposals to merge, with the words and lines they share.

FILE: the one configured, else discovered, else agents/learnings.md. Nothing is merged: a person
judges. What an earlier consolidation made is left out unless --include-consolidated is given.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.groups.groups import propose
from learnings.surfaces.cli.formats import add_format_option, renderer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings groups`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    parser.add_argument(
        "--include-consolidated",
        action="store_true",
        help="group the products of earlier consolidations too",
    )
    add_format_option(parser, "groups")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the groups; exit code 0, also where there are none. Raises MissingFile."""
    del err
    workspace = Workspace.open(cwd)
    path = workspace.the_file(args.file)
    document = workspace.document(path)
    grouping = propose(document.entries, include_consolidated=args.include_consolidated)
    render = renderer("groups", args.format, out)
    out.write(render(workspace.relative(path) or str(path), grouping))
    return 0
