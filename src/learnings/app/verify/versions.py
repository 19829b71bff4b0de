"""The memory of a repository before and after a change, read from git as values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path

from learnings.consolidation.proof.results import MemoryVersion
from learnings.core.entries.archives import originals_in
from learnings.core.entries.decisions import is_decisions
from learnings.core.entries.document import (
    Document,
    ReadOptions,
    excess_of,
    read,
    read_older,
    within_limits,
)
from learnings.core.entries.memory_folder import FolderDocument
from learnings.core.entries.rewriting import read_as_archived
from learnings.core.errors import LearningsError, UnusableFile
from learnings.core.file_names import (
    ARCHIVE_FOLDER,
    MEMORY_ENDINGS,
    archive_folder,
    is_archive_like,
    is_archive_name,
)
from learnings.core.roles import is_memory_place
from learnings.core.settings.setting_values import Settings
from learnings.core.text import encode, printable
from learnings.history.git.snapshots import Snapshot
from learnings.workspace.config_file import CONFIG_FILES, read_config
from learnings.workspace.places import Place, Places
from learnings.workspace.workspace import Workspace


def settings_before(version: Snapshot) -> Settings:
    """Return the settings of older configuration files, or the defaults if they are unreadable."""
    from learnings.core.settings.reader import settings_from  # noqa: PLC0415  (where a configuration was changed)

    with suppress(LearningsError):
        for name in CONFIG_FILES:
            data = version.read(name)
            config = read_config(Path(name), name, data) if data is not None else None
            if config is not None:
                return settings_from(config.table, source=config.source)
    return Settings()


class VersionedPlaces:
    """What files are to the memory in some versions, by several settings and by all links.

    versions have the contents that were read already, by their real paths.
    """

    def __init__(
        self, versions: Mapping[Snapshot, Mapping[str, bytes]], settings: Sequence[Settings]
    ) -> None:
        self._settings = settings
        self._versions = [
            (version, known, [Places(partial(_content, version, known), one) for one in settings])
            for version, known in versions.items()
        ]
        self.of = lru_cache(maxsize=None)(self._of)
        """Return the place of a real path in one version, by default in any of them."""

    def _of(self, path: str, version: Snapshot | None = None) -> Place:
        places = [
            place._replace(
                folder=each.real(place.folder) if place.folder else None,
                archived_from=each.real(place.archived_from) if place.archived_from else None,
            )
            for each, _, all_places in self._versions
            for name in each.names_of(path)
            for place in (places.of(name) for places in all_places)
            if version in (None, each)
        ]
        return max(places, key=lambda place: place.rank)

    def is_memory(self, path: str) -> bool:
        """Return True if a file is a memory in one of the versions with its content."""
        return self.of(path).may_be_memory and any(
            places.is_memory(places.of(name), known[path])
            for version, known, all_places in self._versions
            if path in known
            for name in version.names_of(path)
            for places in all_places
        )

    def is_kept(self, path: str) -> bool:
        """Return True for a file that may be a memory, its archives and its index."""
        is_archive = path.rpartition("/")[0].rpartition("/")[2] == ARCHIVE_FOLDER
        names = {name for version, *_ in self._versions for name in version.names_of(path)}
        is_index = any(not names.isdisjoint(each.index) for each in self._settings)
        return is_archive or is_index or self.of(path).may_be_memory


def _content(version: Snapshot, known: Mapping[str, bytes], path: str) -> bytes | None:
    return known[path] if path in known else version.read(path)


def changes_memory(workspace: Workspace, changed: Collection[str]) -> bool:
    """Return True if a change of files with these names can lose something; reads no file."""
    return any(path.lower().endswith(".md") or is_memory_place(path) for path in changed) or bool(
        {*changed} & {*CONFIG_FILES, *(str(file.path) for file in workspace.settings.files)}
    )


class MemoryVersions:
    """The memory in a commit and in a snapshot, with the contents of changed files by path.

    settings are those before the change, so that a change cannot weaken its own proof. Raises
    UntrustedHistory, UsageProblem and UnusableFile.
    """

    def __init__(self, workspace: Workspace, snapshot: Snapshot, commit: str) -> None:
        self._workspace = workspace
        self.past, self.now = snapshot.before(commit), snapshot
        self.changed = dict.fromkeys(snapshot.changed_paths(commit))
        self.older, self.newer = (v.contents(self.changed) for v in (self.past, self.now))
        is_configured = any(name in self.changed for name in CONFIG_FILES)
        self.settings = settings_before(self.past) if is_configured else workspace.settings
        settings = (workspace.settings, self.settings)[: 1 + is_configured]
        contents = {self.now: self.newer, self.past: self.older}
        self.places = VersionedPlaces(contents, settings)
        self._texts = [*filter(self._may_hold_entries, self.changed)]
        self._memories = [*filter(self.places.is_memory, self._texts)]
        self._unchanged = self._unchanged_sources()
        archives = {
            p: self.older[p] for p in filter(self._is_archive, self._texts) if p in self.older
        }
        before = self._version(self.past, self.older, archives, self._read_older)
        self.before = before._replace(archived=self._archived_files())
        self.after = self._version(self.now, self.newer, self._archives(), self._read)

    def _may_hold_entries(self, path: str) -> bool:
        place = self.places.of(path)
        return place.is_learnings or place.name.lower().endswith(MEMORY_ENDINGS)

    def _unchanged_sources(self) -> dict[str, Document]:
        """Return unchanged memory files beside changed archives, or in a folder that lost text."""
        beside = {path.rpartition("/")[0] for path in self._texts}
        beside = {path for path in beside if path.rpartition("/")[2] == ARCHIVE_FOLDER}
        inner = ((self.places.of(path).folder, path) for path in self._memories)
        folders = {
            folder for folder, path in inner if folder is not None and self._loses_lines(path)
        }
        found = []
        for path in self.now.paths() if beside or folders else ():
            place = self.places.of(path)
            is_beside = archive_folder(path) in beside and place.may_be_memory and not place.folder
            if path not in self._texts and (place.folder in folders or is_beside):
                found.append(path)
        return {path: self._read(path, data) for path, data in self.now.contents(found).items()}

    def _loses_lines(self, path: str) -> bool:
        older, newer = self.older.get(path, b""), self.newer.get(path, b"")
        return not {*older.splitlines()} <= {*newer.splitlines()}

    def _version(
        self,
        version: Snapshot,
        contents: Mapping[str, bytes],
        archives: Mapping[str, bytes],
        read_file: Callable[[str, bytes], Document],
    ) -> MemoryVersion:
        # A link of the other version alone makes no memory of a file.
        files = (path for path in self._memories if path in contents)
        own = (path for path in files if self.places.of(path, version).may_be_memory)
        learnings = {path: read_file(path, contents[path]) for path in own}
        texts = {p: contents[p] for p in self._texts if p in contents and p not in learnings}
        # Clones lack an untracked archive of another tool.
        texts = {
            path: data
            for path, data in texts.items()
            if path not in archives and (not is_archive_like(path) or version.is_tracked(path))
        }
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def _is_archive(self, path: str) -> bool:
        """Return True for an archive of one of the learnings files."""
        folder, _, name = path.rpartition("/")
        files = (f for f in (*self._memories, *self._unchanged) if archive_folder(f) == folder)
        return any(is_archive_name(name, file) for file in files)

    def _archives(self) -> dict[str, bytes]:
        folders = {archive_folder(path) for path in (*self._memories, *self._unchanged)}
        listed = (path for folder in sorted(folders) for path in self.now.paths(folder))
        archives = self.now.contents(filter(self._is_archive, listed))
        for path, data in (archives | self.newer).items():
            folder = self.places.of(path).archived_from
            if folder is not None:  # as the old entry, without front matter
                archives[path] = encode(FolderDocument(folder, [(path, data)]).text)
        return archives

    def _archived_files(self) -> dict[str, Document]:
        """Return the changed files in the archives of memory folders as they were.

        A learnings file there has its own archive and decisions in the same place.
        """
        return {
            path: FolderDocument(folder, [(path, within_limits(data))])
            for path, data in self.older.items()
            if (folder := self.places.of(path, self.past).archived_from) is not None
            and not is_decisions(path, data)
            and not originals_in(data)
        }

    def options_before(self, path: str) -> ReadOptions:
        """Return how a learnings file was read before the change."""
        name, settings = self.places.of(path).name, self.settings
        if settings is self._workspace.settings:
            return ReadOptions.of(self._workspace.file_settings(name))
        files = (file for file in settings.files if str(file.path) == name)
        return ReadOptions.of(next(files, settings.file))

    def _read_older(self, path: str, data: bytes) -> Document:
        folder = self.places.of(path, self.past).folder
        if folder is not None:
            return FolderDocument(folder, [(path, within_limits(data))])
        document = read_older(within_limits(data), self.options_before(path))
        return document if document.entries else read_as_archived(document, self._archives_of(path))

    def _archives_of(self, path: str) -> Iterator[bytes]:
        names = self.past.paths(archive_folder(path))
        names = [name for name in names if is_archive_name(name.rpartition("/")[2], path)]
        yield from self.past.contents(names).values()

    def _read(self, path: str, data: bytes) -> Document:
        excess = excess_of(data)
        if excess is not None:
            raise UnusableFile(f"{printable(path)} {excess}; split it or leave it out")
        place = self.places.of(path, self.now)
        if place.folder is not None:
            return FolderDocument(place.folder, [(path, data)])
        return read(data, ReadOptions.of(self._workspace.file_settings(place.name)))

    def unchanged_texts(self) -> dict[str, bytes]:
        """Return the Markdown files that did not change, and archives of other tools."""
        version = self.now
        contents = version.contents(
            path
            for path in sorted(version.paths())
            if (path not in self.changed and path.lower().endswith(MEMORY_ENDINGS))
            or (is_archive_like(path) and version.is_tracked(path))
        )
        return {path: plain_text(path, data) for path, data in contents.items()}


def plain_text(path: str, data: bytes) -> bytes:
    """Return the texts of a JSON or JSON Lines file, one below the other; other files unchanged."""
    if not path.lower().endswith((".json", ".jsonl")):
        return data
    import json  # noqa: PLC0415  (where a tool keeps its archive so)

    texts: list[str] = []
    for line in data.splitlines() if path.lower().endswith(".jsonl") else [data]:
        try:
            texts += _strings(json.loads(line))
        except (ValueError, RecursionError):
            continue
    return encode("\n\n".join(texts))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)
