"""Show the memory files, how they are read, and the settings in effect with their origin.

Settings at their default, and files beyond ten of a role, are only counted unless --all is given.
"""

from __future__ import annotations

import argparse

from learnings.app.config_report import config_report
from learnings.surfaces.cli.commands import Context, add_flag
from learnings.surfaces.cli.formats import add_format_option, renderer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_flag(parser, "--all", "also show settings at their default, and every file")
    add_format_option(parser, "config-report")


def run(args: argparse.Namespace, context: Context) -> int:
    render = renderer("config-report", args.format, context.out)
    options = {"every": args.all} if args.format == "text" else {}  # JSON has all
    context.out.write(render(config_report(context.workspace), **options))
    return 0
