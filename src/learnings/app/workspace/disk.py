"""Files as they lie on disk: names, links, folders and what keeps a file from being used."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from learnings.app.workspace.gitignore import GitignoreFilter
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.roles import name_matches
from learnings.core.text import printable


class Disk:
    """One look at the files below the root: what was asked once is not read again."""

    def __init__(self, root: Path) -> None:
        self.gitignore = GitignoreFilter(root)
        self._root = root
        self._real_root = real_path(root)
        self._names: dict[str, frozenset[str]] = {}
        self._real_folders: dict[str, Path] = {}
        self._nested: dict[str, bool] = {}
        self._first: dict[tuple[int, int], str] = {}

    def names(self, folder: str) -> frozenset[str]:
        """The names in a folder, none where it cannot be read.

        The folder has to be spelled as on disk, so that a file system that ignores case gives
        the same files as one that does not.
        """
        if folder not in self._names:
            parent, _, name = folder.rpartition("/")
            exists = not folder or name in self.names(parent)
            self._names[folder] = frozenset(self._listing(folder) if exists else ())
        return self._names[folder]

    def _listing(self, folder: str) -> list[str]:
        if not self._is_inside(folder):
            return []
        try:
            return os.listdir(self._root / folder)  # noqa: PTH208  (names are enough)
        except OSError:
            return []

    def _is_inside(self, path: str) -> bool:
        return self._real(path).is_relative_to(self._real_root)

    def _real(self, path: str) -> Path:
        """real_path() of a path below the root; the way to its folder is followed once."""
        full = self._root / path
        folder, _, name = path.rpartition("/")
        if not name.strip(".") or path[0] == "/" or full.is_symlink():
            return real_path(full)
        if folder not in self._real_folders:
            self._real_folders[folder] = real_path(self._root / folder)
        return self._real_folders[folder] / name

    def files(self, pattern: str) -> list[str]:
        """The paths below the root that a glob matches, folders left out, in order."""
        parts = pattern.split("/")
        todo, done, found = [("", 0)], set(), set()
        while todo:
            folder, at = todo.pop()
            if (folder, at) in done:
                continue
            done.add((folder, at))
            is_deep, is_last = parts[at] == "**", at + 1 == len(parts)
            if is_deep and not is_last:
                todo.append((folder, at + 1))
            for path in self._matching(folder, parts[at]):
                if not (self._root / path).is_dir():
                    found.update([path] if is_last else [])
                elif is_deep and self._may_descend(path):
                    todo.append((path, at))
                elif not is_deep and not is_last:
                    todo.append((path, at + 1))
        return sorted(found)

    def _matching(self, folder: str, part: str) -> list[str]:
        names = self.names(folder)
        if not any(sign in part for sign in "*?["):
            names &= {part}
        prefix = f"{folder}/" if folder else ""
        return [prefix + name for name in names if name_matches(name, part)]

    def _may_descend(self, path: str) -> bool:
        """Whether `**` goes into a folder: links may form a loop, and a repository is its own."""
        folder = self._root / path
        return not folder.is_symlink() and not os.path.lexists(folder / ".git")

    def obstacle(self, path: str, *, named: bool = False) -> str | None:
        """Why a file cannot be used, or None; one that is `named` may be in a repository inside."""
        full = self._root / path
        try:
            mode = full.stat().st_mode
        except (OSError, ValueError) as error:
            is_link = isinstance(error, FileNotFoundError) and full.is_symlink()
            return "the link leads nowhere" if is_link else _reason(error)
        if not self._is_inside(path):
            return "leads out of the repository"
        if not stat.S_ISREG(mode):
            return "no regular file"
        if not named and self._is_nested(path):
            return "belongs to a repository inside this one"
        return None

    def _is_nested(self, path: str) -> bool:
        folder = path.rpartition("/")[0]
        if folder not in self._nested:
            around = Path(path).parents[:-1]
            self._nested[folder] = any(os.path.lexists(self._root / at / ".git") for at in around)
        return self._nested[folder]

    def first_name(self, path: str) -> str:
        """The path under which a file was met first: this one, if it is met for the first time."""
        try:
            found = (self._root / path).stat()
        except OSError:  # gone since it was found; whoever reads it will say so
            return path
        return self._first.setdefault((found.st_dev, found.st_ino), path)

    def other_name(self, path: str) -> str | None:
        """That the file has been met under another path, as the reason to pass it over."""
        first = self.first_name(path)
        return None if first == path else f"the same file as {first}"

    def by_link(self, paths: Iterable[str]) -> list[str]:
        """The same paths, links last: a file is known by its own name where it has one."""
        return sorted(paths, key=lambda path: self._real(path) != self._real_root / path)


def find_root(start: Path) -> Path:
    """The root of the repository around a folder: the nearest one upwards that holds `.git`.

    That is a folder, or a file in linked worktrees and submodules. Without any: `start` itself.
    """
    for folder in (start, *start.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return start


def existing_file(path: Path, *, shown: str) -> Path:
    """`path`, if it is a regular file; else raises MissingFile, which calls it `shown`."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise MissingFile(_unreadable(shown, error)) from None
    if stat.S_ISDIR(mode):
        raise MissingFile(f"{printable(shown)} is a folder; name a file")
    if not stat.S_ISREG(mode):
        raise MissingFile(f"{printable(shown)} is no regular file; name one")
    return path


def read_file(path: Path, *, shown: str) -> bytes:
    """The bytes of a regular file, which messages call `shown`.

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


def within_limit(data: bytes, *, shown: str) -> bytes:
    """The bytes, unless they are too many to be a memory; then raises UsageProblem."""
    if len(data) > LARGEST_FILE:
        raise UsageProblem(
            f"{printable(shown)} has more than {LARGEST_FILE // 1_000_000} MB, "
            "which no memory file has; split it or leave it out"
        )
    return data


def _unreadable(path: str, error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return f"there is no file {printable(path)}; check the path, or write the file first"
    return f"{printable(path)} cannot be read ({_reason(error)}); correct that or name another file"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return "there is no such file"
    return error.strerror or "unknown reason" if isinstance(error, OSError) else "no valid path"


def real_path(path: Path) -> Path:
    """The path with every link in it followed, as far as it exists; never raises."""
    return Path(os.path.realpath(path))


def is_folder(path: Path) -> bool:
    """Whether a path leads to a folder; never raises, not even for names that cannot be."""
    return os.path.isdir(path)  # noqa: PTH112


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file that exists."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
