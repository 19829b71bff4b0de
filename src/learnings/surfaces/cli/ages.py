"""Show the age of every entry of a learnings file, in git-active days.

A git-active day is a calendar date, in the author's own time zone, on which at least one commit
reachable from HEAD was authored. FILE defaults to every configured learnings file, else to every
discovered one. Several files give one report after another; JSON is always one document. On a
terminal the command prints one row per entry, cut to the width; elsewhere it prints Markdown.
"""

from __future__ import annotations

from learnings.core.errors import UsageProblem
from learnings.surfaces.cli.arguments import history_options
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import print_reports
from learnings.surfaces.render.ages import AgesResult, as_summary
from learnings.workspace.memory_file import MemoryFile, chosen_files

ARGUMENTS = """
+files
--summary  print one line per file
--used     also show when the files that an entry names last changed
+quiet
+format ages text
+history
"""


def run(args: Args, context: Context) -> int:
    history = history_options(args)
    chosen = chosen_files(args.files, context.workspace, history)
    if args.used and args.summary:
        raise UsageProblem("--used needs the full report; leave --summary out")
    args.format = args.format or ("text" if context.out.isatty() else "markdown")
    of_terminal = {}
    if args.format == "text" and not args.summary and context.out.isatty():
        from shutil import get_terminal_size  # noqa: PLC0415  (for terminals only)

        of_terminal["width"] = get_terminal_size().columns

    def report(file: MemoryFile) -> AgesResult:
        ages = file.ages()
        if not args.used:
            return AgesResult(ages, is_named=chosen.several)
        from learnings.app.consolidate.entry_references import evidence_of  # noqa: PLC0415  (seldom asked for)

        return AgesResult(ages, evidence_of(file, ages), is_named=chosen.several)

    summary = as_summary if args.summary else None
    return print_reports("ages", chosen, report, args, context, summary=summary, **of_terminal)
