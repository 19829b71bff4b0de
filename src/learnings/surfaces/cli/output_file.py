"""A file that a command writes for its user, in a repository or elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

from learnings.app.workspace.disk import exists, find_root, is_folder, read_file
from learnings.store.files import Change, write


def write_output(path: Path, data: bytes, *, shown: str) -> None:
    """Write a file, in place of an older one. shown is its path as messages name it.

    Raises LearningsError, nothing written.
    """
    write_beside(path, read_file(path, shown=shown) if exists(path) else None, data)


def write_beside(path: Path, before: bytes | None, after: bytes) -> None:
    """Write a file in its repository or, outside of any, in its folder.

    before is its content so far, None for a new one. Raises WriteError, nothing written.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100  (`..` is not to count as a folder below)
    folder = path.parent
    while not is_folder(folder):
        folder = folder.parent
    root = find_root(folder)
    write(root, [Change(path.relative_to(root).as_posix(), before, after)])
