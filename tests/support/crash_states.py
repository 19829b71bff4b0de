"""The state that a stopped run leaves in a repository, as comparable values."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterator, Mapping
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
    content: dict[str, tuple[int, bytes]] = {}
    for path in _files(folder):
        status = path.lstat()
        is_link = stat.S_ISLNK(status.st_mode)
        data = os.fsencode(path.readlink()) if is_link else path.read_bytes()
        content[path.relative_to(folder).as_posix()] = stat.S_IMODE(status.st_mode), data
    if (folder / ".git").exists():
        content |= _trees(folder, _references(folder / ".git"))
    return content


def fingerprint(folder: Path) -> bytes:
    """Return a hash of all files and folders, with .git; all temporary files get one name."""
    rows = [repr(_row(path, folder)) for path in folder.rglob("*")]
    return hashlib.sha256("\n".join(sorted(rows)).encode()).digest()


def _row(path: Path, folder: Path) -> tuple[str, int, bytes]:
    """Return name, mode and content of a file, or the target of a link."""
    name = path.relative_to(folder).as_posix()
    mode = path.lstat().st_mode
    if is_temporary(name):
        name = f"{name.rpartition('/')[0]}/*"
    if stat.S_ISLNK(mode):
        return name, mode, os.fsencode(path.readlink())
    return name, mode, path.read_bytes() if stat.S_ISREG(mode) else b""


def _references(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """Return path and content of the files in which a .git folder keeps its references."""
    paths = [folder / "packed-refs", *sorted((folder / "refs").rglob("*"))]
    return tuple((path.as_posix(), path.read_bytes()) for path in paths if path.is_file())


@lru_cache(maxsize=64)
def _trees(folder: Path, references: tuple[tuple[str, bytes], ...]) -> State:  # noqa: ARG001
    """Return the trees of the branches; equal references always name the same trees."""
    rows = GitRepository(folder).git("for-each-ref", "--format=%(refname) %(tree)").splitlines()
    names = (row.split(" ", maxsplit=1) for row in rows)
    return {name: (0, tree.encode()) for name, tree in names}


def is_temporary(path: str) -> bool:
    """Return True if a path is one of our temporary files."""
    return TEMPORARY.fullmatch(path.rpartition("/")[2]) is not None


def extra_files(folder: Path) -> frozenset[str]:
    """Return the temporary files and locks left in a repository, except in git's objects."""
    return frozenset(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if is_temporary(path.name) or path.suffix == ".lock"
    )


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name == ".git":
            continue
        if path.is_dir() and not path.is_symlink():
            yield from _files(path)
        else:
            yield path


def make_old(folder: Path) -> None:
    """Make the temporary files hours older."""
    then = time.time() - ABANDONED
    for path in folder.rglob("*"):
        if is_temporary(path.name):
            with contextlib.suppress(OSError):
                os.utime(path, (then, then), follow_symlinks=False)
