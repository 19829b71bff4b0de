"""Reads regular files of a repository, and never more than was asked for.

Reading a link, a FIFO or a device could show a file of the machine, hang or fill the memory.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


def read_regular(path: Path, *, most: int, inside: Path | None = None) -> bytes:
    """Return the bytes of a regular file, links followed but not out of `inside`.

    Raises OSError, whose strerror says why, also for more than `most` bytes.
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
