"""Git's folders of a working tree, found without a process.

https://git-scm.com/docs/gitrepository-layout
"""

from __future__ import annotations

import os
from pathlib import Path

_LONGEST_POINTER = 8192  # bytes of a file `.git` or `commondir`, which hold one path


def git_folder(top: Path) -> Path:
    """Return `.git`, or the folder that this file names in a linked worktree or a submodule.

    Raises OSError, and ValueError for a path that no system has.
    """
    folder = top / ".git"
    return top / _pointer(folder).removeprefix("gitdir:").strip() if folder.is_file() else folder


def common_folder(top: Path) -> Path:
    """Return the folder that a working tree shares with its linked ones; raises as above."""
    folder = git_folder(top)
    common = folder / "commondir"
    return folder / _pointer(common).strip() if common.is_file() else folder


def _pointer(path: Path) -> str:
    with path.open("rb") as file:
        return os.fsdecode(file.read(_LONGEST_POINTER))
