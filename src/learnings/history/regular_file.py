"""Bounded reading of regular files in a repository.

Reading a link, a FIFO or a device could reveal a file of the machine, hang or exhaust the memory.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path, *, most: int, inside: Path | None = None) -> bytes:
    """Return the bytes of a regular file, following links but not out of `inside`.

    Raises OSError, whose strerror gives the reason, also for more than `most` bytes.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    real = os.path.realpath(path)
    if inside is not None and not Path(real).is_relative_to(os.path.realpath(inside)):
        raise OSError(errno.EINVAL, "leads out of the repository")
    with path.open("rb") as file:
        data = file.read(most + 1) if status.st_size <= most else None
    if data is None or len(data) > most:
        raise OSError(errno.EFBIG, f"more than {most} bytes")
    return data
