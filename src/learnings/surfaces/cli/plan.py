"""Propose a consolidation plan to edit and then apply with `learnings apply`.

The plan has a line for each entry of the batch; with --all for each entry of the file, with --only
for the named entries. It proposes `merge` for entries that overlap, with a draft of their text,
`drop` for superseded entries and entries that a target file covers, `escalate` for open questions,
and `keep` for the rest. The plan quotes an entry with a finding in full, and with --only every
entry. For any other entry it shows one line, the rule of the entry, and a section of the target
files if one is likely right. Its head lists the target files with their room and headings, except
with --only. With --all the plan keeps the newest entries.

Exit code: 0 if made, 2 for wrong usage or configuration, untrustworthy history (not with --all or
--only), or a file that cannot be read or written.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from learnings.app.consolidate.commit_files import archive_notes
from learnings.app.consolidate.inputs import load_inputs
from learnings.app.consolidate.suggestions import plan_for_inputs
from learnings.consolidation.plan.moving import outlines
from learnings.consolidation.plan.plan import Plan
from learnings.consolidation.plan.plan_reading import read_plan
from learnings.consolidation.plan.plan_text import counts_of, plan_text, resumed
from learnings.core.cost import cost_of
from learnings.core.entries.document import Entry, digest_of
from learnings.core.errors import UsageProblem
from learnings.core.text import counted, decode, printable, printable_lines
from learnings.forms.verdict_words import shell_word
from learnings.surfaces.cli.commands import STDIN, Args, Context
from learnings.surfaces.cli.output import write_plan
from learnings.surfaces.cli.reports import required_files
from learnings.workspace.disk import exists, read_file
from learnings.workspace.memory_file import MemoryFile

ARGUMENTS = """
words=FILE...    a learnings file; with --only, entries may follow
+selection
--only ENTRY...  only this entry and those after it on the command line, by identity, title or
                 digest; - reads standard input; repeatable
--output PLAN    write the plan to this file (default: print it)
+quiet
"""


def run(args: Args, context: Context) -> None:
    name, only = _chosen(args, context.folder)
    file, globs = _file(name, context), args.targets
    context.note(*archive_notes(file, context.clock.today()), unless=args.quiet)
    with load_inputs(file, globs, every_entry=args.all, only=only, is_for_plan=True) as inputs:
        context.note(*inputs.notes, unless=args.quiet)
        plan = plan_for_inputs(inputs)
    path = context.folder / (args.output or "")
    is_there = args.output is not None and exists(path)
    before = read_file(path, shown=args.output) if is_there else None
    earlier = read_plan(before or b"").plan
    if earlier.file == plan.file:
        plan = resumed(plan, earlier, inputs.destinations)
    limit = inputs.memory_file.workspace.settings.line_limit
    lines = () if only else outlines(inputs.destinations, len(inputs.entries), limit)
    notes = (*inputs.notes, *lines)
    data = plan_text(plan, keep_days=inputs.memory_file.settings.keep_days, notes=notes)
    if args.output is None:
        # Text from files must not control a terminal, not even behind a pipe.
        context.out.write(printable_lines(decode(data)))
        return
    is_done_with = bool(earlier.result) or (bool(earlier.file) and earlier.is_unedited)
    write_plan(path, before, data, is_done=is_done_with, shown=args.output)
    line = f"{printable(args.output)}: {printable(inputs.scope)} {counts_of(plan)}".rstrip()
    saved = _saved_tokens(plan, inputs.entries)
    saves = f", saves up to {counted(saved, 'token')} in each session" if saved > 0 else ""
    context.out.write(f"{line}{saves}\n")
    if plan.steps and not args.quiet:
        command = f"learnings apply {shell_word(args.output)} --dry-run"
        context.out.write(f"next: edit it, then {command}\n")


def _saved_tokens(plan: Plan, entries: Sequence[Entry]) -> int:
    """Return the tokens by which the file gets shorter if the plan is carried out as proposed."""
    costs = {digest_of(entry): cost_of(entry.text).tokens for entry in entries}
    steps = [step for step in plan.steps if step.leaves and not step.lacks]
    written = sum(cost_of(step.text).tokens for step in steps if step.is_merge)
    return sum(costs[member.digest] for step in steps for member in step.members) - written


def _chosen(args: Args, folder: Path) -> tuple[str | None, tuple[str, ...]]:
    """Return the file or None, and the entries of --only; `-` reads standard input.

    With --only, the first word is an entry unless there is a file of that name.
    """
    words = list(args.words)
    if not args.only:
        if len(words) > 1:
            raise UsageProblem(
                f"a plan covers one file, and {words[1]} is a second one; leave it out"
            )
        return (words[0] if words else None), ()
    if args.all:
        raise UsageProblem("--only and --all exclude each other; leave one of them out")
    file = words.pop(0) if words and exists(folder / words[0]) else None
    named = [*args.only, *words]
    read = decode(sys.stdin.buffer.read()).splitlines() if STDIN in named else []
    names = [name for word in named for name in (read if word == STDIN else [word])]
    if not any(map(str.strip, names)):
        raise UsageProblem("--only names no entry; `learnings ages` lists the entries of a file")
    return file, tuple(name for name in names if name.strip())


def _file(name: str | None, context: Context) -> MemoryFile:
    """Return the named learnings file, else the only one."""
    files = required_files(name, context)
    names = [file.workspace.relative(file.path) or "" for file in files]
    if len(names) > 1:
        raise UsageProblem(f"a plan covers one file; name one of {', '.join(names)}")
    if printable(names[0]) != names[0]:
        raise UsageProblem(
            f"{printable(names[0])} has characters in its name that a plan cannot show; "
            "rename the file"
        )
    return files[0]
