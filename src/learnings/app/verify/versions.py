"""The memory of a repository before and after a change, read from git as values."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
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


def settings_before(contents: Mapping[str, bytes | None]) -> Settings:
    """Return the settings of older configuration files, or the defaults if they are unreadable."""
    import tomllib  # noqa: PLC0415  (where a configuration was changed)

    from learnings.core.settings.reader import settings_from  # noqa: PLC0415  (as above)

    for name in CONFIG_FILES:
        try:
            table: object = tomllib.loads((contents.get(name) or b"").decode("utf-8-sig"))
        except (ValueError, RecursionError):
            continue
        for key in SECTION if name == SHARED_FILE else ():
            table = table.get(key) if isinstance(table, dict) else None
        if contents.get(name) and isinstance(table, dict):
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
        folder, _, base = name.rpartition("/")
        may_list = self._discovers and is_learnings and base in LEARNINGS_NAMES
        if may_list and name in self._listings(folder, version):
            return PathRole(name)  # an index in place of a learnings file
        is_learnings = is_learnings or (self._discovers and self._is_listed(name, version))
        is_place = self._discovers and is_memory_place(name)
        return PathRole(name, is_learnings, is_place, self._is_companion(name), *real)

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
        """Return the indexes in place of learnings files in a folder, with the files they list."""
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


class MemoryVersions(NamedTuple):
    """The memory before and after; contents has the old and new content of all changed files."""

    paths: MemoryPaths
    before: MemoryVersion
    after: MemoryVersion
    older: Mapping[str, bytes | None]
    newer: Mapping[str, bytes | None]


def changes_memory(workspace: Workspace, changed: Collection[str]) -> bool:
    """Return True if a change of files with these names can lose something; reads no file."""
    return any(path.lower().endswith(".md") or is_memory_place(path) for path in changed) or bool(
        {*changed} & {*CONFIG_FILES, *(str(file.path) for file in workspace.settings.files)}
    )


def read_versions(workspace: Workspace, snapshot: Snapshot, commit: str) -> MemoryVersions:
    """Read the differences from a commit. Raises UntrustedHistory, UsageProblem, UnusableFile."""
    changed = snapshot.changed_paths(commit)
    older = dict.fromkeys(changed) | snapshot.before(commit).contents(changed)
    newer = dict.fromkeys(changed) | snapshot.contents(changed)
    past = None
    if any(name in older for name in CONFIG_FILES):
        contents = {n: older[n] if n in older else snapshot.read(n) for n in CONFIG_FILES}
        past = settings_before(contents)
    paths = MemoryPaths(workspace, snapshot.before(commit), snapshot, older, past)
    reader = _VersionReader(paths, older, newer)
    return MemoryVersions(paths, reader.before(), reader.after(), older, newer)


_Contents = Mapping[str, bytes | None]


class _VersionReader:
    def __init__(self, paths: MemoryPaths, older: _Contents, newer: _Contents) -> None:
        self._paths = paths
        self._snapshot = paths.after
        roles = {path: paths.role(path) for path in older}
        self._changed = [
            path
            for path, role in roles.items()
            if role.is_learnings or role.name.lower().endswith(MEMORY_ENDINGS)
        ]
        self._older = {path: data for path in self._changed if (data := older[path]) is not None}
        self._newer = {path: data for path in self._changed if (data := newer[path]) is not None}
        self._files = [path for path in self._changed if self._is_memory(path)]
        self._unchanged = dict(self._unchanged_sources())

    def _is_memory(self, path: str) -> bool:
        role = self._paths.role(path)
        if role.is_learnings or role.folder:
            return True
        if not role.may_be_memory:
            return False
        contents = [files[path] for files in (self._older, self._newer) if path in files]
        documents = [read(within_limits(data)) for data in contents]
        if role.is_place and any(holds_memory(role.name, document) for document in documents):
            return True
        stamped = any(d.entries and d.dialect.name == TIMESTAMPED for d in documents)
        return role.is_companion and stamped

    def _unchanged_sources(self) -> Iterator[tuple[str, Document]]:
        """Yield unchanged memory files beside changed archives, or in a folder that lost text."""
        beside = {path.rpartition("/")[0] for path in self._changed}
        beside = {path for path in beside if path.rpartition("/")[2] == ARCHIVE_FOLDER}
        lossy = filter(self._loses_lines, self._files)
        memories = {self._paths.role(path).folder for path in lossy} - {None}
        if not beside and not memories:
            return
        found = []
        for path in self._snapshot.paths():
            role = self._paths.role(path) if path not in self._changed else PathRole(path)
            is_own = role.is_learnings or role.is_place or role.is_companion
            if role.folder in memories or (is_own and archive_folder(path) in beside):
                found.append(path)
        for path, data in self._snapshot.contents(found).items():
            yield path, self._read(path, data)

    def _loses_lines(self, path: str) -> bool:
        older, newer = self._older.get(path, b""), self._newer.get(path, b"")
        return not {*older.splitlines()} <= {*newer.splitlines()}

    def _is_archive(self, path: str) -> bool:
        """Return True for an archive of one of the learnings files."""
        folder, _, name = path.rpartition("/")
        files = (f for f in (*self._files, *self._unchanged) if archive_folder(f) == folder)
        return any(is_archive_name(name, file) for file in files)

    def before(self) -> MemoryVersion:
        older = self._paths.before
        # A link of the other version alone makes no memory of a file.
        own = [
            p for p in self._files if p in self._older and self._paths.role(p, older).may_be_memory
        ]
        learnings = {path: self._read_older(path, self._older[path]) for path in own}
        rest = {path: data for path, data in self._older.items() if data and path not in learnings}
        archives = {path: data for path, data in rest.items() if self._is_archive(path)}
        texts = {path: data for path, data in rest.items() if path not in archives}
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def after(self) -> MemoryVersion:
        files, newer = self._newer, self._snapshot
        own = [p for p in self._files if p in files and self._paths.role(p, newer).may_be_memory]
        learnings = {path: self._read(path, files[path]) for path in own}
        archives = self._archives()
        rest = {p: data for p, data in files.items() if p not in learnings and p not in archives}
        # Clones lack an untracked archive of another tool.
        texts = {p: d for p, d in rest.items() if not is_archive_like(p) or newer.is_tracked(p)}
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def _archives(self) -> dict[str, bytes]:
        folders = {archive_folder(path) for path in (*self._files, *self._unchanged)}
        listed = [path for folder in sorted(folders) for path in self._snapshot.paths(folder)]
        archives = self._snapshot.contents(filter(self._is_archive, listed))
        archives |= {p: d for p, d in self._newer.items() if self._paths.role(p).archived_from}
        for path, data in archives.items():
            folder = self._paths.role(path).archived_from
            if folder is not None:  # as the old entry, without front matter
                archives[path] = encode(FolderDocument(folder, [(path, data)]).text)
        return archives

    def _read_older(self, path: str, data: bytes) -> Document:
        folder = self._paths.role(path, self._paths.before).folder
        if folder is not None:
            return FolderDocument(folder, [(path, within_limits(data))])
        options = ReadOptions.of(self._paths.base_file_settings(path))
        document = read_older(within_limits(data), options, version=False)
        return document if document.entries else self._read_as_archived(path, document)

    def _read_as_archived(self, path: str, document: Document) -> Document:
        """Read a file without entries as its archived ones were: the last heading is no title."""
        older = self._paths.before
        names = [
            name
            for name in older.paths(archive_folder(path))
            if is_archive_name(name.rpartition("/")[2], path)
        ]
        for data in older.contents(names).values():
            entries = (entry_of(original.data, document) for original in originals_in(data))
            for level in {entry.level for entry in entries if entry}:
                alike = document.read_as(
                    Dialect(HEADING, level, "the level of its archived entries")
                )
                if alike.entries:
                    return alike
        return document

    def _read(self, path: str, data: bytes) -> Document:
        excess = excess_of(data)
        if excess is not None:
            raise UnusableFile(f"{printable(path)} {excess}; split it or leave it out")
        role = self._paths.role(path, self._snapshot)
        if role.folder is not None:
            return FolderDocument(role.folder, [(path, data)])
        return read(data, ReadOptions.of(self._paths.workspace.file_settings(role.name)))


def unchanged_texts(versions: MemoryVersions, snapshot: Snapshot) -> dict[str, bytes]:
    """Return the Markdown files that did not change, and archives of other tools."""
    contents = snapshot.contents(
        path
        for path in sorted(snapshot.paths())
        if (path not in versions.older and path.lower().endswith(MEMORY_ENDINGS))
        or (is_archive_like(path) and snapshot.is_tracked(path))
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
