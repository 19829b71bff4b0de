"""Output besides the result of a command: a file, a patch."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.core.text import printable_lines
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
    write_verbatim(out, coloured(text, "patch", out))
