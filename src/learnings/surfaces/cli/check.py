"""Check the memory files: all rules that need no git history, with --history the others too.

PATH is a file, or a folder whose memory files are meant. Without PATH: the memory index and all
learnings and target files of the repository, configured or else discovered. Agent files (skills,
sub-agents, commands) are checked only if they are named, or with --role agent. Any other file that
is named is checked as a learnings file if it holds entries, else as text. Paths in the output start
from the root of the repository. Files that git ignores are left out unless they are named. So are
findings that a comment in the file ignores; those in the baseline are only counted. Exit code: 0
clean or notices only, 1 findings, 2 usage, configuration or, with --history, a history that cannot
be trusted. A file of more than 4 MB is refused.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from learnings import rules
from learnings.app.check.run import report_on
from learnings.app.check.search import STDIN, Search
from learnings.core.errors import UsageProblem
from learnings.core.roles import Role
from learnings.core.settings.values import OFF
from learnings.surfaces.cli.commands import command_table
from learnings.surfaces.cli.formats import add_format_option, renderer, wants_colour

if TYPE_CHECKING:
    from learnings.app.check.history_loader import HistoryLoader
    from learnings.core.findings.finding import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    ids = [rule.ID for rule in rules.RULES]
    parser.add_argument(
        "paths", nargs="*", default=[], metavar="PATH", help="file or folder; - standard input"
    )
    add_format_option(parser, "findings")
    parser.add_argument("--strict", action="store_true", help="exit with 1 for notices, too")
    parser.add_argument(
        "--stdin-filename", metavar="PATH", help="the file whose content standard input is"
    )
    parser.add_argument(
        "--role",
        choices=[role.value for role in Role],
        help="check files of this role only, and skip all others",
    )
    parser.add_argument(
        "--rule",
        choices=ids,
        action="append",
        metavar="RULE",
        help="use this rule only, one of those that `learnings rules` lists; can be given again",
    )
    parser.add_argument(
        "--history", action="store_true", help="also use the rules that need git history"
    )
    parser.add_argument(
        "--no-baseline", action="store_true", help="check as if there were no baseline"
    )
    parser.add_argument(
        "--line-limit", type=int, metavar="N", help="lines that a target file may have"
    )
    parser.add_argument(
        "--force-exclude",
        action="store_true",
        help="leave out excluded files and rules that are off, even if they are named, as hooks do",
    )


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Print the findings; returns 1 if the check fails, else 0. Raises LearningsError."""
    named = None if args.rule is None else {*args.rule}
    only = Role(args.role) if args.role else None
    overrides = {"line-limit": args.line_limit}
    search = Search(
        cwd,
        args.paths,
        commands=command_table,
        only=only,
        force_exclude=args.force_exclude,
        overrides=overrides,
    )
    base, settings = search.workspace.root, search.workspace.settings
    if named is not None and args.force_exclude:
        named -= {rule for rule, level in settings.rules.items() if level == OFF}
    is_stdin = STDIN in args.paths or args.stdin_filename is not None
    history = _history(base, cwd, is_stdin=is_stdin) if args.history else None
    report = report_on(
        search.standard_input(args.stdin_filename) if is_stdin else search.files(),
        base=base,
        rules=None if named is None else [rule for rule in rules.RULES if rule.ID in named],
        history=history,
        ignore_baseline=args.no_baseline,
    )
    out.write(_rendered(report, args.format, out))
    if report.findings or report.known:
        err.write(f"{report.counts}\n")
    elif not report.files and not (args.role and args.paths):
        err.write(f"learnings: {search.nothing_found()}\n")
    complaints = history.complaints() if history is not None else []
    err.writelines(f"learnings: {sentence}\n" for sentence in complaints)
    return 2 if complaints else int(report.fails(strict=args.strict))


def _rendered(report: Report, format_name: str, out: TextIO) -> str:
    render = renderer("findings", format_name)
    if format_name != "text":
        return render(report)
    colour = wants_colour(out)
    return render(report, colour=colour, links=colour and out.isatty())


def _history(base: Path, cwd: Path, *, is_stdin: bool) -> HistoryLoader:
    if is_stdin:
        raise UsageProblem("--history looks at files on disk; leave it out, or name the file")
    from learnings.app.check.history_loader import HistoryLoader  # noqa: PLC0415  (most checks need no history)

    return HistoryLoader(base=base, cwd=cwd)
