"""The lines that say which files belong to the commit, and what undoes a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def commit_lines(files: Sequence[str], undo: Sequence[str], *, staged: bool) -> Iterator[str]:
    """Give the lines about files that changed, POSIX from the root, without terminators.

    undo are the commands that take it back, in order.
    """
    if files:
        yield "Staged for the commit:" if staged else "These files belong to the commit:"
        yield from (f"  {path}" for path in files)
    yield from (f"{'      ' if n else 'Undo: '}{command}" for n, command in enumerate(undo))
