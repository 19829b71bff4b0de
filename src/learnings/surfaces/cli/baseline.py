"""Record today's findings, so that `learnings check` and the hooks fail only for new ones.

The command checks the files of `learnings check` and the agent files, and writes the findings to
the baseline, which you commit. It identifies a finding by its rule, its file and the text it is
about, so lines may move. If a recorded finding occurs twice, the second one is new. The command
removes findings that are gone; with --prune it adds none.

Exit code: 0 if recorded, 2 for wrong usage or configuration, or a baseline that cannot be read or
written.
"""

from __future__ import annotations

from learnings.check.full_check import full_check
from learnings.core.text import counted, printable
from learnings.store.files import write
from learnings.surfaces.cli.arguments import command_table
from learnings.surfaces.cli.commands import Args, Context

ARGUMENTS = """
--prune    only remove findings that are gone; add none
--history  also use the rules that need git history
"""


def run(args: Args, context: Context) -> None:
    result = full_check(context.workspace, commands=command_table, history=args.history)
    file = result.baseline
    name = printable(file.path)
    if args.prune and file.data is None:
        context.note(f"no baseline {name}")
        return
    known = result.pruning() if args.prune else result.recording()
    needed = result.change(known)
    if needed is not None:
        write(result.workspace.root, [needed])
    if needed is None and not known:
        context.note("nothing to record")
    else:
        added, gone = len(known.keys() - file.known.keys()), len(file.known.keys() - known.keys())
        context.out.write(f"{name}: {counted(len(known), 'finding')}, {added} new, {gone} gone\n")
