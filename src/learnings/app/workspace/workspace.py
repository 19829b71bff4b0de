"""A repository as a command sees it: its root, its settings and the memory files in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.candidate import Candidate
from learnings.app.workspace.config_file import find_config
from learnings.app.workspace.disk import (
    Disk,
    existing_file,
    find_root,
    is_same_file,
    read_file,
    real_path,
)
from learnings.core.agents.model import may_be_agents
from learnings.core.default_file import DEFAULT_FILE
from learnings.core.entries.document import LARGEST_FILE, Document, read
from learnings.core.entries.missing_space import glued_headings
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.roles import (
    COMPANION_NAME,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LOADED_INDEXES,
    Role,
    role_of,
    target_patterns,
)
from learnings.core.settings.reader import settings_from
from learnings.core.settings.values import FileSettings, Settings, Source
from learnings.core.text import printable


class Workspace(NamedTuple):
    """The repository around the folder `start`, with what is configured for it.

    `config` is the configuration file in use, None where there is none. A path given to a method
    is absolute or relative to `root`.
    """

    root: Path
    start: Path
    settings: Settings
    config: Path | None

    @classmethod
    def open(cls, start: Path, *, overrides: Mapping[str, object] | None = None) -> Workspace:
        """The workspace of the folder `start`; `overrides` come from the command line.

        Their keys are those of the configuration file, None stands for what was not given, and
        their paths are relative to `start`. Raises BadSettings.
        """
        here = Path(os.path.abspath(start))  # noqa: PTH100  (links stay as the user wrote them)
        root = find_root(here)
        config = find_config(here, root)
        folder = here.relative_to(root).as_posix()
        settings = settings_from(
            config.table if config else {},
            source=config.source if config else Source("default"),
            overrides={key: value for key, value in (overrides or {}).items() if value is not None},
            command_line=Source("command line", "" if folder == "." else folder),
        )
        return cls(root, here, settings, config.path if config else None)

    def relative(self, path: Path | str) -> str | None:
        """The POSIX path from the root, None outside it; a link keeps its own name."""
        folder, name = os.path.split(os.path.normpath(self.root / path))
        as_written = _below(self.root, Path(folder, name))
        return as_written or _below(real_path(self.root), real_path(Path(folder)) / name)

    def file_settings(self, path: Path | str) -> FileSettings:
        """The settings of a learnings file: its own where it is configured, else those of all."""
        relative = self.relative(path)
        for file in self.settings.files:
            if relative == file.path or is_same_file(self.root / str(file.path), self.root / path):
                return file
        return self.settings.file

    def document(self, path: Path | str) -> Document:
        """The file, read as its settings say. Raises MissingFile."""
        settings = self.file_settings(path)
        return read(
            read_file(self.root / path, shown=str(path)),
            dialect=settings.dialect,
            entry_level=settings.entry_level,
            preamble_lines=settings.preamble_lines,
        )

    def role_of(self, path: Path | str) -> Role | None:
        """The role of a file; looks at its neighbours on disk where only they can tell."""
        relative = self.relative(path)
        if relative is None:
            return None
        folder, _, name = relative.rpartition("/")
        if name == COMPANION_NAME and folder in LEARNINGS_FOLDERS and not self.settings.files:
            found = self._discover(folder, Disk(self.root))
            if any(each.included and each.path == relative for each in found):
                return Role.LEARNINGS
        role = role_of(relative, self.settings)
        return role or (Role.AGENT if self._is_in_plugin(relative) else None)

    def _is_in_plugin(self, path: str) -> bool:
        from learnings.app.workspace.agent_files import home_around  # noqa: PLC0415  (most need it not)

        return may_be_agents(path) and home_around(self.root, path) is not None

    def learnings_files(self) -> tuple[Candidate, ...]:
        """The learnings files, configured or else discovered, and those that were skipped."""
        disk = Disk(self.root)
        if self.settings.files:
            return tuple(self._configured(file, disk) for file in self.settings.files)
        disk.gitignore.expect(
            f"{folder}/{name}".lstrip("/")
            for folder in LEARNINGS_FOLDERS
            for name in disk.names(folder).intersection((*LEARNINGS_NAMES, COMPANION_NAME))
        )
        found = [self._discover(folder, disk) for folder in LEARNINGS_FOLDERS]
        return tuple(each for folder in found for each in folder)

    def target_files(self) -> tuple[Candidate, ...]:
        """The target files on disk, and those that match a target but were skipped."""
        disk = Disk(self.root)
        learnings = {each.path for each in self.learnings_files() if each.included}
        for path in learnings:
            disk.first_name(path)
        patterns: dict[str, str] = {}
        for pattern in target_patterns(self.settings):
            paths = disk.files(pattern)
            unmatched = [] if paths or self.settings.targets is None else [pattern]
            for path in paths or unmatched:
                patterns.setdefault(path, pattern)
        disk.gitignore.expect(patterns)
        judged = {
            path: self._target(path, patterns[path], disk, is_taken=path in learnings)
            for path in disk.by_link(patterns)
        }
        return tuple(judged[path] for path in patterns)

    def index_files(self) -> tuple[Candidate, ...]:
        """The memory index, if it is there. Raises MissingFile where a configured one is not."""
        path, origin = self.settings.index, self.settings.origins.get("index")
        if origin:
            existing_file(self.root / path, shown=path)
        disk = Disk(self.root)
        folder, _, name = path.rpartition("/")
        if name not in disk.names(folder):
            return ()
        obstacle = disk.obstacle(path, named=origin is not None)
        obstacle = obstacle or (None if origin else disk.gitignore.reason(path))
        reason = f"configured ({origin})" if origin else "default"
        return (Candidate(path, obstacle or reason, included=obstacle is None),)

    def loaded_indexes(self) -> tuple[Candidate, ...]:
        """The indexes that a coding agent keeps for itself, where no other role is theirs."""
        disk = Disk(self.root)
        found = []
        for path in disk.by_link(disk.files(LOADED_INDEXES)):
            if path != self.settings.index and role_of(path, self.settings) is Role.INDEX:
                skipped = disk.obstacle(path) or disk.gitignore.reason(path)
                obstacle = skipped or disk.other_name(path)
                found.append(
                    Candidate(path, obstacle or "loaded by agents", included=obstacle is None)
                )
        return tuple(found)

    def the_file(self, argument: str | None, *, base: Path | None = None) -> Path:
        """The learnings file that a command for one file means.

        `argument` is its FILE, relative to `base` (None: to `start`). Without it the one configured
        file, else the one discovered, else agents/learnings.md. Raises UsageProblem where there are
        several and MissingFile, which calls the file as `argument` does, where there is none.
        """
        if argument == "":
            raise UsageProblem("FILE is empty; name a learnings file")
        if argument is not None:
            return existing_file((base or self.start) / argument, shown=argument)
        configured = [str(file.path) for file in self.settings.files]
        found = configured or [each.path for each in self.learnings_files() if each.included]
        if len(found) > 1:
            names = ", ".join(printable(path) for path in found)
            raise UsageProblem(f"there are several learnings files: {names}; name one of them")
        path = found[0] if found else DEFAULT_FILE
        return existing_file(self.root / path, shown=path)

    def _configured(self, file: FileSettings, disk: Disk) -> Candidate:
        path = str(file.path)
        obstacle = disk.obstacle(path, named=True) or disk.other_name(path)
        return Candidate(
            path, obstacle or f"configured ({file.origins['path']})", included=obstacle is None
        )

    def _discover(self, folder: str, disk: Disk) -> list[Candidate]:
        names = disk.names(folder)
        prefix = f"{folder}/" if folder else ""
        found: list[Candidate] = []
        stamped: str | None = None
        for path in disk.by_link([prefix + name for name in LEARNINGS_NAMES if name in names]):
            each, document = self._discovered(path, disk)
            found.append(each)
            if document is not None and document.dialect.name == "timestamped":
                stamped = stamped or path
        if COMPANION_NAME in names:
            found.append(self._companion(prefix + COMPANION_NAME, stamped, disk))
        return found

    def _companion(self, path: str, stamped: str | None, disk: Disk) -> Candidate:
        if stamped is None:
            return Candidate(path, "no timestamped learnings file beside it")
        found, _ = self._discovered(path, disk)
        return (
            Candidate(path, f"{found.reason}, beside {stamped}", included=True)
            if found.included
            else found
        )

    def _discovered(self, path: str, disk: Disk) -> tuple[Candidate, Document | None]:
        obstacle = disk.obstacle(path) or disk.gitignore.reason(path) or disk.other_name(path)
        if obstacle is not None:
            return Candidate(path, obstacle), None
        try:
            if (self.root / path).stat().st_size > LARGEST_FILE:
                return Candidate(path, "too large to look into; configure its path to use it"), None
            document = self.document(path)
        except (MissingFile, OSError) as error:
            return Candidate(path, str(error)), None
        if document.entries:
            return Candidate(path, "discovered", included=True), document
        if is_memory(document):
            return Candidate(
                path, "discovered, an open block or a slip in headings hides entries", included=True
            ), None
        return Candidate(path, f"no entry ({document.dialect.reason})"), None

    def _target(self, path: str, pattern: str, disk: Disk, *, is_taken: bool) -> Candidate:
        if is_taken or role_of(path, self.settings) is Role.LEARNINGS:
            return Candidate(path, "a learnings file")
        if role_of(path, self.settings) is Role.INDEX:
            return Candidate(path, "the memory index")
        origin = self.settings.origins.get("targets")
        obstacle = disk.obstacle(path, named=path == pattern)
        if origin is None or path != pattern:
            obstacle = obstacle or disk.gitignore.reason(path)
        obstacle = obstacle or disk.other_name(path)
        set_at = f"configured ({origin})" if origin else "default"
        return Candidate(path, obstacle or f"{set_at}: {pattern}", included=obstacle is None)


def is_memory(document: Document) -> bool:
    """Whether a file that is named like a memory is one: it holds an entry, or may hide some."""
    if document.entries:
        return True
    blocks = document.outline.hiding_blocks
    return any(not block.closed for block in blocks) or bool(glued_headings(document))


def _below(root: Path, path: Path) -> str | None:
    """The POSIX path from a root to what is below it, None where it is not."""
    inner = path.relative_to(root).as_posix() if path.is_relative_to(root) else "."
    return None if inner == "." else inner
