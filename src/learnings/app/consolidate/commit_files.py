"""What git has to do with the files that a consolidation writes: ignored, unchanged so far."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from learnings.app.workspace.disk import find_root, real_path
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.history.git.ignored import GitignoreRules
from learnings.history.git.tracked import is_unchanged
from learnings.store.files import Change


def refuse_ignored(root: Path, path: str) -> None:
    """Raise UsageProblem where git ignores a file that is to be committed, with the line to add.

    path is POSIX, from the root of the workspace. Outside of a repository nothing is ignored.
    """
    top = find_root(real_path(root))
    if not os.path.lexists(top / ".git"):
        return
    name = (real_path(root) / path).relative_to(top).as_posix()
    ignored = GitignoreRules(top).ignored(_with_folders(name))
    first = next((part for part in _with_folders(name) if part in ignored), None)
    if first is None:
        return
    line = f"!/{first}" if first.endswith("/") else f"!/{name.rpartition('/')[0]}/*.md"
    raise UsageProblem(
        f"git ignores {printable(path)}, so that the originals would be in no commit; add the line "
        f"{printable(line)} to .gitignore, below the one that ignores it"
    )


def _with_folders(path: str) -> Iterator[str]:
    """Give the folders that a file lies in, each with a slash at its end, then the file."""
    yield from (path[: index + 1] for index, character in enumerate(path) if character == "/")
    yield path


def undo_command(root: Path, changes: Sequence[Change], cwd: Path, *, staged: bool) -> str:
    """Return the command that takes changes back that are about to be written to a workspace.

    Where git has all files as they are now, it restores them; a new archive stays where it is not
    staged, since it does no harm. Otherwise entries come back from the archive one by one.
    """
    old = [change.path for change in changes if change.before is not None]
    if not is_unchanged(root, old):
        return "learnings archive --restore IDENTITY, for each entry"
    paths = [change.path for change in changes] if staged else old
    names = (Path(os.path.relpath(root / path, cwd)).as_posix() for path in paths)
    return shlex.join(["git", "restore", *(["--staged", "--worktree"] * staged), "--", *names])
