"""The learnings files that a command works on, each with its settings and history."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.errors import (
    LearningsError,
    MissingFile,
    UntrustedHistory,
    UnusableFile,
    UsageProblem,
)
from learnings.core.file_names import ARCHIVE_FOLDER, home_of_folder
from learnings.core.progress import step
from learnings.core.roles import memory_folder_of
from learnings.core.settings.setting_values import FileSettings
from learnings.core.text import printable
from learnings.workspace.clock import parse_date
from learnings.workspace.disk import exists, is_folder, is_local_memory, named_file, read_file
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.due.ages import AgeReport
    from learnings.core.due.verdicts import Verdict
    from learnings.core.entries.memory_folder import FolderDocument
    from learnings.history.file_history import FileHistory, HistoryQuery


class HistoryOptions(NamedTuple):
    """The options of a command for reading history.

    as_of is a date as typed, None for now; at is a commit to read instead of the working tree and
    HEAD. may_allow_shallow: the command has that option. thresholds are settings by key.
    """

    as_of: str | None = None
    at: str | None = None
    allow_shallow: bool = False
    may_allow_shallow: bool = True
    thresholds: Mapping[str, object] = {}


LOCAL = "not in a git repository: dates come from the text or the file times and trigger nothing"
NO_ACTIVE_DAYS = "no active days outside a repository"

NO_OPTIONS = HistoryOptions(may_allow_shallow=False)
"""For commands without history options."""


class MemoryFile:
    """A learnings file at an absolute path. Raises BadSettings and UsageProblem.

    `found` is the path as it was named or discovered, which messages show; `path` is the file at
    the end of its links, and `place` the same from the root, for git, archives and writing.
    """

    def __init__(
        self, workspace: Workspace, path: Path, options: HistoryOptions = NO_OPTIONS
    ) -> None:
        self.workspace = workspace
        self.found = path
        inner = workspace.relative(path)
        place = None if inner is None else workspace.tree.real(inner)
        self.path = path if place is None else workspace.root / place
        self.place = place or os.path.relpath(path, workspace.root)
        self._options = options
        self._opened: FileHistory | None = None

    @cached_property
    def name(self) -> str:
        """The path as shown: from the root, in UTF-8 for any locale."""
        path = self.workspace.relative(self.found) or self.found
        return os.fsencode(path).decode("utf-8", "surrogateescape")

    @property
    def home(self) -> str:
        """The path that determines the places of its archives and decisions."""
        return self.place

    @cached_property
    def settings(self) -> FileSettings:
        """The settings of this file."""
        return self.workspace.file_settings(self.found)

    @cached_property
    def document(self) -> Document:
        """The text in the working tree as entries. Raises MissingFile and UnusableFile."""
        return read(read_file(self.path, shown=self.name), ReadOptions.of(self.settings))

    @cached_property
    def query(self) -> HistoryQuery:
        """The query for its history."""
        from learnings.history.file_history import HistoryQuery  # noqa: PLC0415  (a check reads no history)

        workspace, options = self.workspace, self._options
        return HistoryQuery(
            file=self.path,
            user_folder=workspace.user_folder,
            tomorrow=workspace.clock.tomorrow(),
            as_of=None if options.as_of is None else parse_date(options.as_of),
            at=options.at,
            read_options=ReadOptions.of(self.settings),
            min_removed=self.settings.consolidation_min_removed,
            ignore_revs_file=workspace.settings.ignore_revs_file,
            ignore_authors=workspace.settings.ignore_authors,
            allow_shallow=options.allow_shallow,
            may_allow_shallow=options.may_allow_shallow,
            today=workspace.clock.today(),
        )

    def history(self) -> AbstractContextManager[FileHistory]:
        """Open the history, unless it is open; raises what open_history() raises."""
        if self._opened:
            return nullcontext(self._opened)
        from learnings.history.file_history import open_history  # noqa: PLC0415  (as above)

        step(f"reading the history of {self.name}")
        return open_history(self.query)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Keep the history open for many questions; without a trusted one, each of them raises."""
        with ExitStack() as stack:
            with suppress(LearningsError):
                self._opened = stack.enter_context(self.history())
                stack.callback(setattr, self, "_opened", None)
            yield

    def ages(self) -> AgeReport:
        """Return the ages of the entries; raises UntrustedHistory or MissingFile."""
        with self.history() as history:
            return self._report(history)

    def verdict(self) -> Verdict:
        """Return the verdict; raises UntrustedHistory or MissingFile."""
        from learnings.core.due import verdicts  # noqa: PLC0415  (ages alone need no verdict)
        from learnings.history.cached_history import versions_since  # noqa: PLC0415  (as above)

        with self.history() as history:
            report = self._report(history)
            since, is_triggered = verdicts.past_needed(report)
            versions = versions_since(history, since) if since else ()
            left: Sequence[verdicts.Departure] = ()
            if is_triggered:
                from learnings.history.origins import departures  # noqa: PLC0415  (where it counts)

                left = departures(history)
        return verdicts.judge(report, versions, left)

    def _report(self, history: FileHistory) -> AgeReport:
        from learnings.core.due import ages  # noqa: PLC0415  (as above)
        from learnings.history.cached_history import (  # noqa: PLC0415  (as above)
            decisions_about,
            read_history,
        )

        document, facts = read_history(history)
        decisions, notes = decisions_about(history)
        facts = facts._replace(notes=(*facts.notes, *notes)) if notes else facts
        return ages.report(
            document, facts, file=self.name, settings=self.settings, decisions=decisions
        )


class MemoryFolder(MemoryFile):
    """A folder in which each file is an entry; it answers like a learnings file."""

    @property
    def home(self) -> str:
        """A path in the folder: see home_of_folder()."""
        return home_of_folder(self.place)

    @cached_property
    def document(self) -> FolderDocument:
        """The files as entries. Raises MissingFile if there are none."""
        return self.workspace.found.read_folder(self.place)

    def history(self) -> AbstractContextManager[FileHistory]:
        """Raise UntrustedHistory: the files have no common versions."""
        raise UntrustedHistory(f"{printable(self.name)} is a folder; name a learnings file")

    def ages(self) -> AgeReport:
        """Return the ages of the files; raises UntrustedHistory or MissingFile."""
        from learnings.core.due import ages  # noqa: PLC0415  (as above)
        from learnings.history.cached_history import decisions_about_folder  # noqa: PLC0415  (as above)
        from learnings.history.folder_history import folder_history  # noqa: PLC0415  (few repositories have one)

        if self._options.at is not None:
            raise UsageProblem(
                f"--at reads only files, but {printable(self.name)} is a folder; check out "
                "the commit"
            )
        if is_local_memory(self.path):
            return self._local_ages()
        paths = [entry.path for entry in self.document.entries]
        step(f"reading the history of {self.name}")
        history = folder_history(self.query, paths)
        decisions, notes = decisions_about_folder(
            self.workspace.root, self.place, until=self.query.as_of
        )
        return ages.report(
            self.document,
            history._replace(notes=(*history.notes, *notes)),
            file=self.name,
            settings=self.settings,
            decisions=decisions,
        )

    def _local_ages(self) -> AgeReport:
        from learnings.core.due import ages  # noqa: PLC0415  (as above)

        origins = {}
        for entry in self.document.entries:
            day, kind = entry.stated, ages.STATED_DATE
            if not day:
                day, kind = None, ages.FILE_TIME
                with suppress(OSError):
                    moment = os.stat(self.workspace.root / entry.path).st_mtime  # noqa: PTH116  (as git does)
                    day = time.strftime("%Y-%m-%d", time.localtime(moment))
            origins[entry.identity] = ages.Origin(kind, day, reason=NO_ACTIVE_DAYS)
        activity = ages.NO_ACTIVITY
        history = ages.History("", False, activity, origins, None, notes=(LOCAL,))  # noqa: FBT003  (not shallow)
        return ages.report(self.document, history, file=self.name, settings=self.settings)

    def verdict(self) -> Verdict:
        """Return the verdict; raises UntrustedHistory or MissingFile."""
        from learnings.core.due import verdicts  # noqa: PLC0415  (ages alone need no verdict)

        if is_local_memory(self.path):
            raise UntrustedHistory(
                f"{printable(self.name)} is not in a git repository, so nothing triggers a "
                "consolidation; `learnings ages` shows its dates"
            )
        return verdicts.judge(self.ages())


def memory_at(workspace: Workspace, path: Path, options: HistoryOptions = NO_OPTIONS) -> MemoryFile:
    """Return the memory at an absolute path: a folder of entries, or a file."""
    kind = MemoryFolder if is_folder(workspace.on_disk(path)) else MemoryFile
    return kind(workspace, path, options)


def named_memory(name: str, workspace: Workspace) -> MemoryFile:
    """Return the memory at a path from the root. Raises MissingFile and UnusableFile."""
    path = workspace.root / name
    if not is_folder(full := workspace.on_disk(path)):
        named_file(full, workspace.root, shown=name)
        return MemoryFile(workspace, path)
    if not _is_memory_folder(workspace, path):
        raise MissingFile(
            f"{printable(name)} is a folder but not a memory folder; name another one"
        )
    return MemoryFolder(workspace, path)


class ChosenFiles(NamedTuple):
    """The files of a command, and the errors for unusable ones; several unless about one file."""

    files: tuple[MemoryFile, ...]
    errors: tuple[LearningsError, ...]
    several: bool


def chosen_files(
    names: Sequence[str], workspace: Workspace, options: HistoryOptions = NO_OPTIONS
) -> ChosenFiles:
    """Return the named files, from the workspace's folder or root, else all. Raises BadSettings."""
    workspace = workspace.with_options(options.thresholds)
    if not names:
        root, found = workspace.root, workspace.found
        own = [MemoryFile(workspace, root / path, options) for path in found.learnings_paths]
        own += [MemoryFolder(workspace, root / one.path, options) for one in found.folders]
        problems = tuple(workspace.problems())
        return ChosenFiles(tuple(own), problems, several=len(own) + len(problems) != 1)
    files: list[MemoryFile] = []
    errors: list[LearningsError] = []
    for name in names:
        try:
            files.append(_chosen_file(name, workspace, options))
        except (MissingFile, UnusableFile) as error:
            errors.append(error)
    return ChosenFiles(tuple(files), tuple(errors), several=len(names) > 1)


def _chosen_file(name: str, workspace: Workspace, options: HistoryOptions) -> MemoryFile:
    path = workspace.start / name
    for folder in (path, workspace.root / name) if name else ():
        if is_folder(workspace.on_disk(folder)) and _is_memory_folder(
            around := workspace.around(folder / "_"), folder
        ):
            return MemoryFolder(around, folder, options)
    if options.at is None or not name:
        # A path from the root, as in our output, counts if there is none from the folder.
        places = (path, workspace.root / name)
        path = next((place for place in places if exists(workspace.on_disk(place))), path)
        named_file(workspace.on_disk(path), workspace.start, shown=name)
    return MemoryFile(workspace.around(path), path, options)


def _is_memory_folder(workspace: Workspace, folder: Path) -> bool:
    """Include folders in a usual place whose entries are all archived."""
    path = workspace.relative(folder)
    if any(memory.path == path for memory in workspace.found.folders):
        return True
    is_usual = path is not None and memory_folder_of(f"{path}/entry.md") == path
    return is_usual and is_folder(folder / ARCHIVE_FOLDER)


def memory_files(names: Sequence[str], workspace: Workspace) -> list[MemoryFile]:
    """Return the named files, else all. Raises MissingFile, UnusableFile or BadSettings."""
    chosen = chosen_files(names, workspace)
    for error in chosen.errors:
        raise error
    return [*chosen.files]


def judge_all(files: Sequence[MemoryFile]) -> tuple[list[Verdict], list[LearningsError]]:
    """Return the verdicts on files, and errors for untrusted histories and missing files."""
    verdicts: list[Verdict] = []
    errors: list[LearningsError] = []
    for file in files:
        try:
            verdicts.append(file.verdict())
        except (UntrustedHistory, MissingFile) as error:
            errors.append(error)
    return verdicts, errors
