"""Print the headings of a Markdown file with their lines, as a table of contents.

FILE is any Markdown file, relative to the working directory. Headings in code and comments do not
count. The command computes the list on each run and stores nothing.

Exit code: 0 if printed, 2 for wrong usage or a file that is missing or cannot be read.
"""

from __future__ import annotations

from learnings.index.headings import headings_down_to
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.render.index import FileHeadings
from learnings.workspace.disk import named_file, read_file

ARGUMENTS = """
file=FILE           a Markdown file
--depth N:1|2|3|4|5|6  deepest level of headings to print, 1 to 6 (default: 6)
+format index
"""


def run(args: Args, context: Context) -> None:
    path = named_file(args.file, context.folder)
    headings = headings_down_to(read_file(path, shown=args.file), depth=int(args.depth or 6))
    context.show("index", args.format, FileHeadings(args.file, headings))
