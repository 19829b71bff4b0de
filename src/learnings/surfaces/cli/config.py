"""Show the memory files, how they are read, and the settings in effect with their origin.

Without --all, the command only counts settings at their default and files beyond ten of a role.
"""

from __future__ import annotations

from learnings.app.config_report import config_report
from learnings.surfaces.cli.commands import Args, Context

ARGUMENTS = """
--all  also show settings at their default, and every file
+format config-report
"""


def run(args: Args, context: Context) -> None:
    options = {"every": args.all} if args.format == "text" else {}  # JSON has all
    context.show("config-report", args.format, config_report(context.workspace), **options)
