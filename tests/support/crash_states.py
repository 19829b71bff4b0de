"""The state that a stopped run leaves in a repository, as comparable values."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tests.support.repository import GitRepository

TEMPORARY = re.compile(r"\.learnings-[0-9a-f]{16}\.tmp|.+\.json\.\d+\.part")
"""The names of our temporary files: a killed run may leave them, a later one removes them."""
ABANDONED = 2 * 3600  # seconds; older than the age at which a later run removes leftovers

State = Mapping[str, tuple[int, bytes]]
"""The files of a work tree by path, with mode and content or link target; and the branches."""


def state(folder: Path) -> State:
    """Return the files of a work tree and the trees of its branches, without empty folders."""
    content = {
        name: row
        for name, row in _rows(folder)
        if not name.startswith(".git/") and not stat.S_ISDIR(row[0])
    }
    if (folder / ".git").exists():
        paths = [folder / ".git/packed-refs", *sorted((folder / ".git/refs").rglob("*"))]
        content |= _trees(folder, tuple(path.read_bytes() for path in paths if path.is_file()))
    return content


def fingerprint(folder: Path) -> int:
    """Return a hash of all files and folders, with .git; all temporary files get one name."""
    rows = (
        (f"{Path(name).parent}/*" if is_temporary(name) else name, row)
        for name, row in _rows(folder)
    )
    return hash(tuple(sorted(rows)))


def _rows(folder: Path) -> list[tuple[str, tuple[int, bytes]]]:
    """Return path, mode and content of each file and folder, or the target of a link."""
    rows = []
    for path in folder.rglob("*"):
        mode = path.lstat().st_mode
        if stat.S_ISLNK(mode):
            data = os.fsencode(path.readlink())
        else:
            data = path.read_bytes() if stat.S_ISREG(mode) else b""
        rows.append((path.relative_to(folder).as_posix(), (mode, data)))
    return rows


@lru_cache(maxsize=64)
def _trees(folder: Path, references: tuple[bytes, ...]) -> State:  # noqa: ARG001
    """Return the trees of the branches; equal references always name the same trees."""
    rows = GitRepository(folder).git("for-each-ref", "--format=%(refname) %(tree)").splitlines()
    names = (row.split(" ", maxsplit=1) for row in rows)
    return {name: (0, tree.encode()) for name, tree in names}


def is_temporary(path: str) -> bool:
    return TEMPORARY.fullmatch(path.rpartition("/")[2]) is not None


def extra_files(folder: Path) -> frozenset[str]:
    """Return the temporary files and locks left in a repository."""
    return frozenset(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if is_temporary(path.name) or path.suffix == ".lock"
    )


def make_old(folder: Path) -> None:
    """Make the temporary files hours older."""
    then = time.time() - ABANDONED
    for path in folder.rglob("*"):
        if is_temporary(path.name) and not path.is_symlink():
            os.utime(path, (then, then))
