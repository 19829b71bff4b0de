"""Print the entries of the next consolidation, oldest first, with their text.

FILE defaults to every configured learnings file, else to every discovered one. Several files give
one batch after another; JSON is always one document.
"""

from __future__ import annotations

from learnings.app.consolidate.entry_references import evidence_of
from learnings.surfaces.cli.arguments import history_options
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import print_reports
from learnings.surfaces.render.due import JudgedFile
from learnings.workspace.memory_file import MemoryFile, chosen_files

ARGUMENTS = """
+files
+quiet
+format batch
+history
+thresholds
"""


def run(args: Args, context: Context) -> int:
    history = history_options(args)
    chosen = chosen_files(args.files, context.workspace, history)

    def report(file: MemoryFile) -> JudgedFile:
        verdict = file.verdict()
        return JudgedFile(verdict, evidence_of(file, verdict.report))

    return print_reports("batch", chosen, report, args, context)
