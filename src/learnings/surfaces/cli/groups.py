"""List groups of entries that overlap, with the words and lines they share.

Each group is a proposal to merge its entries. FILE defaults to every configured learnings file,
else to every discovered one. Each file has its own groups, one file after another; JSON is always
one document. As in a plan, the newest `keep-recent` entries, and entries that rest after a
decision, join no group. Entries written by an earlier consolidation join a group only with
--include-consolidated.
"""

from __future__ import annotations

from contextlib import suppress

from learnings.app.consolidate.suggestions import groups_of
from learnings.consolidation.groups.groups import MAX_ENTRIES
from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.core.text import printable
from learnings.forms.learnings_file import doubt_of
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import print_reports
from learnings.surfaces.render.proposals import FileGroups
from learnings.workspace.memory_file import MemoryFile, chosen_files

ARGUMENTS = """
+files
--include-consolidated  also group the results of earlier consolidations
+quiet
+format groups
"""


def run(args: Args, context: Context) -> int:
    def report(file: MemoryFile) -> FileGroups:
        name, document = file.name, file.document
        if len(document.entries) > MAX_ENTRIES:
            raise UsageProblem(
                f"{printable(name)} has {len(document.entries):,} entries, too many to compare "
                f"(at most {MAX_ENTRIES:,}); split it"
            )
        if doubt := doubt_of(file.workspace, name, document):
            context.note(f"{name}: {doubt}", unless=args.quiet)
        ages = None
        with suppress(UntrustedHistory):
            ages = file.ages()
        grouping = groups_of(
            file,
            document,
            ages,
            include_consolidated=args.include_consolidated,
            with_neighbours=args.format == "json",
        )
        return FileGroups(name, grouping)

    chosen = chosen_files(args.files, context.workspace)
    return print_reports("groups", chosen, report, args, context)
