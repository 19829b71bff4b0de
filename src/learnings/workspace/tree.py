"""The files below a folder: names, links, globs, ignored files, and obstacles to using a file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from learnings.core.errors import UnusableFile
from learnings.core.roles import name_matches
from learnings.core.text import printable
from learnings.history.git.ignored import GitignoreRules
from learnings.workspace.disk import NOT_THERE, find_root, is_folder, is_link, real_path, reason_of

IGNORED_BY_GIT = "ignored by git"


class GitignoreFilter:
    """The paths that git ignores below a folder, unless it is ignored itself; asked in one go."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, bool] = {}
        self._expected: list[str] = []

    def expect(self, paths: Iterable[str]) -> None:
        """Add paths that reason() will be called with, POSIX and relative to the folder."""
        self._expected += paths

    def reason(self, path: str) -> str | None:
        """Return the reason why a path is left out, or None if it is not."""
        if path not in self._known:
            paths = [*dict.fromkeys((path, *self._expected))]
            ignored = self._ignored(paths)
            self._known |= {path: path in ignored for path in paths}
            self._expected.clear()
        return IGNORED_BY_GIT if self._known[path] else None

    def _ignored(self, paths: list[str]) -> frozenset[str]:
        root = real_path(self._root)
        top = find_root(root)
        if not os.path.lexists(top / ".git"):
            return frozenset()
        if root == top:
            return GitignoreRules(top).ignored(paths)
        inner = root.relative_to(top).as_posix()
        ignored = GitignoreRules(top).ignored([inner, *(f"{inner}/{path}" for path in paths)])
        if inner in ignored:
            return frozenset()
        return frozenset(path for path in paths if f"{inner}/{path}" in ignored)


SAME_FILE = "the same file as"
CANNOT_BE_READ = "cannot be read"


class FileTree:
    """The files below a root, each read once. Paths are POSIX and relative to the root."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.gitignore = GitignoreFilter(root)
        self._real_root = real_path(root)
        self._names: dict[str, frozenset[str]] = {}
        self._closed: set[str] = set()
        self._real_folders: dict[str, Path] = {}
        self._nested: dict[str, bool] = {}
        # First path of each file, by device and inode.
        self._first_paths: dict[tuple[int, int], str] = {}

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder, empty if nobody may list it. Raises UnusableFile.

        The folder must be spelled as on disk, also on a case-insensitive file system.
        """
        if folder in self._names:
            return self._names[folder]
        # From the root down and not recursively: an index may name a path of thousands of folders.
        above, names = "", self._names_in("")
        for name in folder.split("/") if folder else ():
            if name not in names:
                return frozenset()
            above = f"{above}/{name}" if above else name
            names = self._names_in(above)
        return names

    def _names_in(self, folder: str) -> frozenset[str]:
        if folder not in self._names:
            self._names[folder] = frozenset(self._listing(folder))
        return self._names[folder]

    def _listing(self, folder: str) -> list[str]:
        if not self._is_inside(folder):
            return []
        try:
            return os.listdir(self.root / folder)  # noqa: PTH208  (names are enough)
        except PermissionError:
            self._closed.add(folder)
        except OSError as error:
            if error.errno not in NOT_THERE:
                shown = printable(folder) if folder else "this folder"
                raise UnusableFile(
                    f"cannot list {shown} ({reason_of(error)}); fix this, or name the files to read"
                ) from None
        return []

    def is_closed(self, folder: str) -> bool:
        """Return True for a folder that exists, or may exist, and whose names cannot be read."""
        return not self.names(folder) and any(
            closed in ("", folder) or folder.startswith(f"{closed}/") for closed in self._closed
        )

    def _is_inside(self, path: str) -> bool:
        return self._real(path).is_relative_to(self._real_root)

    def _real(self, path: str) -> Path:
        full = self.root / path
        folder, _, name = path.rpartition("/")
        if not name.strip(".") or path[0] == "/" or is_link(full):
            return real_path(full)
        if folder not in self._real_folders:
            self._real_folders[folder] = real_path(self.root / folder)
        return self._real_folders[folder] / name

    def files(self, pattern: str) -> list[str]:
        """Return the paths below the root that a glob matches, without folders, sorted."""
        parts = pattern.split("/")
        # Folders to search, each with the index of the part that its names must match.
        todo, done, files = [("", 0)], set(), set()
        while todo:
            folder, index = todo.pop()
            if (folder, index) in done:
                continue
            done.add((folder, index))
            is_deep, is_last = parts[index] == "**", index + 1 == len(parts)
            if is_deep and not is_last:
                todo.append((folder, index + 1))
            names = self.names(folder)
            if not any(wildcard in parts[index] for wildcard in "*?["):
                names &= {parts[index]}
            prefix = f"{folder}/" if folder else ""
            for path in (prefix + name for name in names if name_matches(name, parts[index])):
                full = self.root / path
                if not is_folder(full):
                    files.update([path] if is_last else [])
                # Neither a link, which may lead in circles, nor a separate repository.
                elif is_deep and not is_link(full) and not os.path.lexists(full / ".git"):
                    todo.append((path, index))
                elif not is_deep and not is_last:
                    todo.append((path, index + 1))
        return sorted(files)

    def obstacle(self, path: str, *, named: bool = False) -> str | None:
        """Return why a file cannot be used, or None; `named` ones may be in a nested repository.

        The reason begins with CANNOT_BE_READ if the disk could not be read.
        """
        full = self.root / path
        try:
            mode = full.stat().st_mode
        except (OSError, ValueError) as error:
            if isinstance(error, FileNotFoundError) and is_link(full):
                return "broken link"
            is_missing = isinstance(error, ValueError) or error.errno in NOT_THERE
            return reason_of(error) if is_missing else f"{CANNOT_BE_READ} ({reason_of(error)})"
        if not self._is_inside(path):
            return "leads out of the repository"
        if not stat.S_ISREG(mode):
            return "not a regular file"
        folder = path.rpartition("/")[0]
        if not named and folder not in self._nested:
            parents = (self.root / parent / ".git" for parent in Path(path).parents[:-1])
            self._nested[folder] = any(map(os.path.lexists, parents))
        if not named and self._nested[folder]:
            return "belongs to a repository inside this one"
        return None

    def first_path(self, path: str) -> str:
        """Return the path under which a file was first passed to this method: its own, if new."""
        try:
            status = (self.root / path).stat()
        except OSError:  # removed in the meantime; reading will report it
            return path
        return self._first_paths.setdefault((status.st_dev, status.st_ino), path)

    def duplicate(self, path: str) -> str | None:
        """Return the reason to skip a file that first_path() knows under another path, or None."""
        first = self.first_path(path)
        return None if first == path else f"{SAME_FILE} {first}"

    def links_last(self, paths: Iterable[str]) -> list[str]:
        """Return the same paths, links last: a file keeps its own name if it has one."""
        return sorted(paths, key=lambda path: self._real(path) != self.root / path)
