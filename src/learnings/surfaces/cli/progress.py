"""How far long work is: one line on a terminal that is written over, and nothing anywhere else."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from typing import TextIO

from learnings.core.text import printable, shortened

# Seconds before the first line: what is done by then needs none (docs/commands.md names it).
_PATIENCE = 1.0
# Seconds between two lines, so that many small steps do not cost more than the work.
_PAUSE = 0.1
_ERASE = "\r\x1b[K"


def progress_on(stream: TextIO) -> Callable[[str], None]:
    """Return a function that shows a line on how far the work is, and takes it away with "".

    It shows nothing where the stream is not a terminal, or a CI job runs.
    """
    if not stream.isatty() or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        return lambda _: None
    next_at = time.monotonic() + _PATIENCE
    is_shown = False

    def show(line: str) -> None:
        nonlocal next_at, is_shown
        now = time.monotonic()
        if line and now >= next_at:
            columns = shutil.get_terminal_size().columns - 1
            stream.write(_ERASE + shortened(printable(line), columns))
            next_at, is_shown = now + _PAUSE, True
        elif not line and is_shown:
            stream.write(_ERASE)
            is_shown = False
        stream.flush()

    return show
