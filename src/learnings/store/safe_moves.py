"""Writing of text that leaves a file, but only after it is on disk elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.archives import not_in
from learnings.core.text import counted
from learnings.store.files import Change, WriteError, target_of, write


class Move(NamedTuple):
    """The changes that remove entries from their files.

    originals are the bytes of each entry, which archives contain; targets receive merged or moved
    text, indexes lose and gain rows, and sources lose the entries.
    """

    archives: tuple[Change, ...]
    originals: tuple[bytes, ...]
    sources: tuple[Change, ...]
    targets: tuple[Change, ...] = ()
    indexes: tuple[Change, ...] = ()


def changes_of(move: Move) -> list[Change]:
    """Return the effective changes of a move in writing order."""
    changes = (*move.archives, *move.targets, *move.indexes, *move.sources)
    return [change for change in changes if change.after != change.before]


def write_move(root: Path, move: Move) -> None:
    """Write a move to the repository at `root`: archives first, sources last, all or none.

    Before the first index is written, every original is read back from an archive. If the process
    is killed, a second run finds the additions. Raises as write() does, and WriteError if an
    original is missing on disk; then nothing was changed.
    """

    def proof() -> None:
        missing = list(move.originals)
        paths = [archive.path for archive in move.archives]
        for path in paths:
            missing = not_in(_read_back(root, path), missing)
        if missing:
            entries = counted(len(missing), "entry", "entries")
            raise WriteError(
                f"{entries} missing or changed on disk in {', '.join(paths)}; nothing was changed, "
                "check the disk and run again"
            )

    additions, changes = (*move.archives, *move.targets), (*move.indexes, *move.sources)
    write(root, changes, additions=additions, proof=proof)


def write_division(root: Path, additions: Sequence[Change], changes: Sequence[Change]) -> None:
    """Write new files to the repository at `root`, then the changes, the source last.

    Every new file is read back before the first change. Raises as write() does, and WriteError if a
    file differs; then nothing was changed. If the process is killed, a second run finds the new
    files.
    """

    def proof() -> None:
        for addition in additions:
            if _read_back(root, addition.path) != addition.after:
                raise WriteError(
                    f"{addition.path} differs on disk from what was written; nothing was "
                    "changed, check the disk and run again"
                )

    write(root, changes, additions=additions, proof=proof)


def _read_back(root: Path, path: str) -> bytes:
    try:
        return target_of(root, path).read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise WriteError(
            f"{path} cannot be read back ({reason}); nothing was changed, check the file and run "
            "again"
        ) from None
