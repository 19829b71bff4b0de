"""Versions of files in commits, read as blobs and documents, and what commits changed.

Entries move between Markdown and text files, so of a commit only the changes of these are read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from learnings.core.entries.document import Document, ReadOptions, read_older, within_limits
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.history.git import commands
from learnings.history.git.commands import RAW, all_commits, raw_changes
from learnings.history.git.objects import GitObject, ObjectReader, entries_below, fetch_versions
from learnings.history.git.process import Background, start
from learnings.history.git.repository import (
    Repository,
    explaining,
    missing_object,
    shallow_commits,
)

if TYPE_CHECKING:
    from learnings.core.entries.entry_changes import EntryChanges
    from learnings.core.entries.versions import Version, VersionChange

# Versions kept in memory: more than most files have (one of the benchmarks has 300); not measured.
MAX_VERSIONS = 512
WORK_TREE = "working tree"
"""Stands for a commit, and for its version of the file, if a text is in no commit."""

_SUBMODULE = b"160000"  # mode of a submodule, whose commit is in another repository
# Endings of text files; files without an ending also count.
_TEXT_ENDINGS = (*MEMORY_ENDINGS, ".mdown", ".text", ".rst", ".adoc", ".org")


ChangedFiles = Mapping[str, tuple[str | None, str | None]]
"""The text files that a commit changed, by path, with their blobs before and after, or None."""


class BlobReader(ObjectReader):
    """A reader of the versions of files in one repository; it caches answers.

    prefetch() requests objects without waiting: ids, or `<commit>:<path>`. Files that end as `path`
    does are text.
    """

    def __init__(self, repository: Repository, read_options: ReadOptions, path: str = "") -> None:
        super().__init__(repository.top)
        self.repository = repository
        self._read_options = read_options
        self._endings = *_TEXT_ENDINGS, PurePosixPath(path).suffix.casefold() or "md"
        self._work_tree: Document | None = None
        shallow = repository.shallow
        self.boundary = shallow_commits(repository) if shallow else frozenset[str]()
        """The commits at which a shallow history ends: nothing is known before them."""
        self._diffs: dict[str, dict[str, ChangedFiles]] = {name: {} for name in self.boundary}
        self._asked: dict[str, None] = {}
        self._comparing: Background | None = None
        self.counted = lru_cache(maxsize=MAX_VERSIONS)(self._counted)
        self.document = lru_cache(maxsize=MAX_VERSIONS)(self._document)
        self.changes = lru_cache(maxsize=MAX_VERSIONS)(self._changes)
        self.version_change = lru_cache(maxsize=MAX_VERSIONS)(self._version_change)
        self.parents = lru_cache(maxsize=MAX_VERSIONS)(self._parents)
        self.find = lru_cache(maxsize=None)(self._find)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._comparing is not None:
            self._comparing.close()

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

        others_read = [self.document(blob) for blob in others]
        return compare_entries(self.document(old), self.document(new), others=others_read)

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

    def compare(self, commits: Iterable[str]) -> None:
        """Start comparing commits with their parents, for a later call of diffs()."""
        new = [name for name in commits if name not in self._diffs and name not in self._asked]
        if not new:
            return
        if self._comparing is None:
            self._comparing = Background(start(commands.CHANGED_FILES, self.top, interactive=True))
        self._asked |= dict.fromkeys(new)
        pairs = (f"{name} {parent}\n" for name in new for parent in self.parents(name))
        self._comparing.write("".join(pairs).encode("ascii"))

    def diffs(self, commits: Sequence[str]) -> dict[str, dict[str, ChangedFiles]]:
        """Return the changes of commits against each parent, by commit and parent.

        WORK_TREE stands for the commit that the working tree would become.
        """
        if WORK_TREE in commits and WORK_TREE not in self._diffs:
            # The text files that differ from HEAD, without their present content.
            head = self.repository.head
            changes = raw_changes(self.repository.run("diff", *RAW, "--no-ext-diff", head, "--"))
            paths = [*filter(self._is_text, changes)]
            fetch_versions(self.repository, [head], paths)
            changed = {path: (changes[path].regular[0], None) for path in paths}
            self._diffs[WORK_TREE] = {head: changed}
        self.compare(commits)
        if self._asked:
            self._receive()
        return {commit: self._diffs[commit] for commit in commits}

    def _receive(self) -> None:
        """Take the changes of the commits asked for; of equal commits git prints nothing."""
        # Git prints a line that names no commit as it is, with all that it has kept back.
        mark = f"{os.urandom(16).hex()}\n".encode("ascii")
        assert self._comparing is not None
        self._comparing.write(mark)
        with explaining(self.top):
            printed = self._comparing.read_until(mark)
        files = {
            (commit, parent): {
                path: changes[path].regular for path in filter(self._is_text, changes)
            }
            for (commit, parent), [changes] in all_commits(printed)
        }
        for commit in self._asked:
            parents = self.parents(commit)
            self._diffs[commit] = {parent: files.get((commit, parent), {}) for parent in parents}
        self._asked.clear()
        # Fetch all at once if a partial clone lacks some.
        paths = {path for changed in files.values() for path in changed}
        names = {name for pair in files for name in pair}
        fetch_versions(self.repository, sorted(names), sorted(paths))

    def names_before(self, commit: str, path: str) -> Iterator[str]:
        """Yield the names in the parents of a file that a commit renamed.

        Git detects renames only among text files, so it reads no other file.
        """
        for parent, files in self.diffs([commit])[commit].items():
            if any(after is None for _, after in files.values()):
                paths = [path for path, blobs in files.items() if None in blobs]
                options = ("-r", *RAW, "-M", "--diff-filter=R", parent, commit)
                renames = raw_changes(self.repository.run("diff-tree", *options, "--", *paths))
                if path in renames:
                    yield renames[path].path_before

    def text_files(self, commit: str) -> dict[str, str]:
        """Return the blobs of all text files in a commit by path."""
        blobs = {
            entry.path: entry.id
            for entry in entries_below(self.repository, commit)
            if entry.mode.startswith("100") and self._is_text(entry.path)
        }
        fetch_versions(self.repository, [commit], blobs)
        return blobs

    def _is_text(self, path: str) -> bool:
        name = path.rpartition("/")[2].casefold()
        return name.endswith(self._endings) or "." not in name.removeprefix(".")


def _entries(tree: GitObject) -> dict[str, tuple[bytes, str]]:
    """Return the modes and ids of a tree by name: `<mode> <name>`, NUL, then the id as bytes."""
    row = rb"([0-7]+) ([^\0]*)\0(.{%d})" % (len(tree.id) // 2)
    rows = re.findall(row, tree.content, re.DOTALL) if tree.kind == "tree" else ()
    return {os.fsdecode(name): (mode, blob.hex()) for mode, name, blob in rows}
