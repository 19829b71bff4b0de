"""A query about one memory file and its history, and the report or verdict that answers it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.app.workspace.chosen_files import ChosenFiles, chosen_file, chosen_files
from learnings.app.workspace.clock import parse_date, today, tomorrow
from learnings.app.workspace.workspace import Workspace
from learnings.core.due import ages
from learnings.core.due.ages import AgeReport
from learnings.core.entries.document import ReadOptions
from learnings.core.settings.values import FileSettings
from learnings.history.facts import read_history
from learnings.history.opening import open_history
from learnings.history.query import HistoryQuery

if TYPE_CHECKING:
    from learnings.core.due.triggers import Verdict
    from learnings.history.file_history import FileHistory


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
        from learnings.core.due import triggers  # noqa: PLC0415  (ages alone need no verdict)
        from learnings.history.mainline import versions_since  # noqa: PLC0415  (as above)

        with open_history(self.query) as history:
            report = self._report(history)
            since = triggers.past_needed_since(report, self.settings)
            versions = versions_since(history, since) if since else ()
            if not triggers.is_triggered(report, self.settings):
                return triggers.judge(report, self.settings, versions)
            from learnings.history.departures import departures  # noqa: PLC0415  (where it counts)

            left = departures(history)
        return triggers.judge(report, self.settings, versions, left)

    def _report(self, history: FileHistory) -> AgeReport:
        freshness = self.settings.freshness
        return ages.report(*read_history(history), file=self.name, freshness=freshness)


def file_query(file: str, options: HistoryOptions, cwd: Path) -> FileQuery:
    """Return the query about the file that is named.

    Raises MissingFile, UsageProblem (an unusable file, or not a date) or BadSettings.
    """
    on_disk = options.at is None
    chosen = chosen_file(file, cwd, overrides=options.thresholds, on_disk=on_disk)
    return query_about(chosen.path, chosen.workspace, options, cwd)


def files_for(names: Sequence[str], options: HistoryOptions, cwd: Path) -> ChosenFiles:
    """Return the files named or, where none is, those of the workspace. Raises BadSettings."""
    on_disk = options.at is None
    return chosen_files(names, cwd, overrides=options.thresholds, on_disk=on_disk)


def file_queries(files: Sequence[str], options: HistoryOptions, cwd: Path) -> list[FileQuery]:
    """Return a query about each of the files or, where none is named, each of the workspace.

    Raises what file_query() raises, and BadSettings for a configured file that is missing.
    """
    chosen = files_for(files, options, cwd)
    for error in chosen.errors:
        raise error
    return [query_about(file.path, file.workspace, options, cwd) for file in chosen.files]


def no_file(cwd: Path) -> str:
    """Return the sentence for a command that was given no FILE and found none."""
    from learnings.app.workspace.skipped import nothing_found  # noqa: PLC0415  (seldom needed)

    return nothing_found(Workspace.open(cwd).skipped_files())


def query_about(path: Path, workspace: Workspace, options: HistoryOptions, cwd: Path) -> FileQuery:
    """Return the query about a file whose path is known.

    Raises UsageProblem where as_of is not a date.
    """
    settings = workspace.file_settings(path)
    query = HistoryQuery(
        file=path,
        cwd=cwd,
        tomorrow=tomorrow(),
        as_of=None if options.as_of is None else parse_date(options.as_of),
        at=options.at,
        read_options=ReadOptions.of(settings),
        min_removed=settings.consolidation_min_removed,
        ignore_revs_file=workspace.settings.ignore_revs_file,
        ignore_authors=workspace.settings.ignore_authors,
        allow_shallow=options.allow_shallow,
        may_allow_shallow=options.may_allow_shallow,
        today=today(),
    )
    # Names are UTF-8 in what we print, whatever the locale takes them for.
    name = os.fsencode(workspace.relative(path) or path).decode("utf-8", "surrogateescape")
    return FileQuery(workspace, settings, name, query)
