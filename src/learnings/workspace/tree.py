"""The files below a folder on disk, with git's index behind them.

One tree answers for all readers which paths there are, where a link leads, whether a path is there
for others, and what git ignores. Paths are POSIX and relative to the root.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, cached_property
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from learnings.core.entries.document import excess_of
from learnings.core.errors import LearningsError, UnusableFile
from learnings.core.file_names import MANIFESTS, MEMORY_ENDINGS
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import name_matches
from learnings.core.symlinks import LONGEST_LINK, MOST_LINKS
from learnings.core.text import printable
from learnings.workspace.disk import (
    NOT_THERE,
    find_root,
    is_folder,
    is_link,
    read_file,
    real_path,
    reason_of,
)

if TYPE_CHECKING:
    from learnings.history.git.tracked import IndexedFiles

IGNORED_BY_GIT = "ignored by git"
LEADS_ELSEWHERE = "leads "
LEADS_OUT = f"{LEADS_ELSEWHERE}out of the repository"
SAME_FILE = "the same file as"
CANNOT_BE_READ = "cannot be read"
BROKEN_LINK = "broken link"
NOT_REGULAR = "not a regular file"
IS_TOO_LARGE = "has more than"

Met = dict[tuple[int, int], str]
"""The files that a search has met, each with its first path: one with several counts once."""

# Where the disk or `core.symlinks` does not allow links, git writes the target to a text file. Git
# is asked about a file only if its text can be a path.
_LINK_TEXT = lazy_pattern(rb"[^\n\0@][^\n\0]*\n?")


class Tree:
    """The files below a root; each folder is listed once, and git is asked once, on demand."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._real_root = real_path(root)
        self.has_git = os.path.lexists(find_root(self._real_root) / ".git")
        self._names: dict[str, frozenset[str]] = {}
        self._folders: dict[str, frozenset[str]] = {}  # those of the names that lead to folders
        self._links: set[str] = set()  # those of the names that are links on disk
        self.closed: set[str] = set()
        """The folders so far that exist, or may, and whose names nobody may read."""
        self._ignored: dict[str, bool] = {}
        self._expected: list[str] = []
        self.text_link = cache(self._text_link)
        """Return the target of a link that git wrote as a text file, or None for another file."""
        self.has = cache(self._has)
        """Return True if a path is there, for others or here: see _has()."""
        self.real = cache(self._real)
        """Return the path with all links followed, or None if that leads out of the root."""
        self._real_folder = cache(real_path)
        self.repository_of = cache(self._repository_of)
        """Return the repository below the root that a folder belongs to, or None."""

    # Names.

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder, empty if nobody may list it. Raises UnusableFile.

        The folder must be spelled as on disk, also on a case-insensitive file system.
        """
        if folder in self._names:
            return self._names[folder]
        # From the root down and not recursively: an index may name a path of thousands of folders.
        above, names = "", self._listed("")
        for name in folder.split("/") if folder else ():
            if name not in names:
                return frozenset()
            above = f"{above}/{name}" if above else name
            names = self._listed(above)
        return names

    def _listed(self, folder: str) -> frozenset[str]:
        if folder in self._names:
            return self._names[folder]
        leads_to_folder: dict[str, bool] = {}
        is_inside = self.real(folder) is not None
        try:
            with os.scandir(self.full(folder)) if is_inside else nullcontext(()) as listed:
                entries = [*listed]
            links = {entry.name for entry in entries if entry.is_symlink()}
            self._links |= {f"{folder}/{name}" if folder else name for name in links}
            leads_to_folder = {  # for links the disk is asked, which raises for a circle
                entry.name: is_folder(Path(entry.path)) if entry.name in links else entry.is_dir()
                for entry in entries
            }
        except PermissionError:
            self.closed.add(folder)
        except OSError as error:
            if error.errno not in NOT_THERE:
                shown = printable(folder) if folder else "this folder"
                raise UnusableFile(
                    f"cannot list {shown} ({reason_of(error)}); fix this, or name the files to read"
                ) from None
        self._names[folder] = frozenset(leads_to_folder)
        self._folders[folder] = frozenset(name for name in leads_to_folder if leads_to_folder[name])
        return self._names[folder]

    def is_listed(self, path: str) -> bool:
        """Return True if something is on disk at a path, spelled so. Raises as names()."""
        folder, _, name = path.rpartition("/")
        return name in self.names(folder)

    def files(self, pattern: str, *, with_folders: bool = False) -> list[str]:
        """Return the paths below the root that a glob matches, sorted; folders only if wanted."""
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
            folders = self._folders.get(folder, frozenset())
            if not is_last and (is_deep or parts[index] == ".*"):
                names = folders - {".git"}  # not `.gitignore`, which may look like a link
            if not any(wildcard in parts[index] for wildcard in "*?["):
                names &= {parts[index]}
            prefix = f"{folder}/" if folder else ""
            for name in (name for name in names if name_matches(name, parts[index])):
                path = prefix + name
                if not is_deep and not is_last:  # perhaps a link to a folder that git wrote as text
                    todo.append((path, index + 1))
                elif name not in folders or (with_folders and not is_deep):
                    files.add(path)
                # Neither a link, which may lead in circles, nor a separate repository.
                elif is_deep and path not in self._links and ".git" not in self.names(path):
                    todo.append((path, index))
        return sorted(files)

    # Links.

    def links(self, patterns: Iterable[str]) -> dict[str, str]:
        """Return the links on disk in the places of globs, and above them, with their texts."""
        places = {place for pattern in patterns for place in _places_to(pattern)}
        places = {place for place in places if not place.endswith("**")}  # nobody follows these
        found = (p for place in places for p in self.files(place, with_folders=True))
        return {path: self.link_text(path) or "" for path in found if path in self._links}

    def link_text(self, path: str) -> str | None:
        """Return the target of a link, as it is written, or None for another file."""
        full = self.root / path
        try:
            return os.fspath(full.readlink()) if is_link(full) else self.text_link(path)
        except OSError:
            return None

    def _text_link(self, path: str) -> str | None:
        full = self.root / path
        try:
            status = full.lstat()
            if not stat.S_ISREG(status.st_mode) or status.st_size > LONGEST_LINK:
                return None
            text = full.read_bytes()
        except (OSError, ValueError):
            return None
        if not self._may_be_link(path, text) or path not in self.index.links:
            return None
        return os.fsdecode(text)

    def _may_be_link(self, path: str, text: bytes) -> bool:
        """Return True if a text can be what a link contains: one path, with a blank if it leads."""
        if b" " in text and not os.path.lexists((self.root / path).parent / os.fsdecode(text)):
            return False
        return _LINK_TEXT.fullmatch(text) is not None

    def full(self, path: str) -> Path:
        """Return the absolute path of a file; links that git wrote as text are followed."""
        for _ in range(MOST_LINKS):
            # Nothing is on disk below a text.
            places = [path] if os.path.lexists(self.root / path) else _places_to(path)
            link = next(filter(self.text_link, places), None)
            if link is None:
                break
            path = normpath(join(dirname(link), self.text_link(link) or "") + path[len(link) :])
        return self.root / path

    def _real(self, path: str) -> str | None:
        full = self.full(path)
        # Most files are no links, and share their folder with others.
        if not path.rpartition("/")[2].strip(".") or path[0] == "/" or is_link(full):
            real = real_path(full)
        else:
            real = self._real_folder(full.parent) / full.name
        if not real.is_relative_to(self._real_root):
            return None
        inner = real.relative_to(self._real_root).as_posix()
        return "" if inner == "." else inner

    def links_last(self, paths: Iterable[str]) -> list[str]:
        """Return the same paths, links last: a file keeps its own name if it has one."""
        return sorted(paths, key=lambda path: self.real(path) != path)

    # Whether a file can be used.

    def obstacle(self, path: str, *, named: bool = False) -> str | None:
        """Return why a file cannot be used, or None; `named` ones may be in a nested repository."""
        full = self.full(path)
        try:
            mode = full.stat().st_mode
        except (OSError, ValueError) as error:
            is_missing = isinstance(error, ValueError) or error.errno in NOT_THERE
            if not is_missing:
                return f"{CANNOT_BE_READ} ({reason_of(error)})"
            return self._broken_link(path) or reason_of(error)
        if self.real(path) is None:
            return LEADS_OUT
        if not stat.S_ISREG(mode):
            return NOT_REGULAR
        if not named and self.repository_of(path.rpartition("/")[0]):
            return "belongs to a repository inside this one"
        return None

    def _broken_link(self, path: str) -> str | None:
        text, real = self.link_text(path), self.real(path)
        if text is None:
            return None
        if real and self.is_off_disk(real):
            return f"{LEADS_ELSEWHERE}to {printable(real)}, which git keeps off the disk"
        return f"{BROKEN_LINK} to {printable(text)}"

    def _repository_of(self, folder: str) -> str | None:
        # A link may lead back to the root, which is in no other repository.
        places = (place for place in _places_to(folder) if place and self.real(place) != "")
        return next((p for p in places if os.path.lexists(self.root / p / ".git")), None)

    def is_file(self, path: str) -> bool:
        """Return True for a usable file of the repository, spelled as on disk."""
        return self.is_listed(path) and self.obstacle(path, named=True) is None

    def content(self, path: str) -> bytes | None:
        """Return the content of a usable file of the repository, or None."""
        try:
            return read_file(self.full(path), shown=path) if self.is_file(path) else None
        except LearningsError:
            return None

    # Git.

    @cached_property
    def tracked(self) -> frozenset[str]:
        """The tracked memory files and package manifests by their endings; empty without git."""
        from learnings.history.git.tracked import tracked_files  # noqa: PLC0415  (named files need no git)

        listed = tracked_files(self.root) if self.has_git else ()
        wanted = (p for p in listed if p.lower().endswith(MEMORY_ENDINGS) or p.endswith(MANIFESTS))
        return frozenset(wanted)

    @cached_property
    def index(self) -> IndexedFiles:
        """The index with its links, submodules and files off the disk; empty without git."""
        from learnings.history.git.tracked import IndexedFiles, indexed_files  # noqa: PLC0415  (as above)

        try:
            return indexed_files(self.root) if self.has_git else IndexedFiles()
        except LearningsError:
            # The later reading of the history reports it in its own words.
            return IndexedFiles()

    def _has(self, path: str) -> bool:
        """Return True if a file or folder is there in exactly this spelling.

        A sparse checkout keeps files off the disk, and a submodule may not be checked out. An empty
        folder does not count, as for git.
        """
        try:
            # The disk first: reading the index costs a git run that grows with the files.
            if self.is_listed(path) and (not is_folder(self.full(path)) or self.names(path)):
                return True
        except UnusableFile:
            return True
        return self.is_off_disk(path)

    def is_off_disk(self, path: str) -> bool:
        """Return True if git keeps a file or folder off the disk, or its submodule."""
        for place in dict.fromkeys((path, self.real(path) or path)):
            submodule = self.submodule_of(place)
            is_empty = submodule is not None and not self.names(submodule)
            if is_empty or place in self.index.sparse:
                return True
        return False

    def submodule_of(self, path: str) -> str | None:
        """Return the submodule that has a path, or None."""
        return next((place for place in _places_to(path) if place in self.index.submodules), None)

    def packages_around(self, folder: str) -> tuple[str, ...]:
        """Return the packages on disk that contain a folder, innermost first, without the root."""
        around = []
        while folder:
            around += [] if self.names(folder).isdisjoint(MANIFESTS) else [folder]
            folder = folder.rpartition("/")[0]
        return tuple(around)

    def read(self, path: str) -> bytes:
        """Return the content of a file; one that git keeps off the disk has that of the index.

        Raises MissingFile, and UnusableFile if it is too large.
        """
        if not self.is_listed(path) and path in self.index.sparse:
            staged = self.committed([path], rev="")
            if path in staged:
                return staged[path]
        return read_file(self.full(path), shown=path)

    def expect(self, paths: Iterable[str]) -> None:
        """Add paths that is_ignored() will be asked about, so that git is asked once."""
        self._expected += paths

    def is_ignored(self, path: str) -> bool:
        """Return True if git ignores an untracked path by the rules of the repository.

        Nothing is ignored below a root that is ignored itself.
        """
        if path in self.tracked or not self.has_git:
            return False
        if path not in self._ignored:
            from learnings.history.git.ignoring import ignored_files  # noqa: PLC0415  (as above)

            paths = [*dict.fromkeys((path, *self._expected))]
            asked = [one for one in paths if one not in self.tracked and one not in self._ignored]
            # Git refuses a path behind a link, and the file is at its end.
            real = {one: self.real(one) or one for one in asked}
            ignored = ignored_files(self.root, [*real.values()])
            self._ignored |= {one: real[one] in ignored for one in asked}
            self._expected.clear()
        return self._ignored[path]

    def unusable(self, path: str) -> str | None:
        """Return why discovery passes a file over: an obstacle, or git ignores it; or None."""
        return self.obstacle(path) or (IGNORED_BY_GIT if self.is_ignored(path) else None)

    def duplicate(self, path: str, met: Met) -> str | None:
        """Return the reason to skip a file that was met before under another path, or None."""
        first = self.first_path(path, met)
        return None if first == path else f"{SAME_FILE} {first}"

    def first_path(self, path: str, met: Met) -> str:
        """Return the path under which a file was met first: its own, if it is new."""
        try:
            status = self.full(path).stat()
        except (OSError, ValueError):  # removed in the meantime; reading will report it
            return path
        return met.setdefault((status.st_dev, status.st_ino), path)

    def committed(self, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
        """Return the contents of paths in a commit, or in the index for an empty rev.

        Missing and too large ones are left out. A path that was a link there counts as the file
        that it leads to now.
        """
        from learnings.history.git.tracked import committed_blobs  # noqa: PLC0415  (as above)

        top = find_root(self._real_root)
        if not os.path.lexists(top / ".git"):
            return {}
        inner = self._real_root.relative_to(top)

        def blobs_at(places: Mapping[str, str]) -> dict[str, bytes]:
            names = {path: (inner / place).as_posix() for path, place in places.items()}
            blobs = committed_blobs(top, [*names.values()], rev=rev) if names else {}
            return {path: blobs[name] for path, name in names.items() if name in blobs}

        contents = {
            p: data
            for p, data in blobs_at({path: path for path in paths}).items()
            if not self._may_be_link(p, data)
        }
        real = {path: self.real(path) for path in paths if path not in contents}
        contents |= blobs_at({path: end for path, end in real.items() if end and end != path})
        return {path: data for path, data in contents.items() if excess_of(data) is None}


def _places_to(path: str) -> Iterator[str]:
    """Yield the folders above a path, outermost first, and the path."""
    return (path[:end] for end, sign in enumerate(f"{path}/") if sign == "/")
