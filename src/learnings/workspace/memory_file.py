"""The learnings files that a command works on, and the query for the history of each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.due import ages
from learnings.core.due.ages import AgeReport
from learnings.core.entries.document import ReadOptions
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory, UnusableFile
from learnings.core.settings.setting_values import FileSettings
from learnings.history.cached_history import read_history
from learnings.history.file_history import HistoryQuery, open_history
from learnings.workspace.clock import parse_date
from learnings.workspace.disk import exists, named_file
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.due.verdicts import Verdict
    from learnings.history.file_history import FileHistory


class ChosenFile(NamedTuple):
    """A learnings file, with the workspace of the repository that it lies in."""

    workspace: Workspace
    path: Path


class ChosenFiles(NamedTuple):
    """The files of a command, and the errors that stand for those that cannot be used.

    several is True unless the command is about one file.
    """

    files: tuple[ChosenFile, ...]
    errors: tuple[LearningsError, ...]
    several: bool

    @property
    def is_empty(self) -> bool:
        """True if no file was named and none was found."""
        return not self.files and not self.errors


def chosen_files(
    names: Sequence[str], workspace: Workspace, *, on_disk: bool = True
) -> ChosenFiles:
    """Return the files named or, if none is, the learnings files of the repository.

    names are relative to the folder of the workspace, or to its root if that folder has no such
    file. on_disk is False if the files of a commit are read. Raises BadSettings.
    """
    if not names:
        return _all_files(workspace)
    files: list[ChosenFile] = []
    errors: list[LearningsError] = []
    for name in names:
        try:
            files.append(chosen_file(name, workspace, on_disk=on_disk))
        except (MissingFile, UnusableFile) as error:
            errors.append(error)
    return ChosenFiles(tuple(files), tuple(errors), several=len(names) > 1)


def chosen_file(name: str, workspace: Workspace, *, on_disk: bool = True) -> ChosenFile:
    """Return the file that is named; the parameters are those of chosen_files().

    Raises MissingFile or UnusableFile.
    """
    path = workspace.start / name
    if on_disk or not name:
        is_from_root = exists(workspace.root / name) and not exists(path)  # as our output names it
        path = named_file(name, workspace.root if is_from_root else workspace.start)
    return ChosenFile(workspace.around(path), path)


def _all_files(workspace: Workspace) -> ChosenFiles:
    files = tuple(
        ChosenFile(workspace, workspace.root / file.path)
        for file in workspace.learnings_files()
        if file.included
    )
    errors = tuple(workspace.problems())
    return ChosenFiles(files, errors, several=len(files) + len(errors) != 1)


class HistoryOptions(NamedTuple):
    """How a command wants history to be read; the defaults are those of one without options.

    as_of is a date as it was typed, None for now. at names a commit whose text and history are
    read instead of the working tree and HEAD. may_allow_shallow says that the command has an option
    to accept a shallow clone. thresholds holds settings by their key that win over the
    configuration.
    """

    as_of: str | None = None
    at: str | None = None
    allow_shallow: bool = False
    may_allow_shallow: bool = True
    thresholds: Mapping[str, object] = {}


NO_OPTIONS = HistoryOptions(may_allow_shallow=False)
"""For the commands that have no options on history."""


class FileQuery(NamedTuple):
    """One memory file of a workspace, and the query for its history; name is its path as shown."""

    workspace: Workspace
    settings: FileSettings
    name: str
    query: HistoryQuery

    @property
    def read_options(self) -> ReadOptions:
        """How the file is split into entries."""
        return self.query.read_options

    def ages(self) -> AgeReport:
        """Return the ages of its entries; raises UntrustedHistory or MissingFile."""
        with open_history(self.query) as history:
            return self._report(history)

    def verdict(self) -> Verdict:
        """Return the verdict on it; raises UntrustedHistory or MissingFile."""
        from learnings.core.due import verdicts  # noqa: PLC0415  (ages alone need no verdict)
        from learnings.history.mainline import versions_since  # noqa: PLC0415  (as above)

        with open_history(self.query) as history:
            report = self._report(history)
            since = verdicts.past_needed_since(report, self.settings)
            versions = versions_since(history, since) if since else ()
            if not verdicts.is_triggered(report, self.settings):
                return verdicts.judge(report, self.settings, versions)
            from learnings.history.departures import departures  # noqa: PLC0415  (where it counts)

            left = departures(history)
        return verdicts.judge(report, self.settings, versions, left)

    def _report(self, history: FileHistory) -> AgeReport:
        freshness = self.settings.freshness
        return ages.report(*read_history(history), file=self.name, freshness=freshness)


def file_query(file: str, options: HistoryOptions, workspace: Workspace) -> FileQuery:
    """Return the query about the file that is named.

    Raises MissingFile, UsageProblem (an unusable file, or not a date) or BadSettings.
    """
    workspace = workspace.with_options(options.thresholds)
    chosen = chosen_file(file, workspace, on_disk=options.at is None)
    return query_about(chosen, options)


def files_for(names: Sequence[str], options: HistoryOptions, workspace: Workspace) -> ChosenFiles:
    """Return the files named or, if none is, those of the workspace. Raises BadSettings."""
    workspace = workspace.with_options(options.thresholds)
    return chosen_files(names, workspace, on_disk=options.at is None)


def file_queries(
    files: Sequence[str], options: HistoryOptions, workspace: Workspace
) -> list[FileQuery]:
    """Return a query about each of the files or, where none is named, each of the workspace.

    Raises what file_query() raises, and BadSettings for a configured file that is missing.
    """
    chosen = files_for(files, options, workspace)
    for error in chosen.errors:
        raise error
    return [query_about(file, options) for file in chosen.files]


def no_file(workspace: Workspace) -> str:
    """Return the sentence for a command that was given no FILE and found none."""
    from learnings.workspace.discovery import nothing_found  # noqa: PLC0415  (seldom needed)

    return nothing_found(workspace.skipped_files())


def query_about(file: ChosenFile, options: HistoryOptions) -> FileQuery:
    """Return the query about a file. Raises BadSettings; UsageProblem if as_of is not a date."""
    workspace, path = file
    settings = workspace.file_settings(path)
    query = HistoryQuery(
        file=path,
        user_folder=workspace.user_folder,
        tomorrow=workspace.clock.tomorrow(),
        as_of=None if options.as_of is None else parse_date(options.as_of),
        at=options.at,
        read_options=ReadOptions.of(settings),
        min_removed=settings.consolidation_min_removed,
        ignore_revs_file=workspace.settings.ignore_revs_file,
        ignore_authors=workspace.settings.ignore_authors,
        allow_shallow=options.allow_shallow,
        may_allow_shallow=options.may_allow_shallow,
        today=workspace.clock.today(),
    )
    # Names are UTF-8 in what we print, whatever the locale takes them for.
    name = os.fsencode(workspace.relative(path) or path).decode("utf-8", "surrogateescape")
    return FileQuery(workspace, settings, name, query)


class VerdictResults(NamedTuple):
    """The verdicts on the files that can be judged, and the errors that stand for the others."""

    verdicts: tuple[Verdict, ...]
    errors: tuple[LearningsError, ...]


def judge_all(file_queries: Sequence[FileQuery]) -> VerdictResults:
    """Judge each file; a history that cannot be trusted, or a missing file, becomes an error."""
    verdicts: list[Verdict] = []
    errors: list[LearningsError] = []
    for file_query in file_queries:
        try:
            verdicts.append(file_query.verdict())
        except (UntrustedHistory, MissingFile) as error:
            errors.append(error)
    return VerdictResults(tuple(verdicts), tuple(errors))
