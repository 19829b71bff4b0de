"""A repository from the view of a command: its root, settings and memory files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from learnings.core.errors import LearningsError
from learnings.core.file_names import COMPANION_NAME, FOLDER_INDEXES, LEARNINGS_NAMES
from learnings.core.roles import Role, is_memory_place, may_be_agents, role_of
from learnings.core.settings.setting_values import FileSettings, Settings, SettingsSource
from learnings.workspace.clock import Clock
from learnings.workspace.config_file import find_config
from learnings.workspace.disk import (
    find_root,
    is_folder,
    is_same_file,
    real_path,
)

# Names of files that may be indexes of links beside configured files.
_INDEX_NAMES = (*FOLDER_INDEXES, *LEARNINGS_NAMES)

if TYPE_CHECKING:
    from learnings.workspace.config_file import ConfigFile
    from learnings.workspace.discovery import Discovery
    from learnings.workspace.places import Places
    from learnings.workspace.tree import Tree


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
        config, options = self.config, self._options
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

    @cached_property
    def config(self) -> ConfigFile | None:
        """The configuration file in use, or None. Raises BadSettings."""
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
        vars(workspace).update(settings=self.settings, config=self.config)
        return workspace

    def relative(self, path: Path | str) -> str | None:
        """Return the POSIX path from the root, None outside it; a link keeps its own name."""
        root, full = self.root, Path(os.path.normpath(self.root / path))
        if not full.is_relative_to(root):
            root, full = real_path(root), real_path(full.parent) / full.name
        is_below = full != root and full.is_relative_to(root)
        return full.relative_to(root).as_posix() if is_below else None

    def on_disk(self, path: Path) -> Path:
        """Return where an absolute path leads by the links that git wrote as text."""
        relative = self.relative(path)
        return path if relative is None else self.tree.full(relative)

    def file_settings(self, path: Path | str) -> FileSettings:
        """Return the settings of a learnings file: its own if configured, else the general ones."""
        relative = self.relative(path)
        for file in self.settings.files:
            if relative == file.path or is_same_file(self.root / str(file.path), self.root / path):
                return file
        return self.settings.file

    def role_of(self, path: Path | str) -> Role | None:
        """Return the role of a file, looking at its neighbours on disk only if they decide it."""
        relative = self.relative(path)
        if relative is None:
            return None
        name = relative.rpartition("/")[2]
        by_content = name == COMPANION_NAME or is_memory_place(relative)
        if by_content and relative in self.found.learnings_paths:
            return Role.LEARNINGS
        may_list = name in (FOLDER_INDEXES if not self.settings.files else _INDEX_NAMES)
        if may_list and relative in {file.path for file in self.found.link_indexes}:
            return Role.INDEX
        role = role_of(relative, self.settings)
        if role not in (Role.INDEX, Role.AGENT) and not self.settings.files:
            is_ours = role is Role.LEARNINGS or self.places.is_in_package(relative)
            if is_ours and name in LEARNINGS_NAMES:
                return Role.INDEX if self.places.listed(relative) else Role.LEARNINGS
            if role is None and self.places.index_listing(relative):
                return Role.LEARNINGS
        if role is None and may_be_agents(relative):
            from learnings.workspace.agent_files import home_around  # noqa: PLC0415  (seldom needed)

            role = Role.AGENT if home_around(self.root, relative) else None
        return role

    @cached_property
    def tree(self) -> Tree:
        """The files on disk below the root."""
        from learnings.workspace.tree import Tree  # noqa: PLC0415  (named files need no search)

        return Tree(self.root)

    @cached_property
    def places(self) -> Places:
        """What files on disk may be by their paths; faster than all that is found."""
        from learnings.workspace.places import Places  # noqa: PLC0415  (as above)

        return Places(self.tree.content, self.settings)

    @cached_property
    def found(self) -> Discovery:
        """The files by role, configured or discovered, and the skipped ones."""
        from learnings.workspace.discovery import Discovery  # noqa: PLC0415  (as above)

        return Discovery(self.tree, self.places, base=lambda: self.base)

    def problems(self) -> Iterator[LearningsError]:
        """Yield an error for each configured or discovered learnings file that cannot be used."""
        yield from filter(None, map(self.found.problem_of, self.found.learnings))
