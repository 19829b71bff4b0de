"""The lines that say which files belong to the commit, and what undoes a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def commit_lines(files: Sequence[str], undo: str, *, staged: bool) -> Iterator[str]:
    """Give the lines about files that changed, POSIX from the root, without terminators.

    undo is the command that takes it back, empty where there is none.
    """
    if files:
        yield "Staged for the commit:" if staged else "These files belong to the commit:"
        yield from (f"  {path}" for path in files)
    if undo:
        yield f"Undo: {undo}"
