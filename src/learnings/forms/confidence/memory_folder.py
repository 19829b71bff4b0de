"""The places of the files of a confidence memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.confidence.documents.entries import ANTI_PATTERNS, PRINCIPLES, PROCEDURES
from learnings.core.errors import UsageProblem
from learnings.core.settings.setting_values import ConfidenceOptions
from learnings.core.text import printable
from learnings.workspace.disk import is_folder
from learnings.workspace.workspace import Workspace

FILE_NAMES = {
    PRINCIPLES: "principles.yml",
    ANTI_PATTERNS: "anti-patterns.yml",
    PROCEDURES: "procedures.yml",
}
"""The memory files by the key of the list in each, in writing order."""
APPLIED_NAME = ".learnings-applied.yml"
OBSERVATIONS_NAME = ".observations.yml"
HANDOFF_NAME = "handoff.yml"
_STORIES, _WORKFLOWS, _INCIDENTS = "stories", "observations", "incidents"


class ObservationsSource(NamedTuple):
    """An observations file: its path from the root, the name of its story, incident or workflow.

    handoff is the path of the handoff file beside it, None except for stories.
    """

    path: str
    id: str
    is_incident: bool = False
    handoff: str | None = None

    @property
    def has_briefing(self) -> bool:
        """True for stories and incidents: their agents got entries that they can check."""
        return self.path.endswith(f"/{OBSERVATIONS_NAME}")


class ConfidenceFolder(NamedTuple):
    """The folder of a confidence memory: POSIX path from the root, and its configuration."""

    root: Path
    path: str
    options: ConfidenceOptions

    @property
    def exists(self) -> bool:
        """True if the folder exists."""
        return is_folder(self.root / self.path)

    @property
    def settings_file(self) -> str:
        """The path of the file with the numbers."""
        return f"{self.path}/settings.yml"

    @property
    def applied_file(self) -> str:
        """The path of the file with the applied observations."""
        return f"{self.path}/memory/{APPLIED_NAME}"

    def entry_file(self, key: str) -> str:
        """Return the path of the memory file whose list has a key."""
        return f"{self.path}/memory/{FILE_NAMES[key]}"

    def sources(self) -> list[ObservationsSource]:
        """Return all existing observations files by path."""
        paths = [
            f"{self.path}/{folder}/{name}/{OBSERVATIONS_NAME}"
            for folder in (_STORIES, _INCIDENTS)
            for name in self._names(folder)
        ]
        paths = [path for path in paths if os.path.lexists(self.root / path)]
        paths += [
            f"{self.path}/{_WORKFLOWS}/{name}"
            for name in self._names(_WORKFLOWS)
            if name.endswith(".yml")
        ]
        return [self.source_at(path) for path in sorted(paths)]

    def files(self) -> tuple[str, ...]:
        """Return the existing files of entries and observations by path."""
        entries = [self.entry_file(key) for key in FILE_NAMES]
        is_there = [path for path in entries if os.path.lexists(self.root / path)]
        return tuple(sorted([*is_there, *(source.path for source in self.sources())]))

    def _names(self, folder: str) -> list[str]:
        try:
            return [entry.name for entry in os.scandir(self.root / self.path / folder)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            reason = error.strerror or "unknown reason"
            raise UsageProblem(
                f"{printable(self.path)}/{folder} cannot be read ({reason}); fix this"
            ) from None

    def source_at(self, path: str) -> ObservationsSource:
        """Return the observations file at a path, existing or not."""
        parent, _, name = path.rpartition("/")
        inner = path.removeprefix(f"{self.path}/")
        is_incident = inner.startswith(f"{_INCIDENTS}/")
        if name != OBSERVATIONS_NAME:
            return ObservationsSource(path, name.removesuffix(".yml"), is_incident)
        handoff = f"{parent}/{HANDOFF_NAME}" if inner.startswith(f"{_STORIES}/") else None
        return ObservationsSource(path, parent.rpartition("/")[2], is_incident, handoff)


def memory_folder_of(workspace: Workspace) -> ConfidenceFolder:
    """Return the configured folder of a workspace."""
    options = workspace.settings.confidence
    return ConfidenceFolder(workspace.root, options.path, options)
