"""Files and folders on disk: the root of a repository, and the reading of one file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from learnings.core.entries.document import LARGEST_FILE, Document, ReadOptions, read
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.settings.values import FileSettings
from learnings.core.text import printable


def find_root(start: Path) -> Path:
    """Return the root of the repository around a folder: the nearest one upwards that holds `.git`.

    That is a folder, or a file in linked worktrees and submodules. Without any: `start` itself.
    """
    for folder in (start, *start.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return start


def existing_file(path: Path, *, shown: str) -> Path:
    """Return `path`. Raises MissingFile, which calls it `shown`, unless it is a regular file."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise MissingFile(_unreadable(shown, error)) from None
    if stat.S_ISDIR(mode):
        raise MissingFile(f"{printable(shown)} is a folder; name a file")
    if not stat.S_ISREG(mode):
        raise MissingFile(f"{printable(shown)} is not a regular file; name one")
    return path


def read_file(path: Path, *, shown: str) -> bytes:
    """Return the bytes of a regular file, which messages call `shown`.

    Raises MissingFile for one that is not there or cannot be read, UsageProblem for one that is
    too large.
    """
    existing_file(path, shown=shown)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise MissingFile(_unreadable(shown, error)) from None
    return within_limit(data, shown=shown)


def read_document(path: Path, settings: FileSettings, *, shown: str) -> Document:
    """Return a learnings file, read as its settings say. Raises as read_file() does."""
    return read(read_file(path, shown=shown), ReadOptions.of(settings))


def within_limit(data: bytes, *, shown: str) -> bytes:
    """Return the bytes. Raises UsageProblem where they are too many for a memory file."""
    if len(data) > LARGEST_FILE:
        raise UsageProblem(
            f"{printable(shown)} has more than {LARGEST_FILE // 1_000_000} MB, "
            "which no memory file has; split it or leave it out"
        )
    return data


def _unreadable(path: str, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return f"there is no file {printable(path)}; check the path, or write the file first"
    return (
        f"{printable(path)} cannot be read ({reason_of(error)}); correct that or name another file"
    )


def reason_of(error: OSError | ValueError) -> str:
    """Return why a path cannot be used, for the middle of a sentence."""
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "there is no such file"
    return error.strerror or "unknown reason" if isinstance(error, OSError) else "not a valid path"


def real_path(path: Path) -> Path:
    """Return the path with every link in it followed, as far as it exists; never raises."""
    return Path(os.path.realpath(path))


def is_folder(path: Path) -> bool:
    """Return True if a path leads to a folder; never raises, not even for an invalid name."""
    return os.path.isdir(path)  # noqa: PTH112


def is_same_file(first: Path, second: Path) -> bool:
    """Return True if two paths lead to the same file, which exists."""
    try:
        return first.samefile(second)
    except (OSError, ValueError):
        return False
