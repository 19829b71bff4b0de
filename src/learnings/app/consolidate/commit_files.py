"""The git state of files that a consolidation writes: ignored files, and commands to undo."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import UnusableFile, UsageProblem
from learnings.core.text import printable
from learnings.history.git.tracked import ignoring_rule, is_unchanged
from learnings.store.files import Change
from learnings.store.safe_moves import Move, changes_of
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


class Undo(NamedTuple):
    """The commands that undo a run, in order, and the files that stay after them."""

    commands: tuple[str, ...] = ()
    stays: tuple[str, ...] = ()


def undo_move(
    workspace: Workspace,
    move: Move,
    names: Callable[[], Sequence[str]],
    merged: Sequence[str],
    *,
    staged: bool,
) -> Undo:
    """Return the commands that undo a move about to be written to a workspace.

    If all files are unchanged in git, git restores them; an unstaged archive stays, which is
    harmless. Otherwise names() are restored from the archive, and git restores the other files it
    has.
    """
    root, changes = workspace.root, changes_of(move)
    old = [change.path for change in changes if change.before is not None]

    is_folder = any(change.after is None for change in move.sources)
    archives = [change for change in move.archives if change.before is None]
    new = [c for c in changes if c.before is None and c not in archives]
    ending = _removing(workspace, [] if staged else new)
    stays = () if staged or is_folder else tuple(change.path for change in archives)
    if is_unchanged(root, old):
        paths = [change.path for change in changes] if staged else old
        if is_folder and not staged:  # a second copy would prove nothing
            ending = _removing(workspace, [*archives, *new])
        return Undo((_restoring(workspace, paths, staged=staged), *ending), stays)
    entries = shlex.join(["learnings", "archive", "--restore", *names()])
    # The files that --restore reads and writes.
    kept = {change.path for change in (*move.archives, *move.sources)}
    others = [path for path in old if path not in kept]
    restored = [path for path in others if is_unchanged(root, [path])]
    restoring = [_restoring(workspace, restored, staged=staged)] if restored else []
    commands = [entries, *restoring, *ending]
    left = [path for path in others if path not in restored]
    if is_folder:
        return Undo(tuple(commands), tuple(left))
    return Undo(tuple(commands), (*merged, *left, *(change.path for change in move.archives)))


def undo_decisions(workspace: Workspace, change: Change, *, staged: bool) -> Undo:
    """Return the commands that undo a decision file about to be written."""
    if change.before is None and not staged:
        return Undo(_removing(workspace, [change]))
    if change.before is not None and not is_unchanged(workspace.root, [change.path]):
        return Undo((), (change.path,))
    return Undo((_restoring(workspace, [change.path], staged=staged),))


def _restoring(workspace: Workspace, paths: Sequence[str], *, staged: bool) -> str:
    options = ["--staged", "--worktree"] * staged
    shown = (_shown(workspace, path) for path in paths)
    return shlex.join(["git", "restore", *options, "--", *shown])


def _removing(workspace: Workspace, changes: Sequence[Change]) -> tuple[str, ...]:
    paths = [_shown(workspace, change.path) for change in changes]
    return (shlex.join(["rm", "--", *paths]),) if paths else ()


def _shown(workspace: Workspace, path: str) -> str:
    return Path(os.path.relpath(workspace.root / path, workspace.start)).as_posix()
