"""Split a full target file by topic: move sections to new files and lose nothing.

The command cuts at headings of level 2, and at level 3 only inside a section too large for one
file. Sections that refer to each other stay together. A new file has `split-min` to `split-max`
lines, a title, and a name made of FILE and the heading of its largest section; --group and --name
choose both instead. FILE gets a list of the new files; the command updates links and index rows.
Without --apply it only prints the plan. It writes and reads back the new files first, and FILE
last; a killed run loses nothing, and a second run completes it. It refuses a file that agents load
as a whole, such as CLAUDE.md.

Exit code: 0 if split or nothing to split, 1 if FILE cannot be cut, 2 for wrong usage or a refusal
that changes nothing.
"""

from __future__ import annotations

from pathlib import Path

from learnings.app.consolidate.commit_files import command_on, is_in_repository, refuse_ignored
from learnings.app.consolidate.division import Division, division_of
from learnings.core.errors import UsageProblem
from learnings.core.text import counted
from learnings.history.git.tracked import is_unchanged
from learnings.store.safe_moves import write_move
from learnings.surfaces.cli.commands import CLEAN, FINDINGS, Args, Context
from learnings.surfaces.render.outcomes import commit_lines, split_lines

ARGUMENTS = """
file=FILE            a target file
| --apply            write the new files
| -n --dry-run       print the plan; write nothing (default)
--group HEADINGS...  put these sections into one file; headings separated by commas; repeatable
--name NAME...       name the file of the preceding --group; the result is FILE-NAME
--room LINES:int     also split if this many more lines would exceed line-limit (default: 0)
"""


def run(args: Args, context: Context) -> int:
    room = args.room or 0
    if room < 0:
        raise UsageProblem(f"--room {room} is less than 0; give the number of lines to fit in")
    if len(args.group) != len(args.name):
        raise UsageProblem(
            f"--group is given {counted(len(args.group), 'time')} and --name "
            f"{counted(len(args.name), 'time')}; give one --name for each --group"
        )
    requests = [*zip(args.group, args.name, strict=True)]
    division = division_of(args.file, context.workspace, room=room, requests=requests)
    is_applied = args.apply and division.split is not None
    lines = _apply(division, context.folder) if is_applied else []
    options = []
    for headings, name in requests:
        for option, value in (("--group", headings), ("--name", name)):
            options += [f"{option}={value}"] if value.startswith("-") else [option, value]
    options += ["--room", str(room)] if room else []
    context.out.write(split_lines(division, is_applied=is_applied, options=options))
    context.say(*lines)
    context.note(*division.move.notes)
    return FINDINGS if division.obstacle else CLEAN


def _apply(division: Division, folder: Path) -> list[str]:
    """Write a division; return the lines that say what to commit and how to undo it."""
    root, move = division.root, division.move
    refuse_ignored(root, move.targets, division.path)
    new, changed = ([change.path for change in group] for group in (move.targets, move.sources))
    undo = []
    if is_unchanged(root, changed):
        for words, paths in (("git restore", changed), ("git clean -f", new)):
            undo += command_on(words, paths, root=root, folder=folder)
    write_move(root, move)
    return [*commit_lines([*new, *changed], undo)] if is_in_repository(root) else []
