"""The git state of files that a consolidation writes: ignored files, and commands to undo."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.core.errors import UnusableFile, UsageProblem
from learnings.core.text import printable
from learnings.history.git.tracked import ignoring_rule, is_unchanged
from learnings.store.safe_moves import Move
from learnings.workspace.disk import find_root, real_path
from learnings.workspace.workspace import Workspace


def is_in_repository(root: Path) -> bool:
    """Return True if files below a folder can be committed, or if the disk cannot tell."""
    try:
        return os.path.lexists(find_root(real_path(root)) / ".git")
    except UnusableFile:  # nothing may fail once the files are written
        return True


def refuse_ignored(root: Path, archive: str, learnings_file: str) -> None:
    """Raise UsageProblem if git ignores an archive but not its file: clones would lack it."""
    if not is_in_repository(root):
        return

    rule = ignoring_rule(root, archive)
    if rule is None or ignoring_rule(root, learnings_file) is not None:
        return
    raise UsageProblem(
        f"git ignores {printable(archive)} ({printable(rule.origin)}: "
        f"{printable(rule.pattern)}), so no commit would contain the originals; add "
        f"the line {printable(rule.line)} at the end of {printable(rule.file)} and run "
        "again"
    )


def undo_move(
    workspace: Workspace, source: SourceFile, move: Move, merged: Sequence[str], *, staged: bool
) -> Sequence[str]:
    """Return the commands that undo a move about to be written, and a line on files that stay.

    If all files are unchanged in git, git restores them; an unstaged archive stays, which is
    harmless. Otherwise entries are restored from the archive, and other files by git if it can.
    """

    def command(words: str, paths: Sequence[str]) -> list[str]:
        shown = (os.path.relpath(workspace.root / path, workspace.start) for path in paths)
        return [f"{words} -- {shlex.join(Path(path).as_posix() for path in shown)}"] * bool(paths)

    restore = "git restore --staged --worktree" if staged else "git restore"
    archives = [change.path for change in move.archives if change.before is None]
    old = [change.path for change in move.changes if change.before is not None]
    new = [c.path for c in move.changes if c.before is None and c.path not in archives]
    if not old or is_unchanged(workspace.root, old):
        if staged:
            return command(restore, [change.path for change in move.changes])
        if source.is_folder:  # a second copy would prove nothing
            return [*command(restore, old), *command("rm", [*archives, *new])]
        return _with_staying([*command(restore, old), *command("rm", new)], archives)

    commands = []
    if move.originals:
        commands.append(shlex.join(["learnings", "archive", "--restore", *source.names_of(move)]))
    # The files that --restore reads and writes.
    kept = {change.path for change in (*move.archives, *move.sources)}
    others = [path for path in old if path not in kept]
    restored = [path for path in others if is_unchanged(workspace.root, [path])]
    commands += [*command(restore, restored), *command("rm", [] if staged else new)]
    left = [path for path in others if path not in restored]
    if not source.is_folder:
        left = [*merged, *left, *(change.path for change in move.archives)]
    return _with_staying(commands, left)


def _with_staying(commands: list[str], names: Sequence[str]) -> list[str]:
    stay = f"({', '.join(names)} {'stay' if len(names) > 1 else 'stays'})"
    return [*commands, stay] if commands and names else commands
