"""The headings of a Markdown file with their lines, computed anew each time and stored nowhere.

FILE is any Markdown file, by its path from the working directory. Headings in code and comments
are none. Exit code: 0 printed, 2 usage, or a file that is missing or cannot be read.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import TextIO

from learnings.app.workspace.disk import read_file
from learnings.core.index.files import contents

DEEPEST = 6
# Each is a module index_<format> of the renderers; only the one asked for is imported.
FORMATS = ("markdown", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings index`."""
    parser.add_argument("file", metavar="FILE", help="a Markdown file")
    parser.add_argument(
        "--depth",
        type=int,
        choices=range(1, DEEPEST + 1),
        default=DEEPEST,
        metavar="N",
        help=f"the deepest level of headings, 1 to {DEEPEST} ({DEEPEST})",
    )
    parser.add_argument("--format", choices=FORMATS, default="markdown", help="default: markdown")


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the index; returns 0. Raises MissingFile, or UsageProblem for a file too large."""
    del err
    headings = contents(read_file(cwd / args.file, shown=args.file), depth=args.depth)
    form = import_module(f"learnings.surfaces.render.index_{args.format}")
    out.write(form.render(args.file, headings))
    return 0
