"""Output besides the result of a command: a file, a patch."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from learnings.core.errors import UsageProblem
from learnings.core.text import printable, printable_lines
from learnings.store.files import Change, write
from learnings.surfaces.actions import write_verbatim
from learnings.surfaces.cli.commands import coloured
from learnings.surfaces.render.changes_diff import diff
from learnings.workspace.disk import exists, find_root, is_folder, read_file

if TYPE_CHECKING:
    from learnings.surfaces.cli.commands import Context


def write_output(text: str, name: str, context: Context, *, folder: Path | None = None) -> None:
    """Write or replace a file, by default in the working directory, and print its name.

    Raises LearningsError.
    """
    path = (folder or context.folder) / name
    before = read_file(path, shown=name) if exists(path) else None
    write_file(path, before, text.encode("utf-8", "replace"))
    context.say(name)


def write_plan(path: Path, before: bytes | None, plan: bytes, *, is_done: bool, shown: str) -> None:
    """Write a plan; replace an older one only if it has nothing left to apply."""
    if before not in (None, plan) and not is_done:
        raise UsageProblem(
            f"{printable(shown)} exists and is not an applied plan; apply it, remove it, or name "
            "another file"
        )
    write_file(path, before, plan)


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
