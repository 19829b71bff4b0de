"""A lock on a repository for one writer at a time, released when its holder ends or is killed."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from learnings.core.errors import LearningsError

TIMEOUT = 20.0  # seconds; a write takes milliseconds, so this is for a system that hangs
_PAUSE = 0.02  # seconds; short enough for a hook, long enough to idle
# Errors of file systems without locks, including some network file systems.
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP}


class LockTimeout(LearningsError):
    """Another run holds the lock and did not release it in time."""


@contextmanager
def locked(folder: Path, *, timeout: float = TIMEOUT) -> Iterator[None]:
    """Hold the lock on a folder, without a lock file in it; do nothing if locks are unsupported.

    Raises LockTimeout after `timeout` seconds, OSError if the folder cannot be opened.
    """
    descriptor = _open(folder)
    try:
        deadline = time.monotonic() + timeout
        while not _acquire(descriptor):
            if time.monotonic() >= deadline:
                raise LockTimeout(
                    "another `learnings` process is writing here; wait for it, then run again"
                )
            time.sleep(_PAUSE)
        yield
    finally:
        # A failure says nothing about the written files, and the system closes it anyway.
        with suppress(OSError):
            os.close(descriptor)


if sys.platform == "win32":  # pragma: no cover (the tests of one system cannot run the other's)
    import hashlib
    import msvcrt
    import tempfile

    def _open(folder: Path) -> int:
        """Open a file in the user's own folder, since a folder cannot be locked here."""
        os.listdir(folder)  # noqa: PTH208  (raises what opening the folder would)
        name = os.path.normcase(os.path.realpath(folder)).encode("utf-8", "surrogatepass")
        key = hashlib.sha256(name).hexdigest()[:16]
        return os.open(Path(tempfile.gettempdir(), f"learnings-{key}.lock"), os.O_RDWR | os.O_CREAT)

    def _acquire(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in {errno.EACCES, errno.EDEADLOCK}:
                return False
            raise
        return True

else:
    import fcntl

    def _open(folder: Path) -> int:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)

    def _acquire(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
        return True
