"""Age of every entry of a learnings file, in git-active days.

A git-active day is a calendar date, in the author's own time zone, on which at least one commit
reachable from HEAD was authored. FILE: the one configured, else discovered, else
agents/learnings.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import add_history_options, file_query
from learnings.surfaces.render import ages_json, ages_markdown

FORMATS = {"markdown": ages_markdown.render, "json": ages_json.render}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings ages`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    parser.add_argument("--summary", action="store_true", help="one line")
    parser.add_argument("--format", choices=FORMATS, default="markdown", help="default: markdown")
    add_history_options(parser)


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the report; exit code 0."""
    del err
    report = file_query(args, args.file, cwd).ages()
    out.write(ages_markdown.summary(report) if args.summary else FORMATS[args.format](report))
    return 0
