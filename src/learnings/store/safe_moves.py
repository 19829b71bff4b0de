"""Writing of text that leaves a file, but only after it is on disk elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.archives import not_in
from learnings.core.text import counted
from learnings.store.files import Change, WriteError, target_of, write


class Move(NamedTuple):
    """Changes that move text between files, in writing order except for sources, the last.

    originals are the bytes of removed entries, which archives contain; targets receive merged or
    moved text, indexes lose and gain rows, and sources lose or regain the text. notes are about
    indexes that stay as they are.
    """

    archives: tuple[Change, ...] = ()
    originals: tuple[bytes, ...] = ()
    sources: tuple[Change, ...] = ()
    targets: tuple[Change, ...] = ()
    indexes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[Change, ...]:
        """All files in writing order, including those that an interrupted run has written."""
        return (*self.archives, *self.targets, *self.indexes, *self.sources)

    @property
    def changes(self) -> list[Change]:
        """The files that change, in writing order."""
        return [change for change in self.files if change.after != change.before]


def write_move(root: Path, move: Move) -> None:
    """Write a move to the repository at `root`: archives and targets first, all files or none.

    Before the first index or source is written, they are read back, and every original must be in
    an archive. If the process is killed, a second run finds them. Raises as write() does, and
    WriteError if the disk has something else; then nothing was changed.
    """
    additions = (*move.archives, *move.targets)

    def proof() -> None:
        for addition in additions:
            if _read_back(root, addition.path) != addition.after:
                raise WriteError(
                    f"{addition.path} differs on disk from what was written; nothing was "
                    "changed, check the disk and run again"
                )
        missing = list(move.originals)
        for archive in move.archives:
            missing = not_in(archive.after or b"", missing)
        if missing:
            entries = counted(len(missing), "entry", "entries")
            paths = ", ".join(archive.path for archive in move.archives)
            raise WriteError(f"{entries} missing in {paths}; nothing was changed, report this")

    write(root, (*move.indexes, *move.sources), additions=additions, proof=proof)


def _read_back(root: Path, path: str) -> bytes:
    try:
        return target_of(root, path).read_bytes()
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise WriteError(
            f"{path} cannot be read back ({reason}); nothing was changed, check the file and run "
            "again"
        ) from None
