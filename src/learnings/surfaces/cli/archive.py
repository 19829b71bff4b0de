"""Move entries to the archive of their file, word for word, or restore them.

IDENTITY names an entry as reports do: by its identity in JSON, its heading, its title, or only its
time stamp or id. The archive of agents/learnings.md is
agents/archive/learnings-consolidated-DATE.md, with the entries under `## Dropped: REASON`. The
command writes the archive and reads it back before it removes the entry and its index rows. A file
of a memory folder moves to the folder `archive` inside it, and back.

--list prints the archived entries, newest first, each with the command that restores it.

Exit code: 0 if done or nothing is left to do, 2 for wrong usage or a refusal that changes nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from learnings.app.consolidate.archives_on_disk import FoundEntry, SourceFile
from learnings.app.consolidate.archiving import (
    archiving,
    choose,
    left_since,
    rescuing,
    restoring,
)
from learnings.app.consolidate.commit_files import is_in_repository, refuse_ignored
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.text import counted
from learnings.forms.registry import no_file
from learnings.history.git.gitpython import stage
from learnings.store.safe_moves import Move, write_move
from learnings.surfaces.cli.commands import Args, Context
from learnings.surfaces.cli.reports import usable_files
from learnings.surfaces.render.outcomes import DRY_RUN, commit_lines, entries_below, listed
from learnings.workspace.disk import exists, is_folder, is_link, refuse_empty, refuse_outside
from learnings.workspace.memory_file import MemoryFile

ARGUMENTS = """
identities=IDENTITY...  an entry
--reason TEXT           reason for archiving
--restore               restore the entries
--list                  print the archived entries
--from rev=REV          archive every entry that left its file since this commit and is in no
                        archive, and remove its index rows
--file FILE             the learnings file (default: all)
--stage                 stage the changed files
-n --dry-run            print what would be done; write nothing
+format archive
"""


def run(args: Args, context: Context) -> None:
    if args.list:
        _print_list(args, context)
        return
    _refuse_contradictions(args)
    sources = _sources(args, context)
    if not sources:
        raise MissingFile(no_file(context.workspace))
    root = sources[0].root
    if args.stage and not is_in_repository(root):
        raise UsageProblem(f"{root} is not in a git repository; leave --stage out")
    action = _restore if args.restore else _archive if args.rev is None else _rescue
    text, move, undo = action(args, sources, context.clock.today())
    files = sorted(change.path for change in move.files) if is_in_repository(root) else []
    if not args.dry_run:
        write_move(root, move)  # after it only staging can fail
        if args.stage and files:
            files = stage(root, files)
    lines = commit_lines(files, [shlex.join(undo)] if undo else [], staged=args.stage)
    context.out.write(f"{DRY_RUN}\n{text}" if args.dry_run else text)
    context.say(*lines)
    context.note(*move.notes)


def _print_list(args: Args, context: Context) -> None:
    others = (args.identities, args.reason is not None, args.restore, args.rev is not None)
    if any((*others, args.stage, args.dry_run)):
        raise UsageProblem("--list takes only --file and --format; leave the rest out")
    sources = _sources(args, context)
    if not sources:
        context.note(no_file(context.workspace))
    files = []
    for source in sources:
        path = args.file or os.path.relpath(source.root / source.path, context.workspace.start)
        # The command finds the only file without the option.
        is_needed = args.file or len(sources) > 1
        files.append(listed(source, ["--file", Path(path).as_posix()] if is_needed else []))
    context.show("archive", args.format, files)


def _refuse_contradictions(args: Args) -> None:
    if args.format != "text":
        raise UsageProblem("--format needs --list; leave it out")
    if args.rev is not None and (args.identities or args.restore):
        raise UsageProblem("--from archives every entry that left since REV; name no entry with it")
    if args.rev is None and not args.identities:
        listed = "`learnings ages` lists, or a commit with --from"
        listed = "`learnings archive --list` shows" if args.restore else listed
        raise UsageProblem(f"no entry named; name one that {listed}")
    if args.restore and args.reason is not None:
        raise UsageProblem("--restore takes no reason; leave --reason out")
    needs_reason = args.rev is None and not args.restore
    if not (args.reason or "").strip() and (needs_reason or args.reason is not None):
        raise UsageProblem("no reason given; add --reason with why the entry is no longer needed")


def _sources(args: Args, context: Context) -> list[SourceFile]:
    """Return all files, or the named one; it may be missing if an archive has its entries."""
    if args.file is not None and (args.restore or args.list or args.rev is not None):
        refuse_empty(args.file)
        workspace = context.workspace
        places = [folder / args.file for folder in (workspace.start, workspace.root)]
        # A file that is gone is named as messages do, from the root, or from where the user is.
        path = next((place for place in places if is_folder(place.parent)), places[0])
        if not any(exists(place) or is_link(place) for place in places):
            refuse_outside(path, workspace.start, shown=args.file, on_disk=False)
            return [SourceFile(MemoryFile(workspace.around(args.file), path))]
    return [SourceFile(file) for file in usable_files(args.file, context)]


_Done = tuple[str, Move, Sequence[str]]
"""The printed text, the move to write, and the words of the command that undoes it."""


def _archive(args: Args, sources: Sequence[SourceFile], today: str) -> _Done:
    source, rows, done = choose(args.identities, sources)
    path = source.name
    if not rows:
        left = f"Nothing left to do: archived and no longer in {path}:"
        return entries_below(left, done), Move(), ()
    move = archiving(source, rows, args.reason, today=today)
    refuse_ignored(source.root, (*move.archives, *move.targets), path)
    undo = ["learnings", "archive", "--restore", *source.names_of(move)]
    if args.file or source.is_folder:  # an empty folder is not discovered
        undo += ["--file", args.file or path]
    moved = f"Moved {_counted(rows)} from {path} to {source.archive(today)}:"
    return entries_below(moved, rows), move, undo


def _restore(args: Args, sources: Sequence[SourceFile], _today: str) -> _Done:
    source, rows, done = choose(args.identities, sources, restore=True)
    path = source.name
    text = entries_below(f"Nothing left to do: already in {path}:", done) if done else ""
    if not rows:
        return text, Move(), ()
    kept = "" if source.is_folder else "; the archive keeps them"
    text += entries_below(f"Put {_counted(rows)} back into {path}{kept}:", rows, with_places=True)
    return text, restoring(source, rows), ()


def _rescue(args: Args, sources: Sequence[SourceFile], today: str) -> _Done:
    text, found = "", [left_since(source, args.rev) for source in sources]
    for source, commit, _, rows in found:
        since = f"that left {source.name} since {commit}"
        head = f"Nothing to archive: every entry {since} is in an archive"
        if rows:
            head = f"Archived {_counted(rows)} {since} in {source.archive(today)}:"
        text += entries_below(head, rows)
    move = rescuing(found, args.reason, today=today)
    lost = (left for left in found if left.rows)
    for left, archive in zip(lost, move.archives, strict=True):
        refuse_ignored(left.source.root, [archive], left.source.path)
    return text, move, ()


def _counted(rows: Sequence[FoundEntry]) -> str:
    return counted(len(rows), "entry", "entries")
