"""Age of every entry of a learnings file, in git-active days.

A git-active day is a calendar date, in the author's own time zone, on which at least one commit
reachable from HEAD was authored. FILE: the one configured, else discovered, else
agents/learnings.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import file_query
from learnings.surfaces.cli.formats import add_format_option, renderer
from learnings.surfaces.cli.options import add_history_options, history_options


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings ages`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    parser.add_argument("--summary", action="store_true", help="one line")
    add_format_option(parser, "ages")
    add_history_options(parser)


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the report; exit code 0."""
    del err
    report = file_query(args.file, history_options(args), cwd).ages()
    render = renderer("ages", "summary" if args.summary else args.format, out)
    out.write(render(report))
    return 0
