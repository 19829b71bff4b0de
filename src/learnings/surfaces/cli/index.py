"""Print the headings of a Markdown file with their lines, as a table of contents.

FILE is any Markdown file, relative to the working directory. Headings in code and comments do not
count. The list is computed on each run and stored nowhere.

Exit code: 0 if printed, 2 for wrong usage or a file that is missing or cannot be read.
"""

from __future__ import annotations

import argparse

from learnings.index.headings import headings_down_to
from learnings.surfaces.cli.commands import Context
from learnings.surfaces.cli.formats import add_format_option, renderer
from learnings.surfaces.render.results import FileHeadings
from learnings.workspace.disk import named_file, read_file

DEEPEST = 6  # the deepest heading of Markdown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a Markdown file")
    parser.add_argument(
        "--depth",
        type=int,
        choices=range(1, DEEPEST + 1),
        default=DEEPEST,
        metavar="N",
        help=f"deepest level of headings to print, 1 to {DEEPEST} (default: {DEEPEST})",
    )
    add_format_option(parser, "index")


def run(args: argparse.Namespace, context: Context) -> int:
    path = named_file(args.file, context.folder)
    headings = headings_down_to(read_file(path, shown=args.file), depth=args.depth)
    context.out.write(
        renderer("index", args.format, context.out)(FileHeadings(args.file, headings))
    )
    return 0
