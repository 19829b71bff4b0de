"""A learnings file or a memory folder with its archives on disk."""

from __future__ import annotations

import os
import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.entry_names import name_of
from learnings.core.entries.archives import ArchivePart, with_originals
from learnings.core.entries.decisions import is_decisions
from learnings.core.entries.document import Document, Entry, ReadOptions, read, read_older
from learnings.core.entries.entry_changes import is_alike
from learnings.core.entries.memory_folder import FolderDocument
from learnings.core.entries.rewriting import archived_originals, original_of
from learnings.core.errors import MissingFile
from learnings.core.file_names import (
    MEMORY_ENDINGS,
    archive_date,
    archive_folder,
    archive_path,
    is_archive_name,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.text import printable
from learnings.history.git.tracked import RenamedFiles
from learnings.store.files import Change
from learnings.store.safe_moves import Move
from learnings.workspace.disk import exists, is_link, read_file, reason_of
from learnings.workspace.memory_file import MemoryFile, MemoryFolder
from learnings.workspace.tree import Tree

# The title of a part; in an archive written by hand it would be read as an entry.
_PART = lazy_pattern(r"(?:Group|Dropped):")


class FoundEntry(NamedTuple):
    """An entry with its original, byte for byte, and the path and line where that begins.

    part is the heading above it in an archive, `Dropped: REASON` or `Group: NAME`, or empty.
    """

    entry: Entry
    data: bytes
    path: str
    line: int
    part: str = ""


class SourceFile:
    """A learnings file or a memory folder, empty if it is missing, and its archives.

    Messages say `name`; `path` is the file at the end of its links. Archives and decisions are
    beside `home`. data is None for a folder. Raises MissingFile and UnusableFile.
    """

    def __init__(self, file: MemoryFile) -> None:
        self.memory, self.workspace, self.root = file, file.workspace, file.workspace.root
        self.name, self.path, self.home = file.name, file.place, file.home
        self.options = ReadOptions.of(file.settings)
        self.is_folder = isinstance(file, MemoryFolder)
        self.data = None if self.is_folder else content_if_there(self.root, self.path)
        if self.is_folder:
            try:
                self.document = file.document
            except MissingFile:  # all entries are in its archive
                self.document = FolderDocument(self.path, ())
        else:
            self.document = read(self.data or b"", self.options)

    def archive(self, today: str) -> str:
        """Return the path of the archive that a day's entries go to."""
        return archive_folder(self.home) if self.is_folder else archive_path(self.path, today)

    def archive_change(self, parts: Sequence[ArchivePart], today: str) -> Change:
        """Return the change that adds parts to the archive of a file. Raises UnusableFile."""
        path = self.archive(today)
        before = content_if_there(self.root, path)
        after = with_originals(before, parts, learnings_file=self.path, date=today)
        return Change(path, before, after)

    @cached_property
    def present(self) -> Sequence[FoundEntry]:
        """The entries of the file, or the files of the folder."""
        rows = []
        for entry in self.document.entries:
            path = entry.path
            data = read_file(self.root / path, shown=path) if path else original_of(entry)
            rows.append(FoundEntry(entry, data, path or self.path, entry.first))
        return rows

    @cached_property
    def archives(self) -> dict[str, bytes]:
        """The archives by path, or the files in the archive of a folder."""
        if self.is_folder:
            paths = Tree(self.root).files(f"{archive_folder(self.home)}/**/*.md")
        else:
            paths = self._archive_paths()
        found = {path: read_file(self.root / path, shown=path) for path in paths}
        return {path: data for path, data in found.items() if not is_decisions(path, data)}

    def _archive_paths(self) -> list[str]:
        """Return the archives of a file under all of its names, except those of another memory."""
        folder = archive_folder(self.path)
        names = self._names_in(folder)
        own = [f"{folder}/{name}" for name in names if is_archive_name(name, self.path)]
        like = f"*/{archive_path('*', '*')}"
        tracked = (p for p in self.workspace.tree.tracked if fnmatchcase(f"/{p}", like))
        others = {*tracked, *(f"{folder}/{name}" for name in names)} - {*own}
        orphans = [path for path in sorted(others) if self._is_orphan(path)]
        if not orphans:
            return own
        former = [self.path, *RenamedFiles(self.root).former_names(self.path)]
        folders = {archive_folder(name) for name in former}
        return own + [
            path
            for path in orphans
            if posixpath.dirname(path) in folders
            and any(is_archive_name(posixpath.basename(path), name) for name in former)
        ]

    def _is_orphan(self, path: str) -> bool:
        """Return True if no memory file beside the folder of an archive has its name."""
        folder, name = posixpath.split(path)
        beside = posixpath.dirname(folder)
        return not any(
            is_archive_name(name, file) and file.lower().endswith(MEMORY_ENDINGS)
            for file in self._names_in(beside)
            if not is_link(self.root / beside / file)
        )

    def _names_in(self, folder: str) -> list[str]:
        try:
            return os.listdir(self.root / folder)  # noqa: PTH208  (names are enough)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise MissingFile(
                f"cannot read the folder {printable(folder)} ({reason_of(error)}); correct "
                "that and run again"
            ) from None

    @cached_property
    def archived(self) -> Sequence[FoundEntry]:
        """The originals in the archives, newest first.

        If an identity repeats, the older original gets the suffix ` #2`. Originals of equal bytes
        count as often as in the archive with most of them, because an interrupted and repeated run
        writes to two archives. Archives written by hand are read like the file.
        """
        return self._archived_in(self.archives)

    def _archived_in(self, archives: dict[str, bytes]) -> Sequence[FoundEntry]:
        known = Counter[bytes]()
        count = Counter[str]()
        rows = []
        # A renamed file has archives under several names.
        for path in sorted(archives, key=lambda path: (archive_date(path), path), reverse=True):
            copies = Counter[bytes]()
            for row in reversed([*self._rows_of(path, archives[path])]):
                copies[row.data] += 1
                if copies[row.data] <= known[row.data]:
                    continue
                known[row.data] += 1
                key = row.entry.key
                count[key] += 1
                identity = key if count[key] == 1 else f"{key} #{count[key]}"
                rows.append(row._replace(entry=row.entry._replace(identity=identity)))
        return rows

    def _rows_of(self, path: str, data: bytes) -> Iterator[FoundEntry]:
        if self.is_folder:
            folder = FolderDocument(archive_folder(self.home), [(path, data)])
            yield FoundEntry(folder.entries[0], data, path, 1)
            return
        for entry, original in archived_originals(data, self.document, self.options):
            if original.heading or not _PART.match(entry.title):
                yield FoundEntry(entry, original.data, path, original.line, original.heading)

    def names_of(self, move: Move) -> list[str]:
        """Return the names that restore the originals of a move once it is written."""
        written = {change.path: change.after or b"" for change in move.archives}
        rows = self._archived_in({**self.archives, **written})
        entries, left = [row.entry for row in rows], Counter(move.originals)
        names = []
        for row in rows:
            if left[row.data]:
                left[row.data] -= 1
                names.append(name_of(row.entry, entries))
        return names[::-1]

    @cached_property
    def committed(self) -> Document | None:
        """The file in HEAD, None if it is not there or a folder."""
        data = None
        if not self.is_folder:
            data = self.workspace.tree.committed([self.path], rev="HEAD").get(self.path)
        return None if data is None else read_older(data, self.options)

    def has(self, row: FoundEntry) -> bool:
        """Return True if an archived entry is in the file, perhaps edited.

        If it was committed several times, or beside others of its name, it must be there as often.
        """
        data = row.data.strip()
        entries = self.committed.entries if self.committed else ()
        committed = [original_of(entry).strip() for entry in entries]
        present = [(one.data.strip(), one.entry) for one in self.present]
        count = [original for original, _ in present].count(data)
        if count:
            return count >= committed.count(data)
        return any(
            entry.key == row.entry.key and is_alike(row.entry, entry)
            for original, entry in present
            if data not in committed or original not in committed
        )


def content_if_there(root: Path, path: str) -> bytes | None:
    """Return the bytes of a file below a root, or None if it is missing; raises as read_file()."""
    file = root / path
    return read_file(file, shown=path) if exists(file) or is_link(file) else None
