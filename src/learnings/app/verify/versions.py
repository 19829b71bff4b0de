"""The memory of a repository before and after a change, read from git as values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from learnings.consolidation.proof.results import MemoryVersion
from learnings.core.entries.archives import (
    archive_folder,
    is_archive_like,
    is_archive_name,
    originals_in,
)
from learnings.core.entries.dialects import HEADING, TIMESTAMPED, Dialect
from learnings.core.entries.document import (
    Document,
    ReadOptions,
    excess_of,
    read,
    read_older,
    within_limits,
)
from learnings.core.entries.memory_folder import FolderDocument
from learnings.core.entries.rewriting import entry_of
from learnings.core.errors import LearningsError, UnusableFile
from learnings.core.file_names import (
    ARCHIVE_FOLDER,
    COMPANION_NAME,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    MANIFESTS,
    MEMORY_ENDINGS,
    OWN_FILE,
)
from learnings.core.roles import (
    exclusion,
    is_learnings_path,
    is_memory_place,
    memory_folder_of,
    packages_around,
)
from learnings.core.settings.setting_values import FileSettings, Settings, SettingsSource
from learnings.core.text import encode, printable
from learnings.history.git.snapshots import Snapshot
from learnings.workspace.config_file import SECTION, SHARED_FILE
from learnings.workspace.disk import is_file
from learnings.workspace.memories import files_listed, holds_memory
from learnings.workspace.workspace import Workspace

CONFIG_FILES = (OWN_FILE, SHARED_FILE)
"""Files in the root; the later one counts only if the first does not exist."""


def settings_before(version: Snapshot) -> Settings:
    """Return the settings of older configuration files, or the defaults if they are unreadable."""
    import tomllib  # noqa: PLC0415  (where a configuration was changed)

    from learnings.core.settings.reader import settings_from  # noqa: PLC0415  (as above)

    for name in CONFIG_FILES:
        data = version.read(name) or b""
        try:
            table: object = tomllib.loads(data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        for key in SECTION if name == SHARED_FILE else ():
            table = table.get(key) if isinstance(table, dict) else None
        if data and isinstance(table, dict):
            with suppress(LearningsError):
                return settings_from(table, source=SettingsSource("default"))
            break
    return Settings()


class PathRole(NamedTuple):
    """What a file may be to the memory, under the name that makes it so.

    is_place: a file of a tool, is_companion: a DECISIONS.md; they are learnings files if they have
    entries, the latter with time stamps. folder is the memory folder of which the file is an entry,
    archived_from the one whose archive contains it.
    """

    name: str
    is_learnings: bool = False
    is_place: bool = False
    is_companion: bool = False
    folder: str | None = None
    archived_from: str | None = None

    @property
    def may_be_memory(self) -> bool:
        return self.is_learnings or self.is_place or self.is_companion or self.folder is not None


class MemoryPaths:
    """The roles of paths in two versions, by the settings of both and by all links to a file."""

    def __init__(
        self,
        workspace: Workspace,
        before: Snapshot,
        after: Snapshot,
        changed: Container[str],
        older: Settings | None = None,
    ) -> None:
        self.workspace = workspace
        self.before = before
        self.after = after
        self.base_settings = older or workspace.settings
        """The settings before the change, so that a change cannot weaken its own proof."""
        self._changed = changed
        self._all_settings = [workspace.settings, *([older] if older else [])]
        self._discovers = any(not settings.files for settings in self._all_settings)
        self.role = lru_cache(maxsize=None)(self._role)
        """Return the role of a real path in one version, by default in any of the two."""
        self._listings = lru_cache(maxsize=None)(self._listings_in)

    def _role(self, path: str, version: Snapshot | None = None) -> PathRole:
        versions = (self.after, self.before) if version is None else (version,)
        roles = (self._role_of(name, v) for v in versions for name in v.names_of(path))
        # Of several names, the one with most meaning counts.
        return max(roles, key=lambda r: (r.is_learnings, r.folder is not None, r.may_be_memory))

    def _role_of(self, name: str, version: Snapshot) -> PathRole:
        above, _, inner = name.rpartition(f"/{ARCHIVE_FOLDER}/")
        folders = self._folder_of(name), self._folder_of(f"{above}/{inner}") if above else None
        real = [version.real(folder) if folder else None for folder in folders]
        if self._is_excluded(name):
            return PathRole(name, archived_from=real[1])
        is_learnings = any(is_learnings_path(name, settings) for settings in self._all_settings)
        is_learnings = is_learnings or (
            self._discovers and self._is_in_package(name, LEARNINGS_NAMES)
        )
        is_named = is_learnings and name.rpartition("/")[2] in LEARNINGS_NAMES
        if self._discovers and is_named and self._lists(name, version):
            return PathRole(name)
        is_learnings = is_learnings or (self._discovers and self._is_listed(name, version))
        is_place = self._discovers and is_memory_place(name)
        return PathRole(name, is_learnings, is_place, self._is_companion(name), *real)

    def _lists(self, name: str, version: Snapshot) -> tuple[str, ...]:
        """Return the files that an index in place of a learnings file lists in a version."""
        return self._listings(name.rpartition("/")[0], version).get(name, ())

    def _is_listed(self, name: str, version: Snapshot) -> bool:
        folder = name
        while folder and name.endswith(".md"):
            folder = folder.rpartition("/")[0]
            for index, files in self._listings(folder, version).items():
                if name in files and (
                    is_learnings_path(index, Settings())
                    or self._is_in_package(index, LEARNINGS_NAMES)
                ):
                    return True
        return False

    def _listings_in(self, folder: str, version: Snapshot) -> Mapping[str, tuple[str, ...]]:
        paths = [f"{folder}/{name}".lstrip("/") for name in LEARNINGS_NAMES]
        settings, found = self.workspace.settings, version.contents(paths)
        return {
            path: listed
            for path, data in found.items()
            if (listed := files_listed(path, data, settings, version.read))
        }

    def _folder_of(self, name: str) -> str | None:
        if self._is_excluded(name) or is_learnings_path(name, self.workspace.settings):
            return None
        # A folder of an older configuration may not exist on disk.
        files = [str(f.path) for settings in self._all_settings for f in settings.files]
        folder = memory_folder_of(name, files)
        return folder if folder in files or self._discovers else None

    def _is_companion(self, name: str) -> bool:
        folder, _, last = name.rpartition("/")
        if last != COMPANION_NAME or not self._discovers:
            return False
        return folder in LEARNINGS_FOLDERS or self._is_in_package(name, (COMPANION_NAME,))

    def is_kept(self, path: str) -> bool:
        """Return True for a possible learnings file, its archives and its index."""
        is_archive = path.rpartition("/")[0].rpartition("/")[2] == ARCHIVE_FOLDER
        names = {*self.before.names_of(path), *self.after.names_of(path)}
        is_index = not names.isdisjoint(self.workspace.settings.index)
        return is_archive or is_index or self.role(path).may_be_memory

    def base_file_settings(self, path: str) -> FileSettings:
        """Return the settings of a learnings file before the change."""
        name = self.role(path).name
        if self.base_settings is self.workspace.settings:
            return self.workspace.file_settings(name)
        files = (file for file in self.base_settings.files if str(file.path) == name)
        return next(files, self.base_settings.file)

    def _is_excluded(self, name: str) -> bool:
        """Return True for a file that was also excluded before, so the change hides nothing."""
        return all(exclusion(name, settings) is not None for settings in self._all_settings)

    def _is_in_package(self, name: str, names: tuple[str, ...]) -> bool:
        return any(
            f"{package}/{manifest}" in self._changed
            or is_file(self.workspace.root / package / manifest)
            for package in packages_around(name, names)
            for manifest in MANIFESTS
        )


def changes_memory(workspace: Workspace, changed: Collection[str]) -> bool:
    """Return True if a change of files with these names can lose something; reads no file."""
    return any(path.lower().endswith(".md") or is_memory_place(path) for path in changed) or bool(
        {*changed} & {*CONFIG_FILES, *(str(file.path) for file in workspace.settings.files)}
    )


class MemoryVersions:
    """The memory in a commit and in a snapshot, with the contents of changed files by path.

    Raises UntrustedHistory, UsageProblem and UnusableFile.
    """

    def __init__(self, workspace: Workspace, snapshot: Snapshot, commit: str) -> None:
        past, paths = snapshot.before(commit), snapshot.changed_paths(commit)
        self.changed = dict.fromkeys(paths)
        self.older, self.newer = past.contents(paths), snapshot.contents(paths)
        is_configured = any(name in self.changed for name in CONFIG_FILES)
        settings = settings_before(past) if is_configured else None
        self.paths = MemoryPaths(workspace, past, snapshot, self.changed, settings)
        self._documents = [
            path
            for path in paths
            if (role := self.paths.role(path)).is_learnings
            or role.name.lower().endswith(MEMORY_ENDINGS)
        ]
        self._files = [path for path in self._documents if self._is_memory(path)]
        self._unchanged = dict(self._unchanged_sources())
        self.before, self.after = self._before(), self._after()

    def _is_memory(self, path: str) -> bool:
        role = self.paths.role(path)
        if role.is_learnings or role.folder:
            return True
        if not role.may_be_memory:
            return False
        contents = (files[path] for files in (self.older, self.newer) if path in files)
        documents = [read(within_limits(data)) for data in contents]
        if role.is_place and any(holds_memory(role.name, document) for document in documents):
            return True
        stamped = any(d.entries and d.dialect.name == TIMESTAMPED for d in documents)
        return role.is_companion and stamped

    def _unchanged_sources(self) -> Iterator[tuple[str, Document]]:
        """Yield unchanged memory files beside changed archives, or in a folder that lost text."""
        beside = {path.rpartition("/")[0] for path in self._documents}
        beside = {path for path in beside if path.rpartition("/")[2] == ARCHIVE_FOLDER}
        lossy = filter(self._loses_lines, self._files)
        memories = {self.paths.role(path).folder for path in lossy} - {None}
        if not beside and not memories:
            return
        found = []
        for path in self.paths.after.paths():
            role = PathRole(path) if path in self._documents else self.paths.role(path)
            is_own = role.is_learnings or role.is_place or role.is_companion
            if role.folder in memories or (is_own and archive_folder(path) in beside):
                found.append(path)
        for path, data in self.paths.after.contents(found).items():
            yield path, self._read(path, data)

    def _loses_lines(self, path: str) -> bool:
        older, newer = self.older.get(path, b""), self.newer.get(path, b"")
        return not {*older.splitlines()} <= {*newer.splitlines()}

    def _before(self) -> MemoryVersion:
        learnings = self._learnings(self.older, self.paths.before, self._read_older)
        rest = {p: data for p in self._documents if (data := self.older.get(p))}
        archives = {p: d for p, d in rest.items() if p not in learnings and self._is_archive(p)}
        texts = {p: d for p, d in rest.items() if p not in learnings and p not in archives}
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def _after(self) -> MemoryVersion:
        version = self.paths.after
        learnings = self._learnings(self.newer, version, self._read)
        archives = self._archives()
        rest = {p: self.newer[p] for p in self._documents if p in self.newer}
        # Clones lack an untracked archive of another tool.
        rest = {p: d for p, d in rest.items() if not is_archive_like(p) or version.is_tracked(p)}
        texts = {p: d for p, d in rest.items() if p not in learnings and p not in archives}
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def _learnings(
        self,
        contents: Mapping[str, bytes],
        version: Snapshot,
        read_file: Callable[[str, bytes], Document],
    ) -> dict[str, Document]:
        # A link of the other version alone makes no memory of a file.
        files = (path for path in self._files if path in contents)
        own = (path for path in files if self.paths.role(path, version).may_be_memory)
        return {path: read_file(path, contents[path]) for path in own}

    def _is_archive(self, path: str) -> bool:
        """Return True for an archive of one of the learnings files."""
        folder, _, name = path.rpartition("/")
        files = (f for f in (*self._files, *self._unchanged) if archive_folder(f) == folder)
        return any(is_archive_name(name, file) for file in files)

    def _archives(self) -> dict[str, bytes]:
        folders = {archive_folder(path) for path in (*self._files, *self._unchanged)}
        listed = (path for folder in sorted(folders) for path in self.paths.after.paths(folder))
        archives = self.paths.after.contents(filter(self._is_archive, listed))
        for path, data in (archives | self.newer).items():
            folder = self.paths.role(path).archived_from
            if folder is not None:  # as the old entry, without front matter
                archives[path] = encode(FolderDocument(folder, [(path, data)]).text)
        return archives

    def _read_older(self, path: str, data: bytes) -> Document:
        folder = self.paths.role(path, self.paths.before).folder
        if folder is not None:
            return FolderDocument(folder, [(path, within_limits(data))])
        options = ReadOptions.of(self.paths.base_file_settings(path))
        document = read_older(within_limits(data), options, version=False)
        return document if document.entries else self._read_as_archived(path, document)

    def _read_as_archived(self, path: str, document: Document) -> Document:
        """Read a file without entries as its archived ones were: the last heading is no title."""
        older, folder = self.paths.before, archive_folder(path)
        names = [p for p in older.paths(folder) if is_archive_name(p.rpartition("/")[2], path)]
        for data in older.contents(names).values():
            entries = (entry_of(original.data, document) for original in originals_in(data))
            for level in {entry.level for entry in entries if entry}:
                dialect = Dialect(HEADING, level, "the level of its archived entries")
                if (alike := document.read_as(dialect)).entries:
                    return alike
        return document

    def _read(self, path: str, data: bytes) -> Document:
        excess = excess_of(data)
        if excess is not None:
            raise UnusableFile(f"{printable(path)} {excess}; split it or leave it out")
        role = self.paths.role(path, self.paths.after)
        if role.folder is not None:
            return FolderDocument(role.folder, [(path, data)])
        return read(data, ReadOptions.of(self.paths.workspace.file_settings(role.name)))

    def unchanged_texts(self) -> dict[str, bytes]:
        """Return the Markdown files that did not change, and archives of other tools."""
        version = self.paths.after
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
