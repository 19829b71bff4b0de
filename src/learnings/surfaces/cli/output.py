"""Output besides the result of a command: a file, a patch, a progress line."""

from __future__ import annotations

import io
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from learnings.core.text import printable, printable_lines, shortened
from learnings.store.files import Change, write
from learnings.surfaces.cli.formats import coloured
from learnings.surfaces.github.log import write_verbatim
from learnings.surfaces.render.changes_diff import diff
from learnings.workspace.disk import exists, find_root, is_folder, read_file


def write_output(path: Path, data: bytes, *, shown: str) -> None:
    """Write or replace a file, called `shown` in messages. Raises LearningsError."""
    write_file(path, read_file(path, shown=shown) if exists(path) else None, data)


def write_file(path: Path, before: bytes | None, after: bytes) -> None:
    """Write a file in its repository, else in its folder; `before` is its old content.

    Raises WriteError, nothing written.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100  (`..` must not count as a folder below)
    folder = path.parent
    while not is_folder(folder):
        folder = folder.parent
    root = find_root(folder)
    write(root, [Change(path.relative_to(root).as_posix(), before, after)])


def print_patch(changes: Sequence[Change], out: TextIO) -> None:
    """Print the changes as a patch with the bytes of the files, UTF-8 or not.

    A terminal would obey control characters, so there they are escaped.
    """
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="surrogateescape")
    text = "".join(diff(changes))
    if out.isatty():
        text = printable_lines(text)
    write_verbatim(out, coloured(text, "diff", out))


# Seconds before the first progress line; docs/commands.md names the number.
_PATIENCE = 1.0
# Seconds between two progress lines, so that small steps cost less than the work.
_PAUSE = 0.1
_ERASE = "\r\x1b[K"


def progress_on(stream: TextIO, *, patience: float = _PATIENCE) -> Callable[[str], None]:
    """Return a function that shows a progress line on a terminal; "" removes the line.

    The first line is shown after some seconds of patience.
    """
    if not stream.isatty() or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        return lambda _: None
    next_at = time.monotonic() + patience
    is_shown = False

    def show(line: str) -> None:
        nonlocal next_at, is_shown
        now = time.monotonic()
        if line and now >= next_at:
            from shutil import get_terminal_size  # noqa: PLC0415  (for terminals only)

            columns = get_terminal_size().columns - 1
            stream.write(_ERASE + shortened(printable(line), columns))
            next_at, is_shown = now + _PAUSE, True
        elif not line and is_shown:
            stream.write(_ERASE)
            is_shown = False
        stream.flush()

    return show
