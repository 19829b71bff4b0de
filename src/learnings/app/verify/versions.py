"""The memory of a repository before and after a change, read from git as values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from learnings.consolidation.proof.losses import MemoryVersion
from learnings.core.entries.archives import archive_folder, is_archive_like, is_archive_name
from learnings.core.entries.dialects import TIMESTAMPED
from learnings.core.entries.document import (
    Document,
    ReadOptions,
    excess_of,
    read,
    read_older,
    within_limits,
)
from learnings.core.entries.memory_folder import FolderDocument
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
from learnings.history.git.snapshots import FileDelta, Snapshot
from learnings.workspace.config_file import SECTION, SHARED_FILE
from learnings.workspace.disk import is_file
from learnings.workspace.memories import holds_memory
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
            command_line = SettingsSource("command line", "")
            try:
                return settings_from(
                    table, source=SettingsSource("default"), overrides={}, command_line=command_line
                )
            except LearningsError:
                break
    return Settings()


class MemoryPaths:
    """The role of a path, on disk or in an older version, by the settings of both."""

    def __init__(
        self, workspace: Workspace, changed: Container[str], older: Settings | None = None
    ) -> None:
        self.workspace = workspace
        self.base_settings = older or workspace.settings
        """The settings before the change, so that a change cannot weaken its own proof."""
        self._changed = changed
        self._all_settings = [workspace.settings, *([older] if older else [])]

    def base_file_settings(self, path: str) -> FileSettings:
        """Return the settings of a learnings file before the change."""
        if self.base_settings is self.workspace.settings:
            return self.workspace.file_settings(path)
        files = (file for file in self.base_settings.files if str(file.path) == path)
        return next(files, self.base_settings.file)

    def is_learnings(self, path: str) -> bool:
        """Return True for a learnings file; DECISIONS.md may be one, see is_companion()."""
        if self._is_excluded(path):
            return False
        return any(is_learnings_path(path, settings) for settings in self._all_settings) or (
            self._discovers and self._is_in_package(path, LEARNINGS_NAMES)
        )

    def is_place(self, path: str) -> bool:
        """Return True for a file of a tool; it is a learnings file if it has entries."""
        return self._discovers and is_memory_place(path) and not self._is_excluded(path)

    def folder_of(self, path: str) -> str | None:
        """Return the memory folder of which the file is an entry, or None."""
        if self._is_excluded(path) or is_learnings_path(path, self.workspace.settings):
            return None
        # A folder of an older configuration may not exist on disk.
        files = [str(f.path) for settings in self._all_settings for f in settings.files]
        folder = memory_folder_of(path, files)
        return folder if folder in files or self._discovers else None

    def archive_of(self, path: str) -> str | None:
        """Return the memory folder whose archive contains the file, or None."""
        folder, _, name = path.rpartition(f"/{ARCHIVE_FOLDER}/")
        return self.folder_of(f"{folder}/{name}") if folder else None

    def is_companion(self, path: str) -> bool:
        """Return True for a DECISIONS.md that is a learnings file if it has time stamps."""
        folder, _, name = path.rpartition("/")
        if name != COMPANION_NAME or not self._discovers:
            return False
        if self._is_excluded(path):
            return False
        return folder in LEARNINGS_FOLDERS or self._is_in_package(path, (COMPANION_NAME,))

    def is_kept(self, path: str) -> bool:
        """Return True for a possible learnings file, its archives and its index."""
        is_listed = self.is_learnings(path) or self.is_place(path) or self.is_companion(path)
        is_listed = is_listed or self.folder_of(path) is not None
        is_archive = path.rpartition("/")[0].rpartition("/")[2] == ARCHIVE_FOLDER
        return is_listed or is_archive or path in self.workspace.settings.index

    def source_of(self, path: str, files: Sequence[str]) -> str | None:
        """Return the learnings file that an archive belongs to, or None."""
        folder, _, name = path.rpartition("/")
        above, slash, last = folder.rpartition("/")
        if last != ARCHIVE_FOLDER:
            return None
        inside = (f for f in files if f.rpartition("/")[0] == (above if slash else ""))
        return next((file for file in inside if is_archive_name(name, file)), None)

    def _is_excluded(self, path: str) -> bool:
        """Return True for a file that was also excluded before, so the change hides nothing."""
        return all(exclusion(path, settings) is not None for settings in self._all_settings)

    @cached_property
    def _discovers(self) -> bool:
        return any(not settings.files for settings in self._all_settings)

    def _is_in_package(self, path: str, names: tuple[str, ...]) -> bool:
        return any(
            f"{package}/{manifest}" in self._changed
            or is_file(self.workspace.root / package / manifest)
            for package in packages_around(path, names)
            for manifest in MANIFESTS
        )


class MemoryVersions(NamedTuple):
    """The memory before and after; contents has the old and new content of all changed files."""

    paths: MemoryPaths
    before: MemoryVersion
    after: MemoryVersion
    older: Mapping[str, bytes | None]
    newer: Mapping[str, bytes | None]


def changes_memory(workspace: Workspace, changed: list[str]) -> bool:
    """Return True if a change of these files can lose something; reads no file."""
    return any(path.lower().endswith(".md") or is_memory_place(path) for path in changed) or bool(
        {*changed} & {*CONFIG_FILES, *(str(file.path) for file in workspace.settings.files)}
    )


def read_versions(workspace: Workspace, snapshot: Snapshot, commit: str) -> MemoryVersions:
    """Read the differences from a commit. Raises UntrustedHistory, UsageProblem, UnusableFile."""
    deltas = [*snapshot.deltas(commit)]
    older = {delta.path: delta.before for delta in deltas}
    newer = {delta.path: delta.after for delta in deltas}
    past = None
    if any(name in older for name in CONFIG_FILES):
        contents = {n: older[n] if n in older else snapshot.read(n) for n in CONFIG_FILES}
        past = settings_before(contents)
    paths = MemoryPaths(workspace, older, past)
    reader = _VersionReader(paths, snapshot, deltas)
    return MemoryVersions(paths, reader.before(), reader.after(), older, newer)


class _VersionReader:
    def __init__(self, paths: MemoryPaths, snapshot: Snapshot, deltas: list[FileDelta]) -> None:
        self._paths = paths
        self._snapshot = snapshot
        self._deltas = [delta for delta in deltas if delta.path.lower().endswith(MEMORY_ENDINGS)]
        self._files = [delta.path for delta in deltas if self._is_learnings(delta)]
        self._unchanged = dict(self._unchanged_sources())

    def _is_learnings(self, delta: FileDelta) -> bool:
        path = delta.path
        if self._paths.is_learnings(path) or self._paths.folder_of(path):
            return True
        is_place, is_companion = self._paths.is_place(path), self._paths.is_companion(path)
        if not is_place and not is_companion:
            return False
        contents = [data for data in (delta.before, delta.after) if data is not None]
        documents = [read(within_limits(data)) for data in contents]
        if is_place and any(holds_memory(path, document) for document in documents):
            return True
        stamped = any(d.entries and d.dialect.name == TIMESTAMPED for d in documents)
        return is_companion and stamped

    def _unchanged_sources(self) -> Iterator[tuple[str, Document]]:
        """Yield the unchanged learnings files beside changed archives."""
        folders = {delta.path.rpartition("/")[0] for delta in self._deltas}
        changed = {delta.path for delta in self._deltas}
        has_archives = any(folder.rpartition("/")[2] == ARCHIVE_FOLDER for folder in folders)
        for path in self._snapshot.paths() if has_archives else ():
            is_one = self._paths.is_learnings(path) or self._paths.is_place(path)
            is_one = is_one or self._paths.is_companion(path)
            if is_one and path not in changed and archive_folder(path) in folders:
                data = self._snapshot.read(path)
                if data is not None:
                    yield path, self._newer(path, data)

    def _source(self, path: str) -> str | None:
        return self._paths.source_of(path, [*self._files, *self._unchanged])

    def before(self) -> MemoryVersion:
        files = {delta.path: delta.before for delta in self._deltas if delta.before is not None}
        learnings = {path: self._older(path, files[path]) for path in self._files if path in files}
        rest = {path: data for path, data in files.items() if data and path not in learnings}
        archives = {path: data for path, data in rest.items() if self._source(path)}
        texts = {path: data for path, data in rest.items() if path not in archives}
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def after(self) -> MemoryVersion:
        files = {delta.path: delta.after for delta in self._deltas if delta.after is not None}
        learnings = {path: self._newer(path, files[path]) for path in self._files if path in files}
        archives = self._archives()
        rest = {p: data for p, data in files.items() if p not in learnings and p not in archives}
        # Clones lack an untracked archive of another tool.
        is_tracked = self._snapshot.is_tracked
        texts = {p: data for p, data in rest.items() if not is_archive_like(p) or is_tracked(p)}
        return MemoryVersion(learnings | self._unchanged, archives, texts)

    def _archives(self) -> dict[str, bytes]:
        folders = {archive_folder(path) for path in (*self._files, *self._unchanged)}
        listed = [path for folder in sorted(folders) for path in self._snapshot.paths(folder)]
        contents = {path: self._snapshot.read(path) for path in listed if self._source(path)}
        contents |= {d.path: d.after for d in self._deltas if self._paths.archive_of(d.path)}
        archives = {path: data for path, data in contents.items() if data is not None}
        for path, data in archives.items():
            folder = self._paths.archive_of(path)
            if folder is not None:  # as the old entry, without front matter
                archives[path] = encode(FolderDocument(folder, [(path, data)]).text)
        return archives

    def _older(self, path: str, data: bytes) -> Document:
        folder = self._paths.folder_of(path)
        if folder is not None:
            return FolderDocument(folder, [(path, within_limits(data))])
        options = ReadOptions.of(self._paths.base_file_settings(path))
        return read_older(within_limits(data), options, version=False)

    def _newer(self, path: str, data: bytes) -> Document:
        excess = excess_of(data)
        if excess is not None:
            raise UnusableFile(f"{printable(path)} {excess}; split it or leave it out")
        folder = self._paths.folder_of(path)
        if folder is not None:
            return FolderDocument(folder, [(path, data)])
        return read(data, ReadOptions.of(self._paths.workspace.file_settings(path)))


def unchanged_texts(versions: MemoryVersions, snapshot: Snapshot) -> dict[str, bytes]:
    """Return the Markdown files that did not change, and archives of other tools."""
    unchanged = (path for path in snapshot.paths() if path not in versions.older)
    texts = {path for path in unchanged if path.lower().endswith(MEMORY_ENDINGS)}
    archives = [p for p in snapshot.paths() if is_archive_like(p) and snapshot.is_tracked(p)]
    contents = {path: snapshot.read(path) for path in sorted({*texts, *archives})}
    return {path: plain_text(path, data) for path, data in contents.items() if data is not None}


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
