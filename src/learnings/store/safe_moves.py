"""Writes text that leaves a file, but only after it is on the disk somewhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.archives import not_in
from learnings.core.text import counted
from learnings.store.files import Change, WriteError, target_of, write_in_steps


class Move(NamedTuple):
    """Entries that leave their file, or their folder, as changes of files.

    originals are the bytes of each; archives hold them when they are written, or did so before:
    then their change is none. targets get text that is merged or moved, indexes lose and get rows,
    and sources are what the entries leave: their file, or the files that they are, which go.
    """

    archives: tuple[Change, ...]
    originals: tuple[bytes, ...]
    sources: tuple[Change, ...]
    targets: tuple[Change, ...] = ()
    indexes: tuple[Change, ...] = ()


def changes_of(move: Move) -> list[Change]:
    """Return the changes of a move that change something, in the order of writing."""
    changes = (*move.archives, *move.targets, *move.indexes, *move.sources)
    return [change for change in changes if change.after != change.before]


def write_move(root: Path, move: Move) -> None:
    """Write a move to the repository at `root`: archives first, sources last, all or none.

    Before the first index is written, every original is read back from an archive. Where this
    process is killed, some sources are as they were and the others as they will be; what was added
    before stands there, and a second run finds it. Raises as write() does, and WriteError where no
    archive on the disk has an original; then nothing was changed.
    """

    def proof() -> None:
        _refuse_missing(root, move)

    additions = (*move.archives, *move.targets)
    write_in_steps(root, additions, (*move.indexes, *move.sources), proof=proof)


def write_division(root: Path, additions: Sequence[Change], changes: Sequence[Change]) -> None:
    """Write new files to the repository at `root`, then the changes, the last one of the source.

    Before the first change every new file is read back, those that an earlier run has written too.
    Raises as write() does, and WriteError where one is not as it was written; then nothing was
    changed. Where this process is killed, a second run finds the new files.
    """

    def proof() -> None:
        for addition in additions:
            if _read_back(root, addition.path) != addition.after:
                raise WriteError(
                    f"{addition.path} is not on the disk as it was written; nothing was changed, "
                    "check the disk and run again"
                )

    write_in_steps(root, additions, changes, proof=proof)


def _refuse_missing(root: Path, move: Move) -> None:
    missing = list(move.originals)
    paths = [archive.path for archive in move.archives]
    for path in paths:
        missing = not_in(_read_back(root, path), missing)
    if missing:
        entries = counted(len(missing), "entry", "entries")
        raise WriteError(
            f"{entries} missing word for word on the disk, in {', '.join(paths)}; nothing was "
            "changed, check the disk and run again"
        )


def _read_back(root: Path, path: str) -> bytes:
    try:
        return target_of(root, path).read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise WriteError(
            f"{path} cannot be read back ({reason}); nothing was changed, check it and run again"
        ) from None
