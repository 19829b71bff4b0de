"""Mend the memory index where that needs no decision: rows are moved, put in order, removed.

Rows of a heading in another file move to the section of that file, rows of a section take the order
of the headings, rows of structural headings go. All else stays as it is; a second run changes
nothing. Prints `Fixing FILE` for a file that was changed, and stages nothing. Exit code: 0 nothing
to mend, 1 changed, 2 usage, configuration, or refused because something would be lost.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from learnings.core.index_fix import fixed
from learnings.surfaces.disk import printable
from learnings.surfaces.indexing import held_index
from learnings.surfaces.selection import read_file
from learnings.surfaces.workspace import Workspace

_Change = tuple[str, bytes, bytes]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `learnings fix`."""
    parser.add_argument(
        "--add-missing", action="store_true", help="add rows for headings that have none"
    )


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:
    """Mend the index of the repository around `cwd`; returns 1 if that changed it, else 0.

    Raises LearningsError, nothing written.
    """
    workspace = Workspace.open(cwd)
    files = workspace.index_files()
    taken = [found.path for found in files if found.taken]
    changes = [each for path in taken if (each := _change(workspace, path, args.add_missing))]
    for found in files:
        if not found.taken:
            err.write(f"learnings: {printable(f'{found.path}: {found.reason}')}\n")
    if not files:
        err.write(f"learnings: there is no memory index {printable(workspace.settings.index)}\n")
    if changes:
        _write(workspace.root, changes)
    out.writelines(f"Fixing {printable(path)}\n" for path, _, _ in changes)
    return int(bool(changes))


def _change(workspace: Workspace, path: str, add_missing: bool) -> _Change | None:  # noqa: FBT001
    before = read_file(workspace.root / path, shown=path)
    if b"\0" in before:
        return None
    index, files = held_index(workspace, before)
    after = fixed(index, files, add_missing=add_missing)
    return (path, before, after) if after != before else None


def _write(root: Path, changes: Sequence[_Change]) -> None:
    from learnings.store.files import Change, write  # noqa: PLC0415  (most runs change nothing)

    write(root, [Change(*each) for each in changes])
