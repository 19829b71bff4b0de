"""The entries that the next consolidation should take, oldest first, with their text.

FILE: the one configured, else discovered, else agents/learnings.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import add_history_options, add_threshold_options, file_query
from learnings.surfaces.render import batch_json, batch_markdown

FORMATS = {"markdown": batch_markdown.render, "json": batch_json.render}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings batch`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    parser.add_argument("--format", choices=FORMATS, default="markdown", help="default: markdown")
    add_history_options(parser)
    add_threshold_options(parser)


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the batch; exit code 0, whatever the verdict."""
    del err
    out.write(FORMATS[args.format](file_query(args, args.file, cwd).verdict()))
    return 0
