"""Check memory files and print findings with their lines.

PATH is a file or a directory; in a directory, the command checks all memory files. PATH defaults to
the memory index and all learnings and target files of the repository, configured or discovered. The
command checks agent files (skills, sub-agents, commands) only if you name them or give --role
agent. It checks any other named file as a learnings file if it contains entries, else as text. It
skips files that git ignores unless you name them. Paths in the output are relative to the
repository root.

The command hides findings that a comment in the file ignores. It only counts findings in the
baseline and, with --since, findings that the file already had at that commit, perhaps under another
name, with today's settings. --history adds the rules that need git history. --fix first fixes
findings that need no decision, as `learnings fix` does.

Exit code: 0 if there are no findings or only notices, 1 for findings or, with --fix, a changed
file, 2 for wrong usage or configuration or, with --history, untrustworthy history. A file of more
than 4 MB or 200,000 lines ends the check.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.errors import UsageProblem
from learnings.core.roles import Role
from learnings.core.settings.rule_ids import RULE_IDS
from learnings.core.settings.setting_values import OFF
from learnings.core.text import counted, printable
from learnings.surfaces.cli.arguments import ROLES, command_table
from learnings.surfaces.cli.commands import CLEAN, STDIN, Args, Context, renderer, wants_colour
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.check.earlier import EarlierCheck
    from learnings.check.history_inputs import HistoryLoader
    from learnings.check.search import Search
    from learnings.core.findings.finding import CheckReport
    from learnings.core.settings.setting_values import Settings
    from learnings.rules.rule import Rule


FROM_REF = "PRE_COMMIT_FROM_REF"
"""Variable that a hook framework sets to the base commit of a pushed change."""


ARGUMENTS = f"""
paths=PATH...          file or directory; - reads standard input
+format findings
--strict               exit with 1 for notices too
--stdin-filename PATH  path of the file whose content is on standard input
--role {ROLES}...      check only files of this role; repeatable
--rule RULE:{"|".join(RULE_IDS)}...  use only this rule, by its id in `learnings rules`; repeatable
--history              also use the rules that need git history
--since REV            show only findings that the files did not have at this commit, usually the
                       start of the change
--fix                  first fix findings that need no decision
--quiet                print only the findings
--verbose              also print which files were checked or skipped, and which rules are off
--no-baseline          ignore the baseline
--line-limit N:int     maximum lines of a target file
--force-exclude        skip excluded files, disabled rules and, with --role, other files, even if
                       you name them, as the hooks do
"""


def run(args: Args, context: Context) -> int:
    """Print the findings; return 1 if the check fails or a fix changed a file, else 0."""
    is_stdin = STDIN in args.paths or args.stdin_filename is not None
    _refuse_contradictions(args, is_stdin=is_stdin)
    if args.force_exclude and args.role and args.paths and not is_stdin:
        from learnings.surfaces.cli.passed_files import passed_files  # noqa: PLC0415  (for hooks)

        workspace = context.workspace.with_options({}, since=_since(args))
        args.paths = passed_files(workspace, args.paths, args.role)
        if not args.paths:
            if args.format != "text":
                from learnings.core.findings.finding import CheckReport  # noqa: PLC0415  (seldom needed)

                _print(CheckReport.of((), files=0), args.format, context)
            return CLEAN
    from learnings.check.run import report_on  # noqa: PLC0415  (most runs of a hook have ended)

    earlier = _earlier(args, context.workspace)  # before a fix writes
    is_fixed = args.fix and _fix(args, context)
    search = _search(args, context.workspace.afresh() if is_fixed else context.workspace)
    rules = _chosen_rules(args, search.workspace.settings)
    history = _history(search.workspace, rules) if args.history else None
    files = [*(search.standard_input(args.stdin_filename) if is_stdin else search.files())]
    report = report_on(
        files,
        base=search.workspace.root,
        rules=rules,
        history=history,
        ignore_baseline=args.no_baseline,
        earlier=earlier,
    )
    _print(report, args.format, context)
    complaints = history.complaints() if history is not None else []
    lines = [] if args.quiet else _remarks(args, report, search, is_terminal=context.out.isatty())
    context.err.writelines(f"{printable(line)}\n" for line in lines)
    if args.verbose:
        from learnings.surfaces.render import findings  # noqa: PLC0415  (with --verbose only)

        context.err.write(
            findings.trace_as_text(search, files, report, uses_baseline=not args.no_baseline)
        )
    remarks = [] if history is None or args.quiet else history.notes()
    context.note(*remarks, *complaints)
    return 2 if complaints else int(is_fixed or report.fails(strict=args.strict))


def _earlier(args: Args, workspace: Workspace) -> EarlierCheck | None:
    if args.since is None:
        return None
    from learnings.check.earlier import EarlierCheck  # noqa: PLC0415  (with --since only)
    from learnings.history.git.repository import open_repository  # noqa: PLC0415  (as above)

    repository = open_repository(workspace.root, rev=args.since)
    rules = _chosen_rules(args, workspace.settings)
    return EarlierCheck(workspace, repository, command_table, rules, args.history)


def _refuse_contradictions(args: Args, *, is_stdin: bool) -> None:
    on_disk = [f"--{name}" for name in ("history", "fix") if getattr(args, name)]
    if is_stdin and on_disk:
        raise UsageProblem(f"{on_disk[0]} needs a file on disk; leave it out, or name the file")
    if args.quiet and args.verbose:
        raise UsageProblem("--quiet and --verbose exclude each other; leave one of them out")


def _print(report: CheckReport, format_name: str, context: Context) -> None:
    if format_name != "text":
        context.out.write(renderer("findings", format_name)(report))
    elif report.findings:  # most hook runs have none
        links = wants_colour(context.out) and context.out.isatty()
        context.show("findings", "text", report, links=links)


def _search(args: Args, workspace: Workspace) -> Search:
    from learnings.check.search import Search  # noqa: PLC0415  (most runs of a hook have ended)

    return Search(
        workspace,
        args.paths,
        commands=command_table,
        only=[Role(role) for role in args.role],
        force_exclude=args.force_exclude,
        overrides={"line-limit": args.line_limit},
        since=_since(args),
    )


def _since(args: Args) -> str | None:
    since: str | None = args.since or os.environ.get(FROM_REF)
    return since


def _chosen_rules(args: Args, settings: Settings) -> list[Rule] | None:
    """Return the rules named by --rule, or None without it."""
    if not args.rule:
        return None
    from learnings.rules import RULES  # noqa: PLC0415  (most runs of a hook have ended)

    off = {rule for rule, level in settings.rules.items() if level == OFF}
    left_out = off if args.force_exclude else set()
    return [rule for rule in RULES if rule.id in {*args.rule} - left_out]


def _fix(args: Args, context: Context) -> bool:
    """Fix the files, print their names, and return True if one was changed."""
    from learnings.surfaces.cli.fix import fix_files, fixing  # noqa: PLC0415  (a check changes nothing)

    search = _search(args, context.workspace)
    rules = _chosen_rules(args, search.workspace.settings)
    history = _history(search.workspace, rules) if args.history else None
    files = [history.with_history(file) if history else file for file in search.files()]
    changes = fix_files(
        search.workspace,
        files,
        rules=rules,
        is_partial=bool(args.paths or args.role or args.rule) or any(f.unread for f in files),
    )
    if not args.quiet:  # standard output holds only the document
        (context.out if args.format == "text" else context.err).write(fixing(changes))
    return bool(changes)


def _remarks(
    args: Args, report: CheckReport, search: Search, *, is_terminal: bool
) -> Iterator[str]:
    """Yield the lines below the findings: the counts and the next commands."""
    if report.findings or report.known or report.older:
        yield report.counts
    elif report.files and is_terminal:
        yield f"no findings in {counted(report.files, 'file')}"
    elif not report.files and not (args.role and args.paths):
        from learnings.forms.registry import nothing_here  # noqa: PLC0415  (seldom needed)

        yield f"learnings: {nothing_here(search.workspace, search.nothing_found)}"
    if report.fixable:
        history = " --history" if report.needs_history else ""
        yield f"`learnings fix{history}` fixes {counted(report.fixable, 'finding')}"
    if report.findings and is_terminal:
        rule = report.findings[0].rule
        yield f"`learnings explain {rule}` says why it matters and how to fix it"


def _history(workspace: Workspace, rules: Sequence[Rule] | None) -> HistoryLoader:
    from learnings.check.history_inputs import HistoryLoader  # noqa: PLC0415  (most checks need no history)

    return HistoryLoader(workspace, rules)
