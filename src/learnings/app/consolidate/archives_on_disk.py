"""The archives of a learnings file on disk."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.app.workspace.disk import read_file
from learnings.app.workspace.tree import FileTree
from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.plan.model import digest_of_lines
from learnings.core.entries.archives import folder_of, is_archive_name
from learnings.core.entries.originals import originals_in
from learnings.core.text import decode, split_lines


def archived_digests(workspace: Workspace, path: str) -> frozenset[str]:
    """Return the digests of the originals in the archives of a learnings file, by its path.

    Raises MissingFile or UnusableFile for an archive that cannot be read.
    """
    return frozenset(
        digest_of_lines(split_lines(decode(original.data)))
        for archive in _archives(workspace, path)
        for original in originals_in(read_file(workspace.root / archive, shown=archive))
    )


def _archives(workspace: Workspace, path: str) -> Iterator[str]:
    folder = folder_of(path)
    for name in sorted(FileTree(workspace.root).names(folder)):
        if is_archive_name(name, path):
            yield f"{folder}/{name}"
