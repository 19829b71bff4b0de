"""Apply a consolidation plan: merge, move and drop its entries, and archive each original verbatim.

The command refuses a plan with errors as a whole, and prints each error with its line. It first
writes the archive and the targets, and checks that every original is in the archive on disk. Then
it writes the indexes, and last the learnings file. A killed run loses nothing, and a second run
completes it. The command skips a move that would take its target above `line-limit`.

Exit code: 0 if done or nothing is left to do, 1 if something was skipped, 2 if the plan is refused
or a file cannot be read or written.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.consolidate.applying import application_of
from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.app.consolidate.commit_files import is_in_repository, refuse_ignored, undo_move
from learnings.consolidation.plan.memory_edits import title_of
from learnings.consolidation.plan.plan import MERGE, PlanProblem, kept
from learnings.consolidation.plan.plan_reading import PlanReading, read_plan, with_decisions
from learnings.consolidation.plan.plan_text import with_result, with_steps
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import LearningsError, MissingFile, UsageProblem
from learnings.core.findings.finding import quoted
from learnings.history.git.gitpython import stage
from learnings.store.files import Change, refuse_targets
from learnings.store.safe_moves import Move, write_move
from learnings.surfaces.cli.commands import STDIN, WRONG, Args, Context
from learnings.surfaces.cli.output import print_patch, write_file
from learnings.surfaces.render.outcomes import applied_lines
from learnings.workspace.disk import exists, is_local_memory, read_file, within_limit
from learnings.workspace.memory_file import named_memory
from learnings.workspace.workspace import Workspace

ARGUMENTS = """
plan=PLAN         a plan written by `learnings plan`
-n --dry-run      print a summary; write nothing
--verbose         with --dry-run, print the changes as a diff, too
--stage           stage the changed files
--decisions FILE  first copy the decisions in FILE, in the form of the plan, into the plan; - reads
                  standard input
| --as-proposed   apply an unedited plan or unedited drafts
| --keep-all      keep every entry of an unedited plan
+now
"""


def run(args: Args, context: Context) -> int:
    """Return 0, 1 if something was skipped, 2 if the plan is refused and nothing written."""
    path = context.folder / args.plan  # it may be outside the repository
    data = read_file(path, shown=args.plan)
    judged = _judged(data, args, context)
    source, reading = judged.text, judged.reading
    if reading.problems:
        return _refuse(reading.problems, judged, context)
    workspace, result = _workspace_with(reading.plan.file, context), reading.plan.result
    try:
        memory = SourceFile(named_memory(reading.plan.file, workspace))
    except MissingFile as error:
        return _refuse([PlanProblem(reading.file_line, str(error))], judged, context)
    now = context.clock.local_time(args.now)
    done = application_of(reading.plan, memory, now=now, as_proposed=args.as_proposed)
    move = done.move
    if done.problems:
        if source != data and not args.dry_run:
            write_file(path, data, source)  # so that the named lines exist
        return _refuse(done.problems, judged, context)
    is_tracked = is_in_repository(workspace.root)
    if args.stage and not is_tracked:
        raise UsageProblem(f"{workspace.root} is not in a git repository; leave --stage out")
    refuse_ignored(workspace.root, (*move.archives, *move.targets), reading.plan.file)
    context.note(*done.notes)
    merged = [quoted(title_of(s.subject)) for s in done.steps if s.action == MERGE and s.entries]
    undo = undo_move(memory, move, merged, staged=args.stage)
    in_all = done.after(result)
    printed = in_all if done.leaving or done.decided else done
    files = printed.files if is_tracked else ()  # else there is nothing to commit
    if args.dry_run:
        refuse_targets(workspace.root, move.changes)
    else:
        after = with_result(source, in_all.result)
        _write(move, workspace, Change(args.plan, data, after), context)
        if args.stage and in_all.files:
            files = tuple(stage(workspace.root, in_all.files))
    printed = printed._replace(files=files)
    context.out.write(applied_lines(printed, undo, staged=args.stage, dry_run=args.dry_run))
    if args.dry_run and args.verbose and move.changes:
        context.out.write("\n")
        print_patch(move.changes, context.out)
    return int(bool(done.skips))


def _workspace_with(file: str, context: Context) -> Workspace:
    """Return the workspace that has the plan's file, which may be a memory in the home folder."""
    local = Path(os.path.expanduser("~")) / file  # noqa: PTH111  (never raises)
    if exists(context.workspace.root / file) or not is_local_memory(local):
        return context.workspace
    return context.workspace.around(local / "_")


class _Judged(NamedTuple):
    """A plan with the decisions of the options, and its text.

    name is the file with the lines of the reading. places are files that have entries and steps on
    other lines, with these lines: decisions, and the plan of a dry run, which stays as it is.
    """

    name: str
    text: bytes
    reading: PlanReading
    places: Sequence[tuple[str, Mapping[str, int]]] = ()

    def cited(self, problem: PlanProblem) -> str:
        """Return a problem below the file and the line at which people have written its cause."""
        name, line = self.name, problem.line
        keys = [
            key
            for step in self.reading.plan.steps
            for place, key in [
                (step.line, step.heading),
                *((m.line, m.digest) for m in step.members),
            ]
            if line in (place, step.line)
        ]
        found = ((file, lines[key]) for file, lines in self.places for key in keys if key in lines)
        name, line = next(found, (name, line))
        return f"{name}:{line}: {problem.message}"


def _judged(data: bytes, args: Args, context: Context) -> _Judged:
    reading = read_plan(data)
    places = []
    if args.decisions is not None and not reading.problems:
        shown = args.decisions
        if shown == STDIN:
            shown = "standard input"
            read = within_limit(sys.stdin.buffer.read(LARGEST_FILE + 1), shown=shown)
        else:
            read = read_file(context.folder / shown, shown=shown)
        edited = with_decisions(reading.plan, read)
        if edited.problems:
            return _Judged(shown, data, edited)
        places = [(shown, edited.plan.lines)]
        if args.dry_run:
            places.append((args.plan, reading.plan.lines))
        data = with_steps(data, edited.plan)
        reading = read_plan(data)
    if args.keep_all and not reading.problems:
        if not reading.plan.is_unedited:
            message = "this plan is edited, so its lines decide what to keep; omit --keep-all"
            reading = reading._replace(problems=(PlanProblem(1, message),))
            return _Judged(args.plan, data, reading)
        data = with_steps(data, kept(reading.plan))
        reading = read_plan(data)
        reading = reading._replace(plan=reading.plan._replace(is_unedited=False))
    return _Judged(args.plan, data, reading, places)


def _refuse(problems: Sequence[PlanProblem], judged: _Judged, context: Context) -> int:
    """Print each problem with its line, and return the exit code."""
    context.note(*dict.fromkeys(map(judged.cited, problems)))
    return WRONG


def _write(move: Move, workspace: Workspace, plan: Change, context: Context) -> None:
    """Write the changes, together with the plan if it is a writable file of the workspace."""
    path = context.folder / plan.path
    relative = workspace.relative(path) if _is_writable(path) else None
    inside = () if relative is None else (plan._replace(path=relative),)
    if move.files:
        # Write the plan before the source, so that a second run knows what a killed one changed.
        write_move(workspace.root, move._replace(targets=(*move.targets, *inside)))
    if not (inside and move.files):
        try:
            write_file(path, plan.before, plan.after or b"")
        except LearningsError as error:
            context.note(f"cannot record the result in the plan: {error}")


def _is_writable(path: Path) -> bool:
    """Return True if the mode lets the owner write; the superuser is no exception."""
    try:
        return bool(path.stat().st_mode & stat.S_IWUSR)
    except OSError:  # deleted meanwhile, or a disk error: the write reports it
        return False
