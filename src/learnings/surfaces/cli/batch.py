"""The entries that the next consolidation should take, oldest first, with their text.

FILE: the one configured, else discovered, else agents/learnings.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TextIO

from learnings.app.due.query import file_query
from learnings.surfaces.cli.formats import add_format_option, renderer
from learnings.surfaces.cli.options import (
    add_history_options,
    add_threshold_options,
    history_options,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings batch`."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="a learnings file")
    add_format_option(parser, "batch")
    add_history_options(parser)
    add_threshold_options(parser)


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the batch; exit code 0, whatever the verdict."""
    del err
    verdict = file_query(args.file, history_options(args), cwd).verdict()
    out.write(renderer("batch", args.format, out)(verdict))
    return 0
