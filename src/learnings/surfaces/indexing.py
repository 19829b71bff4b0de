"""The memory index of a workspace, with the files that it is held against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from learnings.core.document import read
from learnings.core.index import BLOCK, IndexFile, read_index
from learnings.core.index_check import Problem, problems
from learnings.core.index_files import IndexedFile, entries_of, headings_of
from learnings.surfaces.disk import Disk
from learnings.surfaces.selection import read_file
from learnings.surfaces.workspace import Workspace

HeldIndex = tuple[IndexFile, Sequence[IndexedFile]]


def held_index(workspace: Workspace, data: bytes) -> HeldIndex:
    """Return the index that `data` is, and the files that must have rows as far as they exist.

    Those are the configured ones and those that the index names; for an index block the file that
    it stands in. Raises MissingFile for a file that cannot be read, UsageProblem for one that is
    too large.
    """
    settings = workspace.settings
    index = read_index(data, form=settings.index_form, path=settings.index)
    if index.form == BLOCK:
        return index, [_own_entries(workspace, data)]
    paths = _paths(Disk(workspace.root), index, settings.indexed)
    return index, [
        headings_of(path, read_file(workspace.root / path, shown=path)) for path in paths
    ]


def index_problems(workspace: Workspace, data: bytes) -> Iterator[Problem]:
    """Give what is wrong between the index that `data` is and its files; raises as held_index()."""
    threshold = workspace.settings.fuzzy_threshold
    fuzzy = threshold if isinstance(threshold, float) else None
    return problems(*held_index(workspace, data), fuzzy=fuzzy)


def _own_entries(workspace: Workspace, data: bytes) -> IndexedFile:
    path = workspace.settings.index
    file = workspace.file_settings(path)
    document = read(
        data,
        dialect=file.dialect,
        entry_level=file.entry_level,
        preamble_lines=file.preamble_lines,
    )
    return entries_of(path, document)


def _paths(disk: Disk, index: IndexFile, indexed: Iterable[str]) -> list[str]:
    """Return the paths of the files there are: those of the globs, then those the index names."""
    globbed = [path for glob in indexed for path in disk.files(glob)]
    found = [path for path in globbed if disk.obstacle(path) is None]
    found += [path for path in index.places() if _is_file(disk, path)]
    return [path for path in dict.fromkeys(found) if path != index.path]


def _is_file(disk: Disk, path: str) -> bool:
    """Whether a place that an index names is a file of the repository, spelled as on disk."""
    inner = PurePosixPath(path)
    folder = "" if inner.parent == PurePosixPath() else inner.parent.as_posix()
    return inner.name in disk.names(folder) and disk.obstacle(path, named=True) is None
