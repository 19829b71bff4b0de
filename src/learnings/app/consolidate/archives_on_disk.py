"""A learnings file and its archives on disk."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.entry_names import name_of
from learnings.core.entries.archives import archive_folder, is_archive_name
from learnings.core.entries.decisions import is_decisions_name
from learnings.core.entries.document import Document, Entry, ReadOptions, read
from learnings.core.entries.memory_folder import FolderDocument
from learnings.core.entries.rewriting import archived_originals
from learnings.core.errors import MissingFile
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable
from learnings.store.files import Change
from learnings.workspace.disk import exists, read_file, reason_of
from learnings.workspace.memory_file import MemoryFile, MemoryFolder
from learnings.workspace.tree import FileTree
from learnings.workspace.workspace import Workspace

# The title of a part; in an archive written by hand it would be read as an entry.
_PART = lazy_pattern(r"(?:Group|Dropped):")


class SourceFile(NamedTuple):
    """A learnings file or a memory folder (no data); archives and decisions are beside home."""

    workspace: Workspace
    path: str
    data: bytes | None
    options: ReadOptions
    document: Document
    home: str

    @property
    def root(self) -> Path:
        """The root of the workspace."""
        return self.workspace.root

    @property
    def is_folder(self) -> bool:
        """True for a memory folder."""
        return self.home != self.path


class ArchivedEntry(NamedTuple):
    """An archived original: the entry, with the path and the first line of the original.

    part is the heading above it, `Dropped: REASON` or `Group: NAME`, or empty.
    """

    entry: Entry
    data: bytes
    path: str
    line: int
    part: str = ""


def source_of(file: MemoryFile) -> SourceFile:
    """Read a learnings file (it may be missing) or a memory folder. Raises as read_file()."""
    workspace = file.workspace
    if isinstance(file, MemoryFolder):
        try:
            document = file.document
        except MissingFile:  # all entries are in its archive
            document = FolderDocument(file.name, ())
        return SourceFile(workspace, file.name, None, file.read_options, document, file.home)
    path = workspace.relative(file.path) or os.path.relpath(file.path, workspace.root)
    options = file.read_options
    data = read_if_there(file.path, shown=path)
    return SourceFile(workspace, path, data, options, read(data or b"", options), path)


def read_if_there(path: Path, *, shown: str) -> bytes | None:
    """Return the bytes of a file, or None if it is missing; raises MissingFile and UnusableFile."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        pass  # reading it reports the error
    return read_file(path, shown=shown)


def content_if_there(root: Path, path: str) -> bytes | None:
    """Return the bytes of a file below a root, or None if it is missing; raises as read_file()."""
    return read_file(root / path, shown=path) if exists(root / path) else None


def archives_of(source: SourceFile) -> dict[str, bytes]:
    """Return the archives of a file, oldest first, or of a folder; raises as read_file()."""
    folder = archive_folder(source.home)
    if source.is_folder:
        found = FileTree(source.root).files(f"{folder}/**/*.md")
        files = [path for path in found if not is_decisions_name(path)]
        return {path: read_file(source.root / path, shown=path) for path in files}
    try:
        names = sorted(path.name for path in (source.root / folder).iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise MissingFile(
            f"cannot read the folder {printable(folder)} ({reason_of(error)}); correct "
            "that and run again"
        ) from None
    paths = [f"{folder}/{name}" for name in names if is_archive_name(name, source.path)]
    return {path: read_file(source.root / path, shown=path) for path in paths}


def archived_entries(source: SourceFile, archives: dict[str, bytes]) -> list[ArchivedEntry]:
    """Return the originals in the archives of a file, newest first.

    If an identity repeats, the older original gets the suffix ` #2`. Originals of equal bytes count
    as often as in the archive with most of them, because an interrupted and repeated run writes to
    two archives. Archives written by hand are read like the file.
    """
    known = Counter[bytes]()
    count = Counter[str]()
    entries = []
    for path, data in reversed(archives.items()):
        copies = Counter[bytes]()
        for archived in reversed([*_entries_in(source, path, data)]):
            copies[archived.data] += 1
            if copies[archived.data] <= known[archived.data]:
                continue
            known[archived.data] += 1
            key = archived.entry.key
            count[key] += 1
            identity = key if count[key] == 1 else f"{key} #{count[key]}"
            entries.append(archived._replace(entry=archived.entry._replace(identity=identity)))
    return entries


def names_in_archives(
    source: SourceFile, archives: Iterable[Change], originals: Sequence[bytes]
) -> list[str]:
    """Return the names that restore originals once the archives are written."""
    written = {change.path: change.after or b"" for change in archives}
    rows = archived_entries(source, dict(sorted({**archives_of(source), **written}.items())))
    entries, left = [row.entry for row in rows], Counter(originals)
    names = []
    for row in rows:
        if left[row.data]:
            left[row.data] -= 1
            names.append(name_of(row.entry, entries))
    return names[::-1]


def _entries_in(source: SourceFile, path: str, data: bytes) -> Iterator[ArchivedEntry]:
    if source.is_folder:
        folder = FolderDocument(archive_folder(source.home), [(path, data)])
        yield ArchivedEntry(folder.entries[0], data, path, 1)
        return
    for entry, original in archived_originals(data, source.document, source.options):
        if original.heading or not _PART.match(entry.title):
            yield ArchivedEntry(entry, original.data, path, original.line, original.heading)
