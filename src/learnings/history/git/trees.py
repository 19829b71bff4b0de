"""Trees of git: the object at a path of a commit, and the same tree with one changed file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from learnings.history.git import process
from learnings.history.git.repository import Repository

REGULAR_FILE = "100644"
# An executable file, and the mode that git used in its first year for a group-writable one.
_REGULAR_FILES = (REGULAR_FILE, "100755", "100664")


class TreeEntry(NamedTuple):
    """An entry of a tree; kind is blob, tree or commit."""

    path: str
    mode: str
    kind: str
    id: str

    @property
    def is_regular_file(self) -> bool:
        """True unless the entry is a folder, a link or a submodule."""
        return self.mode in _REGULAR_FILES


def entries_below(repository: Repository, tree: str, *folders: str) -> Iterator[TreeEntry]:
    """Yield the files, links and submodules of a tree or commit, below folders if any are given.

    Folders are POSIX paths with a slash at the end. Raises UntrustedHistory.
    """
    printed = repository.run("ls-tree", "-r", "-z", "--full-tree", tree, "--", *folders)
    for row in filter(None, os.fsdecode(printed).split("\0")):
        fields, _, path = row.partition("\t")
        yield TreeEntry(path, *fields.split(" "))


def entry_at(repository: Repository, commit: str, path: str) -> TreeEntry | None:
    """Return the entry of a commit at a POSIX path, or the link or file above that is in the way.

    Raises UntrustedHistory if git cannot read a tree.
    """
    folder, _, name = path.rpartition("/")
    above = entry_at(repository, commit, folder) if folder else None
    if folder and (above is None or above.kind != "tree"):
        return above
    fields = _entries(repository, above.id if above else commit).get(os.fsencode(name))
    return TreeEntry(path, *fields.decode("ascii").split(" ")) if fields else None


def tree_with(repository: Repository, tree: str | None, file: TreeEntry) -> str:
    """Write a tree with one file changed and return its id; raises GitFailed.

    tree None is an empty tree. All parts of file.path but the last must be folders or absent.
    """
    entries = _entries(repository, tree) if tree else {}
    name, _, rest = file.path.partition("/")
    key = os.fsencode(name)
    if rest:
        inner = entries[key].split(b" ")[-1].decode("ascii") if key in entries else None
        subtree = tree_with(repository, inner, file._replace(path=rest))
        file = TreeEntry(name, "040000", "tree", subtree)
    rows = entries | {key: f"{file.mode} {file.kind} {file.id}".encode("ascii")}
    listing = b"".join(b"%s\t%s\0" % (fields, entry) for entry, fields in rows.items())
    # A partial clone lacks objects that the tree names.
    return feed(repository, listing, "mktree", "-z", "--missing")


def feed(repository: Repository, data: bytes, *arguments: str) -> str:
    """Run git with data on its standard input and return the printed id; raises GitFailed."""
    printed = process.run_with(arguments, repository.top, data=data)
    return printed.decode("ascii").strip()


def _entries(repository: Repository, tree: str) -> dict[bytes, bytes]:
    rows = repository.run("ls-tree", "-z", "--full-tree", tree).split(b"\0")
    return {name: fields for fields, _, name in (row.partition(b"\t") for row in rows) if name}
