"""The memory of a repository before and after a change, read from git as values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.app.verify.memory_paths import MemoryPaths
from learnings.app.verify.older_settings import CONFIG_FILES, settings_before
from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.proof.model import Version
from learnings.core.entries.archives import folder_of
from learnings.core.entries.dialects import TIMESTAMPED
from learnings.core.entries.document import (
    Document,
    ReadOptions,
    excess_of,
    read,
    read_older,
    within_limits,
)
from learnings.core.errors import UnusableFile
from learnings.core.roles import matches, target_patterns
from learnings.core.text import printable
from learnings.history.git.snapshots import FileDelta, Snapshot


class Versions(NamedTuple):
    """The memory before and after; contents are all changed files as they were and as they are."""

    paths: MemoryPaths
    before: Version
    after: Version
    older: Mapping[str, bytes | None]
    newer: Mapping[str, bytes | None]


def changes_memory(workspace: Workspace, changed: list[str]) -> bool:
    """Return True if a change of these files can lose something; no file is read for it.

    Without learnings file, archive, index or configuration among them nothing leaves the memory
    but headings of target files, to which the rows of an index lead.
    """
    return any(path.lower().endswith(".md") for path in changed) or bool(
        {*changed} & {*CONFIG_FILES, *(str(file.path) for file in workspace.settings.files)}
    )


def read_versions(workspace: Workspace, snapshot: Snapshot, commit: str) -> Versions:
    """Read what differs between a commit and a snapshot, and the archives of the snapshot.

    Raises UntrustedHistory, UsageProblem, and UnusableFile for a file that is too large now.
    """
    deltas = [*snapshot.deltas(commit)]
    older = {delta.path: delta.before for delta in deltas}
    newer = {delta.path: delta.after for delta in deltas}
    is_reconfigured = any(name in older for name in CONFIG_FILES)
    paths = MemoryPaths(workspace, older, settings_before(older) if is_reconfigured else None)
    reader = _Reader(paths, snapshot, deltas)
    return Versions(paths, reader.before(), reader.after(), older, newer)


class _Reader:
    """Sorts changed files by what they are."""

    def __init__(self, paths: MemoryPaths, snapshot: Snapshot, deltas: list[FileDelta]) -> None:
        self._paths = paths
        self._snapshot = snapshot
        self._deltas = [delta for delta in deltas if paths.is_markdown(delta.path)]
        self._files = [delta.path for delta in deltas if self._is_learnings(delta)]
        self._sources = self._unchanged_sources()

    def _is_learnings(self, delta: FileDelta) -> bool:
        path = delta.path
        if self._paths.is_learnings(path):
            return True
        versions = (data for data in (delta.before, delta.after) if data is not None)
        return self._paths.is_companion(path) and any(map(_is_stamped, versions))

    def _unchanged_sources(self) -> dict[str, bytes]:
        """Return the learnings files beside changed archives that did not change themselves."""
        folders = {delta.path.rpartition("/")[0] for delta in self._deltas}
        changed = {delta.path for delta in self._deltas}
        sources = {}
        for path in self._snapshot.paths() if self._has_archives(folders) else ():
            is_one = self._paths.is_learnings(path) or self._paths.is_companion(path)
            if is_one and path not in changed and folder_of(path) in folders:
                data = self._snapshot.read(path)
                if data is not None:
                    sources[path] = data
        return sources

    def _has_archives(self, folders: set[str]) -> bool:
        return any(folder.rpartition("/")[2] == folder_of("") for folder in folders)

    def _source(self, path: str) -> str | None:
        return self._paths.source_of(path, [*self._files, *self._sources])

    def before(self) -> Version:
        learnings = {
            delta.path: self._older(delta.path, delta.before)
            for delta in self._deltas
            if delta.path in self._files and delta.before is not None
        }
        unchanged = {path: self._newer(path, data) for path, data in self._sources.items()}
        rest = [d for d in self._deltas if d.path not in self._files and d.before is not None]
        archives = {d.path: d.before for d in rest if d.before and self._source(d.path)}
        texts = {d.path: d.before for d in rest if d.before and d.path not in archives}
        return Version(learnings | unchanged, archives, texts)

    def after(self) -> Version:
        learnings = {
            delta.path: self._newer(delta.path, delta.after)
            for delta in self._deltas
            if delta.path in self._files and delta.after is not None
        }
        unchanged = {path: self._newer(path, data) for path, data in self._sources.items()}
        archives = self._archives()
        rest = [d for d in self._deltas if d.path not in self._files and d.path not in archives]
        texts = {d.path: d.after for d in rest if d.after is not None}
        return Version(learnings | unchanged, archives, texts)

    def _archives(self) -> dict[str, bytes]:
        """Return all archives of the learnings files that changed, whether these changed or not."""
        folders = {folder_of(path) for path in (*self._files, *self._sources)}
        listed = [path for folder in sorted(folders) for path in self._snapshot.paths(folder)]
        contents = {path: self._snapshot.read(path) for path in listed if self._source(path)}
        return {path: data for path, data in contents.items() if data is not None}

    def _older(self, path: str, data: bytes) -> Document:
        return read_older(within_limits(data), self._options(path))

    def _newer(self, path: str, data: bytes) -> Document:
        excess = excess_of(data)
        if excess is not None:
            raise UnusableFile(f"{printable(path)} {excess}; split it or leave it out")
        return read(data, self._options(path))

    def _options(self, path: str) -> ReadOptions:
        return ReadOptions.of(self._paths.workspace.file_settings(path))


def unchanged_memory(versions: Versions, snapshot: Snapshot) -> dict[str, bytes]:
    """Return the learnings and target files that a change left as they were."""
    paths = versions.paths
    patterns = target_patterns(paths.workspace.settings)
    contents = {
        path: snapshot.read(path)
        for path in snapshot.paths()
        if path not in versions.older
        and (paths.is_learnings(path) or any(matches(path, pattern) for pattern in patterns))
    }
    return {path: data for path, data in contents.items() if data is not None}


def _is_stamped(data: bytes) -> bool:
    document = read(within_limits(data))
    return bool(document.entries) and document.dialect.name == TIMESTAMPED
