"""The git state of files that a consolidation writes: ignored files, and commands to undo."""

from __future__ import annotations

import os
import posixpath
import shlex
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.core.errors import UnusableFile, UsageProblem
from learnings.core.file_names import archive_path, decisions_path
from learnings.core.text import printable
from learnings.history.git.ignoring import ignoring_rules, remedy
from learnings.history.git.tracked import is_unchanged
from learnings.store.files import Change
from learnings.store.safe_moves import Move
from learnings.workspace.disk import find_root, real_path
from learnings.workspace.memory_file import MemoryFile


def is_in_repository(root: Path) -> bool:
    """Return True if files below a folder can be committed, or if the disk cannot tell."""
    try:
        return os.path.lexists(find_root(real_path(root)) / ".git")
    except UnusableFile:  # nothing may fail once the files are written
        return True


def refuse_ignored(root: Path, additions: Iterable[Change], memory: str) -> None:
    """Raise UsageProblem if git ignores a file that receives text, but not the memory."""
    problem = ignored_problem(root, [change.path for change in additions], memory)
    if problem:
        raise UsageProblem(f"{problem} and run again")


def ignored_problem(root: Path, paths: Sequence[str], memory: str) -> str:
    """Return why the text that a memory gives to some files would be in no commit, or nothing."""
    rules = ignoring_rules(root, [*paths, memory]) if paths and is_in_repository(root) else {}
    path = next((path for path in paths if path in rules and memory not in rules), None)
    if path is None:
        return ""
    return (
        f"git ignores {printable(path)} ({rules[path]}), so no commit would contain it; "
        f"{remedy(root, path)}"
    )


def archive_notes(memory: MemoryFile, today: str) -> Iterator[str]:
    """Yield what to know about the archive of a memory before the first entry goes there."""
    source = SourceFile(memory)
    path, own = source.archive(today), source.archives
    if source.is_folder:
        path = f"{path}/{posixpath.basename(decisions_path(source.home))}"
    problem = ignored_problem(source.root, [path], memory.name)
    if problem:
        yield f"{problem}, before entries leave {printable(source.name)}"
    folder = posixpath.dirname(path)
    name = "" if own else _foreign_name(source.root / folder)
    if name:
        yield (
            f"the folder {printable(folder)} has other files ({printable(name)}); nothing to do: "
            f"they stay as they are, and archives of {printable(source.name)} get other names"
        )


def _foreign_name(folder: Path) -> str:
    """Return a visible name in an archive folder that is no archive of ours, empty for none."""
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208  (names are enough)
    except OSError:  # absent, or a later step reports it
        return ""
    ours = (archive_path("", ""), decisions_path(""))
    marks = [posixpath.basename(path).removesuffix(".md") for path in ours]
    others = (name for name in names if not any(mark in name for mark in marks))
    return next((name for name in others if not name.startswith(".")), "")


def command_on(words: str, paths: Sequence[str], *, root: Path, folder: Path) -> list[str]:
    """Return a command on files of a repository, as typed in a folder; none without files."""
    shown = (Path(os.path.relpath(root / path, folder)).as_posix() for path in paths)
    return [f"{words} -- {shlex.join(shown)}"] if paths else []


def undo_move(
    source: SourceFile, move: Move, merged: Sequence[str], *, staged: bool
) -> Sequence[str]:
    """Return the commands that undo a move about to be written, and a line on files that stay.

    If all files are unchanged in git, git restores them; an unstaged archive stays, which is
    harmless. Otherwise entries are restored from the archive, and other files by git if it can.
    """
    root, folder = source.root, source.workspace.user_folder
    command = partial(command_on, root=root, folder=folder)
    restore = "git restore --staged --worktree" if staged else "git restore"
    archives = [change.path for change in move.archives if change.before is None]
    old = [change.path for change in move.changes if change.before is not None]
    new = [c.path for c in move.changes if c.before is None and c.path not in archives]
    if not old or is_unchanged(root, old):
        if staged:
            return command(restore, [change.path for change in move.changes])
        if source.is_folder:  # a second copy would prove nothing
            return [*command(restore, old), *command("rm", [*archives, *new])]
        return _with_staying([*command(restore, old), *command("rm", new)], archives)

    commands = []
    if move.originals:
        words = ["learnings", "archive", "--restore", *source.names_of(move)]
        if not folder.is_relative_to(root):  # a local memory, found by its name alone
            words += ["--file", str(root / source.path)]
        commands.append(shlex.join(words))
    # The files that --restore reads and writes.
    kept = {change.path for change in (*move.archives, *move.sources)}
    others = [path for path in old if path not in kept]
    restored = [path for path in others if is_unchanged(root, [path])]
    commands += [*command(restore, restored), *command("rm", [] if staged else new)]
    left = [path for path in others if path not in restored]
    if not source.is_folder:
        left = [*merged, *left, *(change.path for change in move.archives)]
    return _with_staying(commands, left)


def _with_staying(commands: list[str], names: Sequence[str]) -> list[str]:
    stay = f"({', '.join(names)} {'stay' if len(names) > 1 else 'stays'})"
    return [*commands, stay] if commands and names else commands
