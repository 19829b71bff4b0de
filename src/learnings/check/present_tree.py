"""The contents of the working tree of a repository, for the references of memory files."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, cached_property
from pathlib import Path

from learnings.core.errors import LearningsError
from learnings.core.markdown.anchors import loose_anchor
from learnings.history.git.ignored import GitignoreRules
from learnings.history.git.tracked import IndexedFiles, committed_blobs, indexed_files
from learnings.references.definitions import FILES, anchors_in, may_define_more, names_defined
from learnings.workspace.disk import read_file


class PresentTree:
    """The files and folders of a repository in the index and on disk: `Present` of references.dead.

    Paths are POSIX, from the root of the repository. is_partial: only some files of the index are
    on disk.
    """

    def __init__(self, root: Path, *, is_partial: bool = False) -> None:
        self._root = root
        self._is_partial = is_partial
        self._gitignore = GitignoreRules(root)
        self.has = cache(self._has)
        self.may_be_elsewhere = cache(self._may_be_elsewhere)
        self._names = cache(self._names_in)
        self._data = cache(self._read)
        self._anchors = cache(self._anchors_in)
        self._defined = cache(self._defined_in)

    def _has(self, path: str) -> bool:
        """Return True if a file or folder exists in exactly this spelling.

        A sparse checkout keeps files off the disk that are in the index. An empty folder does not
        count, as for git.
        """
        # The disk first: reading the index costs a git run, which grows with the number of files.
        if self._is_on_disk(path):
            is_folder = os.path.isdir(self._root / path)  # noqa: PTH112  (never raises)
            if not is_folder or self._names(path):
                return True
        return path in self._sparse

    def _is_on_disk(self, path: str) -> bool:
        if not os.path.lexists(self._root / path):
            return False
        # A case-insensitive file system also has other spellings.
        while path:
            path, _, name = path.rpartition("/")
            if name not in self._names(path):
                return False
        return True

    def _names_in(self, folder: str) -> frozenset[str]:
        try:
            return frozenset(entry.name for entry in os.scandir(self._root / folder))
        except OSError:
            return frozenset()

    def ending_in(self, path: str) -> bool:
        name = path.rpartition("/")[2]
        return any(other.endswith(f"/{path}") for other in self._by_name.get(name, ()))

    def _may_be_elsewhere(self, path: str) -> bool:
        """Return True if git ignores a path, or it is in a submodule."""
        parts = path.split("/")
        above = {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
        return not above.isdisjoint(self._indexed.submodules) or bool(
            self._gitignore.ignored([path])
        )

    def line_count(self, path: str) -> int | None:
        data = self._data(path)
        if data is None or b"\0" in data:
            return None
        return data.count(b"\n") + (not data.endswith(b"\n"))

    def has_anchor(self, path: str, anchor: str) -> bool:
        anchors = self._anchors(path)
        return anchors is None or loose_anchor(anchor) in anchors

    def _anchors_in(self, path: str) -> frozenset[str] | None:
        data = self._data(path)
        return None if data is None else anchors_in(data)

    def defines(self, tool: str, name: str, folder: str) -> bool:
        for place in dict.fromkeys(("", folder)):
            for file in FILES[tool]:
                defined = self._defined(tool, f"{place}/{file}".lstrip("/"))
                if defined is None or name in defined:
                    return True
        return bool(tool) and self.has(name)

    def _defined_in(self, tool: str, path: str) -> frozenset[str] | None:
        """Return the names that a file defines, or None if it may define any."""
        data = self._data(path) or b""
        return None if may_define_more(tool, data) else names_defined(tool, data)

    def _read(self, path: str) -> bytes | None:
        """Return the content of a file, or None; a file kept off the disk has its HEAD content."""
        try:
            return read_file(self._root / path, shown=path)
        except LearningsError:
            pass
        if path not in self._sparse:
            return None
        return committed_blobs(self._root, [path], rev="HEAD").get(path)

    @cached_property
    def _indexed(self) -> IndexedFiles:
        try:
            return indexed_files(self._root)
        except LearningsError:
            # Outside git. The later reading of the history reports it in its own words.
            return IndexedFiles(frozenset(), frozenset(), frozenset())

    @cached_property
    def _sparse(self) -> frozenset[str]:
        """The files kept off the disk on purpose, with their parent folders."""
        files = self._indexed.files if self._is_partial else self._indexed.sparse
        return frozenset(_with_folders(files))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        names: defaultdict[str, list[str]] = defaultdict(list)
        there = (path for path in self._indexed.files if path in self._sparse or self._has(path))
        for path in _with_folders(there):
            names[path.rpartition("/")[2]].append(path)
        return names


def _with_folders(paths: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for file in paths:
        path = file
        while path and path not in found:
            found.add(path)
            path = path.rpartition("/")[0]
    return found
