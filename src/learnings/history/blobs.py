"""Versions of files in commits, read as blobs and as documents."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from learnings.core.entries.document import Document, ReadOptions, read_older, within_limits
from learnings.history.git.objects import GitObject, ObjectReader
from learnings.history.git.repository import Repository, missing_object

if TYPE_CHECKING:
    from learnings.core.entries.entry_changes import EntryChanges
    from learnings.core.entries.versions import Version, VersionChange

# Versions kept in memory: more than most files have (one of the benchmarks has 300); not measured.
MAX_VERSIONS = 512
_SUBMODULE = b"160000"  # mode of a submodule, whose commit is in another repository
WORK_TREE = "working tree"
"""Stands for a commit, and for its version of the file, if a text is in no commit."""


class BlobReader(ObjectReader):
    """A reader of the blobs of one repository, and of the documents in them; it caches answers.

    prefetch() requests objects without waiting: ids, or `<commit>:<path>`.
    """

    def __init__(self, repository: Repository, read_options: ReadOptions) -> None:
        super().__init__(repository.top)
        self.repository = repository
        self._read_options = read_options
        self._work_tree: Document | None = None
        self.counted = lru_cache(maxsize=MAX_VERSIONS)(self._counted)
        self.document = lru_cache(maxsize=MAX_VERSIONS)(self._document)
        self.changes = lru_cache(maxsize=MAX_VERSIONS)(self._changes)
        self.version_change = lru_cache(maxsize=MAX_VERSIONS)(self._version_change)
        self.parents = lru_cache(maxsize=MAX_VERSIONS)(self._parents)
        self.find = lru_cache(maxsize=None)(self._find)

    def take_in(self, document: Document) -> None:
        """Add the text of the working tree, so that it can be read like a version in a commit."""
        self._work_tree = document

    def data(self, name: str) -> bytes:
        """Return a blob or commit as ObjectReader limits it; raises UntrustedHistory if absent."""
        if name == WORK_TREE and self._work_tree is not None:
            return self._work_tree.to_bytes()
        return self._there(name).content

    def _there(self, name: str) -> GitObject:
        git_object = self.get(name)
        if git_object is None:
            raise missing_object(self.top, name)
        return git_object

    def version(self, blob: str) -> bytes:
        """Return the content of a version, cut to the limits of a memory file.

        A commit that made the file longer must not stop every later command.
        """
        return within_limits(self.data(blob))

    def _counted(self, blob: str) -> Version:
        from learnings.core.entries.versions import Version  # noqa: PLC0415  (where versions are read)

        return Version(self.version(blob), self._read_options)

    def _version_change(self, old: str, new: str | None) -> VersionChange:
        from learnings.core.entries.versions import Version, VersionChange  # noqa: PLC0415  (as above)

        after = Version(b"", self._read_options) if new is None else self.counted(new)
        return VersionChange(self.counted(old), after)

    def _document(self, blob: str) -> Document:
        if blob == WORK_TREE and self._work_tree is not None:
            return self._work_tree
        return read_older(self.version(blob), self._read_options)

    def _changes(self, old: str, new: str, *others: str) -> EntryChanges:
        """Compare the versions in two blobs; others are the versions of a merge's other parents."""
        from learnings.core.entries.entry_changes import compare_entries  # noqa: PLC0415  (as above)

        return compare_entries(
            self.document(old),
            self.document(new),
            others=[self.document(blob) for blob in others],
        )

    def _parents(self, commit: str) -> tuple[str, ...]:
        header = self.data(commit).partition(b"\n\n")[0]
        rows = header.split(b"\nparent ")[1:]
        return tuple(row.partition(b"\n")[0].decode("ascii") for row in rows)

    def _find(self, commit: str, path: str) -> str | None:
        """Return the id of the blob at a path of a commit, or None if there is no file."""
        git_object = self._at(commit, path)
        return git_object.id if git_object is not None and git_object.kind == "blob" else None

    def commit_of(self, name: str) -> str | None:
        """Return the commit of a full or abbreviated hash; None if there is none, or several."""
        git_object = self.get(f"{name}^{{commit}}")
        is_hash = git_object is not None and git_object.id.startswith(name.lower())
        return git_object.id if git_object is not None and is_hash else None

    def files_in(self, commit: str, folder: str) -> dict[str, str]:
        """Return the blobs of the files in a folder of a commit, by name; empty without it."""
        tree = self._at(commit, folder)
        rows = _entries(tree) if tree is not None else {}
        return {name: blob for name, (mode, blob) in rows.items() if mode.startswith(b"100")}

    def _at(self, commit: str, path: str) -> GitObject | None:
        """Return the object at a path of a commit, or None; raises UntrustedHistory.

        Git gives the same answer for an absent path and a missing object, so the trees are read. A
        missing commit is beyond the end of a shallow history.
        """
        # A request is one line, so it cannot name a path with a newline.
        if "\n" not in path and (found := self.get(f"{commit}:{path}")):
            return found
        if self.repository.shallow and self.get(commit) is None:
            return None
        header = self.data(commit).partition(b"\n")[0]
        git_object = self._there(header.removeprefix(b"tree ").decode("ascii", "replace"))
        for part in path.split("/") if path else ():
            mode, name = _entries(git_object).get(part, (_SUBMODULE, ""))
            if mode == _SUBMODULE:
                return None
            git_object = self._there(name)
        return git_object


def _entries(tree: GitObject) -> dict[str, tuple[bytes, str]]:
    """Return the modes and ids of a tree by name: `<mode> <name>`, NUL, then the id as bytes."""
    row = rb"([0-7]+) ([^\0]*)\0(.{%d})" % (len(tree.id) // 2)
    rows = re.findall(row, tree.content, re.DOTALL) if tree.kind == "tree" else ()
    return {os.fsdecode(name): (mode, blob.hex()) for mode, name, blob in rows}
