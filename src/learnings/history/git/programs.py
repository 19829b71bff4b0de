"""The path of a program: on PATH, but never in the current folder or repository.

Windows searches the current folder first, and POSIX does for `.` and for an empty entry of PATH, so
a repository could provide a `git` of its own (the class of CVE-2023-40590).
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

_SUFFIX = ".exe" if os.name == "nt" else ""


def search_folders() -> tuple[str, ...]:
    """Return the folders of PATH, without relative and empty entries."""
    return _absolute_folders(os.environ.get("PATH", os.defpath))


@lru_cache(maxsize=16)
def _absolute_folders(path: str) -> tuple[str, ...]:
    entries = path.split(os.pathsep)
    unquoted = (entry.strip('"') if os.name == "nt" else entry for entry in entries)
    return tuple(entry for entry in unquoted if Path(entry).is_absolute())


def find_program(name: str, folder: Path) -> str | None:
    """Return the absolute path of a program to run in a folder, or None if there is none.

    A PATH folder inside the surrounding repository, or inside the repository of the working
    directory, does not count.
    """
    try:
        working = str(Path.cwd())
    except OSError:  # it was deleted
        working = str(folder)
    repositories = frozenset(map(_repository, {working, os.path.abspath(folder)}))  # noqa: PTH100
    return _find(name + _SUFFIX, search_folders(), repositories - {None})


@lru_cache(maxsize=16)
def _find(name: str, folders: tuple[str, ...], repositories: frozenset[str]) -> str | None:
    for folder in folders:
        program = os.path.join(folder, name)  # noqa: PTH118  (PATH as it is written)
        if os.path.isfile(program) and os.access(program, os.X_OK):  # noqa: PTH113
            real = Path(os.path.realpath(folder))
            if not any(real.is_relative_to(top) for top in repositories):
                return program
    return None


def _repository(folder: str) -> str | None:
    """Return the top of the repository around a folder; the file system root does not count."""
    top = os.path.realpath(folder)
    while (parent := os.path.dirname(top)) != top:  # noqa: PTH120  (no path is made of each)
        if os.path.lexists(f"{top}{os.sep}.git"):
            return top
        top = parent
    return None
