"""Which paths of any version of a repository are learnings files, archives or other memory."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import cached_property

from learnings.app.workspace.workspace import Workspace
from learnings.core.entries.archives import FOLDER, is_archive_name
from learnings.core.file_names import COMPANION_NAME, LEARNINGS_FOLDERS, LEARNINGS_NAMES, MANIFESTS
from learnings.core.roles import exclusion, is_learnings_path, packages_around
from learnings.core.settings.values import Settings

MARKDOWN = (".md", ".mdc", ".mdx", ".markdown", ".txt")


class MemoryPaths:
    """What a path is, whether it is on disk or only in an older version.

    changed are the paths of the change that is looked at; older are the settings before it, where
    it changes them.
    """

    def __init__(
        self, workspace: Workspace, changed: Container[str], older: Settings | None = None
    ) -> None:
        self.workspace = workspace
        self._changed = changed
        self._all_settings = [workspace.settings, *([older] if older else [])]

    def is_learnings(self, path: str) -> bool:
        """Return True for a learnings file; DECISIONS.md may be one, see is_companion()."""
        if self._is_excluded(path):
            return False
        return any(is_learnings_path(path, settings) for settings in self._all_settings) or (
            self._discovers and self._is_in_package(path, LEARNINGS_NAMES)
        )

    def is_companion(self, path: str) -> bool:
        """Return True for DECISIONS.md where it is a learnings file if it has time stamps."""
        folder, _, name = path.rpartition("/")
        if name != COMPANION_NAME or not self._discovers:
            return False
        if self._is_excluded(path):
            return False
        return folder in LEARNINGS_FOLDERS or self._is_in_package(path, (COMPANION_NAME,))

    def is_kept(self, path: str) -> bool:
        """Return True for what may be a learnings file, and for its archives and index."""
        is_listed = self.is_learnings(path) or self.is_companion(path)
        is_archive = path.rpartition("/")[0].rpartition("/")[2] == FOLDER
        return is_listed or is_archive or path in self.workspace.settings.index

    def source_of(self, path: str, files: Sequence[str]) -> str | None:
        """Return the learnings file that an archive belongs to, None for what is no archive.

        files are the paths of all learnings files.
        """
        folder, _, name = path.rpartition("/")
        above, slash, last = folder.rpartition("/")
        if last != FOLDER:
            return None
        inside = (f for f in files if f.rpartition("/")[0] == (above if slash else ""))
        return next((file for file in inside if is_archive_name(name, file)), None)

    def is_markdown(self, path: str) -> bool:
        """Return True for a file that may hold entries which were moved there."""
        return path.lower().endswith(MARKDOWN)

    def _is_excluded(self, path: str) -> bool:
        """Return True for a file that was left out before, too: a change of that hides nothing."""
        return all(exclusion(path, settings) is not None for settings in self._all_settings)

    @cached_property
    def _discovers(self) -> bool:
        return any(not settings.files for settings in self._all_settings)

    def _is_in_package(self, path: str, names: tuple[str, ...]) -> bool:
        return any(
            f"{package}/{manifest}" in self._changed
            or (self.workspace.root / package / manifest).is_file()
            for package in packages_around(path, names)
            for manifest in MANIFESTS
        )
