"""Record today's findings, so that `learnings check` and the hooks fail for new ones only.

The files are those of `learnings check` and the agent files; the findings are written to the
baseline, which belongs in the repository. A finding is recognised by its rule, its file and the
text it is about, so lines may move; of two equal ones where there was one, the second is new.
Findings that are gone are removed; with --prune none are added. Exit code: 0 recorded, 2 usage,
configuration, or a baseline that cannot be read or written.
"""

from __future__ import annotations

import argparse

from learnings.check.full_check import change, full_check, pruning, recording
from learnings.check.run import load_baseline
from learnings.core.text import counted, printable
from learnings.store.files import write
from learnings.surfaces.cli.commands import add_flag, command_table
from learnings.surfaces.cli.context import Context


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_flag(parser, "--prune", "only remove findings that are gone, and add none")
    add_flag(parser, "--history", "also use the rules that need git history")


def run(args: argparse.Namespace, context: Context) -> int:
    result = full_check(context.workspace, commands=command_table, history=args.history)
    file = load_baseline(result.workspace)
    name = printable(file.path)
    if args.prune and file.data is None:
        context.err.write(f"learnings: there is no baseline {name}\n")
        return 0
    known = pruning(result, file) if args.prune else recording(result, file)
    needed = change(file, known)
    if needed is not None:
        write(result.workspace.root, [needed])
    if needed is None and not known:
        context.err.write("learnings: there is nothing to record\n")
    else:
        added, gone = len(known.keys() - file.known.keys()), len(file.known.keys() - known.keys())
        context.out.write(f"{name}: {counted(len(known), 'finding')}, {added} new, {gone} gone\n")
    return 0
