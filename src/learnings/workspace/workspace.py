"""A repository from the view of a command: its root, settings and memory files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from learnings.core.file_names import (
    COMPANION_NAME,
    FOLDER_INDEXES,
    FOLDER_PLACES,
    LEARNINGS_NAMES,
    LOADED_NAME,
)
from learnings.core.roles import Role, is_memory_place, may_be_agents, role_of
from learnings.core.settings.setting_values import FileSettings, Settings, SettingsSource
from learnings.workspace.clock import Clock
from learnings.workspace.config_file import find_config
from learnings.workspace.disk import find_root, is_folder, is_same_file, read_document, real_path

if TYPE_CHECKING:
    from learnings.core.entries.document import Document
    from learnings.core.errors import LearningsError
    from learnings.workspace.config_file import ConfigFile
    from learnings.workspace.discovery import Candidate
    from learnings.workspace.git_files import TrackedNames


class Workspace:
    """The repository around the folder `start`, and its configuration.

    `user_folder` differs from `start` for another repository; `since` is the commit at which the
    change under check begins. Paths are absolute or relative to `root`. The configuration is read
    and files are found once, on first use; all uses of the settings raise BadSettings.
    """

    def __init__(
        self,
        root: Path,
        start: Path,
        *,
        options: Mapping[str, object] | None = None,
        since: str | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.root = root
        self.start = start
        self.user_folder = start
        self._options = options or {}
        self._since = since
        self.clock = clock or Clock()
        self.learnings_files = cache(self._learnings_files)
        self.memory_folders = cache(self._memory_folders)

    @classmethod
    def open(
        cls,
        start: Path,
        *,
        overrides: Mapping[str, object] | None = None,
        since: str | None = None,
        clock: Clock | None = None,
    ) -> Workspace:
        """Return the workspace of a folder; overrides (None: not given) are relative to it."""
        folder = Path(os.path.abspath(start))  # noqa: PTH100  (links stay as the user wrote them)
        options = {key: value for key, value in (overrides or {}).items() if value is not None}
        return cls(find_root(folder), folder, options=options, since=since, clock=clock)

    def at(
        self,
        folder: Path,
        *,
        overrides: Mapping[str, object] | None = None,
        since: str | None = None,
    ) -> Workspace:
        """Return a new workspace of another folder for the same user."""
        workspace = self.open(folder, overrides=overrides, since=since, clock=self.clock)
        workspace.user_folder = self.user_folder
        return workspace

    def afresh(self) -> Workspace:
        """Return a new workspace for files that have changed since this one was opened."""
        return self.at(self.start, overrides=self._options, since=self._since)

    def with_options(
        self, overrides: Mapping[str, object], *, since: str | None = None
    ) -> Workspace:
        """Return this workspace with command-line options, or itself if none is given."""
        if since is None and all(value is None for value in overrides.values()):
            return self
        return self.at(self.start, overrides=overrides, since=since)

    def around(self, path: Path | str) -> Workspace:
        """Return the workspace of the repository around a file of the user."""
        folder = real_path(self.start / path).parent
        if is_folder(folder) and find_root(folder) != find_root(real_path(self.start)):
            return self.at(folder, overrides=self._options, since=self._since)
        return self

    @cached_property
    def settings(self) -> Settings:
        """The settings in effect. Raises BadSettings."""
        inner = self.start.relative_to(self.root).as_posix()
        config, options = self._config, self._options
        if config is None and not options:
            return Settings()
        # Hooks start all day long, mostly without a configuration.
        from learnings.core.settings.reader import settings_from  # noqa: PLC0415  (where something is configured)

        return settings_from(
            config.table if config else {},
            source=config.source if config else SettingsSource("default"),
            overrides=options,
            command_line=SettingsSource("command line", "" if inner == "." else inner),
        )

    @property
    def config(self) -> Path | None:
        """The configuration file in use, or None. Raises BadSettings."""
        return self._config.path if self._config else None

    @cached_property
    def _config(self) -> ConfigFile | None:
        return find_config(self.start, self.root)

    @cached_property
    def base(self) -> str:
        """The commit to compare files without entries with: where HEAD left `since`, else HEAD."""
        if self._since is None:
            return "HEAD"
        from learnings.history.git.merges import merge_base  # noqa: PLC0415  (seldom needed)

        return merge_base(self.root, self._since) or "HEAD"

    def below(self, folder: Path) -> Workspace:
        """Return a folder with the same settings, as if it were the root."""
        workspace = Workspace(folder, folder, since=self._since, clock=self.clock)
        vars(workspace).update(settings=self.settings, _config=self._config)
        return workspace

    def relative(self, path: Path | str) -> str | None:
        """Return the POSIX path from the root, None outside it; a link keeps its own name."""
        folder, name = os.path.split(os.path.normpath(self.root / path))
        as_written = _below(self.root, Path(folder, name))
        return as_written or _below(real_path(self.root), real_path(Path(folder)) / name)

    def file_settings(self, path: Path | str) -> FileSettings:
        """Return the settings of a learnings file: its own if configured, else the general ones."""
        relative = self.relative(path)
        for file in self.settings.files:
            if relative == file.path or is_same_file(self.root / str(file.path), self.root / path):
                return file
        return self.settings.file

    def document(self, path: Path | str) -> Document:
        """Return the file, read by its settings. Raises MissingFile."""
        return read_document(self.root / path, self.file_settings(path), shown=str(path))

    def role_of(self, path: Path | str) -> Role | None:
        """Return the role of a file, looking at its neighbours on disk only if they decide it."""
        relative = self.relative(path)
        if relative is None:
            return None
        name = relative.rpartition("/")[2]
        if name == COMPANION_NAME:
            from learnings.workspace.learnings_files import is_companion  # noqa: PLC0415  (seldom needed)

            if is_companion(self.root, self.settings, relative, base=self.base):
                return Role.LEARNINGS
        if is_memory_place(relative):
            discovered = (file.path for file in self.learnings_files() if file.included)
            if relative in discovered:
                return Role.LEARNINGS
        if name in FOLDER_INDEXES and any(index.path == relative for index in self.link_indexes):
            return Role.INDEX
        role = role_of(relative, self.settings)
        may_be_ours = role in (None, Role.TARGET) and not self.settings.files
        if may_be_ours and name in LEARNINGS_NAMES:
            from learnings.workspace.git_files import is_in_package  # noqa: PLC0415  (seldom needed)

            if is_in_package(self.root, relative):
                return Role.LEARNINGS
        if role is None and may_be_agents(relative):
            from learnings.workspace.agent_files import home_around  # noqa: PLC0415  (seldom needed)

            role = Role.AGENT if home_around(self.root, relative) else None
        return role

    # A command that names its file does not import discovery.

    def _learnings_files(self) -> tuple[Candidate, ...]:
        """Return the learnings files, configured or else discovered, and the skipped ones."""
        from learnings.workspace.learnings_files import learnings_files  # noqa: PLC0415  (named files need no search)

        packages, memories = ((), ()) if self.settings.files else self.tracked[:2]
        return learnings_files(
            self.root, self.settings, packages=packages, memories=memories, base=self.base
        )

    def _memory_folders(self) -> tuple[Candidate, ...]:
        """Return the configured or, without a configuration, discovered memory folders."""
        configured = [str(file.path) for file in self.settings.files]
        places = configured or [place.partition("/*")[0] for place in FOLDER_PLACES]
        if not any(is_folder(self.root / place) for place in places):
            return ()
        from learnings.workspace.memory_folders import memory_folders  # noqa: PLC0415  (few repositories have one)

        return memory_folders(self.root, self.settings, self.learnings_files())

    def topic_files(self) -> tuple[Candidate, ...]:
        """Return the files of the memory folders that are entries."""
        if not self.memory_folders():
            return ()
        from learnings.workspace.memory_folders import topic_files  # noqa: PLC0415  (as above)

        taken = [file.path for file in self.learnings_files() if file.included]
        return topic_files(self.root, self.memory_folders(), taken)

    def problems(self) -> Iterator[LearningsError]:
        """Yield an error for each configured or discovered learnings file that cannot be used."""
        yield from filter(None, map(self.problem_of, self.learnings_files()))

    def problem_of(self, candidate: Candidate) -> LearningsError | None:
        """Return why a skipped learnings file stops a command, or None if it does not."""
        if candidate.included:
            return None
        from learnings.workspace.learnings_files import problem_with  # noqa: PLC0415  (most are included)

        return problem_with(self.root, self.settings, candidate)

    @cached_property
    def tracked(self) -> TrackedNames:
        """The tracked names: folders of packages, and files with memory names."""
        from learnings.workspace.git_files import tracked_names  # noqa: PLC0415  (named files need no search)

        return tracked_names(self.root)

    def skipped_files(self, role: Role = Role.LEARNINGS) -> tuple[Candidate, ...]:
        """Return files with the names of a role but not the role; raises as index_files()."""
        candidates: tuple[Candidate, ...] = ()
        if role is Role.LEARNINGS:
            from learnings.workspace.discovery import tracked_elsewhere  # noqa: PLC0415  (only to name what was skipped)

            judged = {candidate.path for candidate in self.learnings_files()}
            memories = [path for path in self.tracked.memories if path not in judged]
            elsewhere = tracked_elsewhere(self.root, self.settings, memories, self.role_of)
            others = (*self.learnings_files(), *elsewhere)
            candidates = tuple(f for f in others if self.role_of(f.path) is not Role.INDEX)
        if role is Role.TARGET:
            candidates = self.target_files()
        if role is Role.INDEX:
            candidates = (*self.index_files(), *self.loaded_indexes())
        return tuple(candidate for candidate in candidates if not candidate.included)

    def target_files(self) -> tuple[Candidate, ...]:
        """Return the target files on disk, and those that match a target but were skipped."""
        from learnings.workspace.discovery import target_files  # noqa: PLC0415  (named files need no search)

        instructions = self.tracked.instructions if self.settings.targets is None else ()
        return target_files(self.root, self.settings, self.learnings_files(), instructions)

    def index_files(self) -> tuple[Candidate, ...]:
        """Return the existing memory indexes. Raises MissingFile if a configured one is missing."""
        from learnings.workspace.discovery import index_files  # noqa: PLC0415  (as above)

        return index_files(self.root, self.settings)

    def block_files(self) -> tuple[Candidate, ...]:
        """Return the learnings files with an index block; raises as discovery.block_files()."""
        from learnings.workspace.discovery import block_files  # noqa: PLC0415  (as above)

        return block_files(self.root, self.settings, self.learnings_files())

    def loaded_indexes(self) -> tuple[Candidate, ...]:
        """Return the indexes that an agent keeps for itself, unless they have another role."""
        from learnings.workspace.discovery import loaded_indexes  # noqa: PLC0415  (as above)

        others = {file.path for file in self.learnings_files() if file.included}
        found = loaded_indexes(self.root, self.settings, self.tracked.packages)
        return tuple(index for index in found if index.path not in others)

    @cached_property
    def link_indexes(self) -> tuple[Candidate, ...]:
        """The link indexes that no agent loads: at the root, and in memory folders."""
        names = (
            file.path.rpartition("/")[2] for file in self.learnings_files() if not file.included
        )
        if not self.memory_folders() and LOADED_NAME not in names:
            return ()
        from learnings.workspace.memory_folders import link_indexes  # noqa: PLC0415  (as above)

        loaded = {index.path for index in (*self.index_files(), *self.loaded_indexes())}
        found = link_indexes(self.root, self.learnings_files(), self.memory_folders())
        return tuple(index for index in found if index.path not in loaded)


def _below(root: Path, path: Path) -> str | None:
    inner = path.relative_to(root).as_posix() if path.is_relative_to(root) else "."
    return None if inner == "." else inner
