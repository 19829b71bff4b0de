"""Temporary files: the new content of a file, beside it until it is renamed over it."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

_PREFIX, _SUFFIX = ".learnings-", ".tmp"
_BYTES = 8  # of randomness in a name; nobody else may have a file of that form
_OURS = f"{_PREFIX}{'[0-9a-f]' * 2 * _BYTES}{_SUFFIX}"
# Seconds after which a temporary file is from a process that was killed: a write, which takes
# milliseconds, waits for the lock 20 seconds at most.
_ABANDONED = 3600


def new_path(folder: Path) -> Path:
    """Return a path for a temporary file in a folder; no file is made."""
    return folder / f"{_PREFIX}{secrets.token_hex(_BYTES)}{_SUFFIX}"


def fill(temporary: Path, data: bytes, like: os.stat_result | None) -> None:
    """Write a new file to the disk, with the owner and mode of another one. Raises OSError."""
    with temporary.open("xb") as file:  # made with the user's umask, as an editor would
        file.write(data)
        file.flush()
        if like is not None:
            _copy_owner_and_mode(temporary, like)
        os.fsync(file.fileno())


def replace(path: Path, data: bytes) -> None:
    """Replace the content of a file that another program reads next, whole or not at all.

    Raises OSError, the file as it was.
    """
    temporary = new_path(path.parent)
    try:
        fill(temporary, data, path.stat())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise


def _copy_owner_and_mode(temporary: Path, like: os.stat_result) -> None:
    status = temporary.stat()
    if (status.st_uid, status.st_gid) != (like.st_uid, like.st_gid):
        with suppress(PermissionError):  # only the superuser can give files away
            os.chown(temporary, like.st_uid, like.st_gid)
    temporary.chmod(stat.S_IMODE(like.st_mode))


def sync_folder(folder: Path) -> None:
    """Write the renames in a folder to the disk."""
    with suppress(OSError):
        if os.name != "nt":  # pragma: no branch (there, folders cannot be opened)
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def clear_abandoned(folder: Path) -> None:
    """Remove what killed runs have left in a folder to which something was just written."""
    with suppress(OSError):
        now = folder.stat().st_mtime  # the clock of the file system: something was just renamed
        for temporary in folder.glob(_OURS):
            if now - temporary.lstat().st_mtime > _ABANDONED:
                temporary.unlink()
