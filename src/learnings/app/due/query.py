"""A query about one memory file and its history, and the report or verdict that answers it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.clock import parse_date, today, tomorrow
from learnings.app.workspace.disk import find_root, real_path
from learnings.app.workspace.workspace import Workspace
from learnings.core.due import ages, triggers
from learnings.core.due.ages import AgeReport
from learnings.core.due.triggers import Verdict
from learnings.core.entries.document import ReadOptions
from learnings.core.settings.values import FileSettings
from learnings.history.departures import departures
from learnings.history.facts import read_history
from learnings.history.mainline import versions_since
from learnings.history.query import HistoryQuery


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
        document, history = read_history(self.query)
        return ages.report(document, history, file=self.name, freshness=self.settings.freshness)

    def verdict(self) -> Verdict:
        """Return the verdict on it; raises UntrustedHistory or MissingFile."""
        report = self.ages()
        since = triggers.past_needed_since(report, self.settings)
        versions = versions_since(self.query, since) if since else ()
        is_triggered = triggers.is_triggered(report, self.settings)
        left = departures(self.query).entries if is_triggered else ()
        return triggers.judge(report, self.settings, versions, left)


def workspace_for(file: str | None, cwd: Path, overrides: Mapping[str, object]) -> Workspace:
    """Open the workspace of the working directory, or of a file in another repository."""
    if file is not None:
        folder = real_path(cwd / file).parent
        if folder.is_dir() and find_root(folder) != find_root(real_path(cwd)):
            return Workspace.open(folder, overrides=overrides)
    return Workspace.open(cwd, overrides=overrides)


def file_query(file: str | None, options: HistoryOptions, cwd: Path) -> FileQuery:
    """Return the query about FILE or, where none is named, about the only memory file there is.

    Raises MissingFile, UsageProblem (several files and none named, or not a date) or BadSettings.
    """
    workspace = workspace_for(file, cwd, options.thresholds)
    return query_about(_path(file, workspace, options, cwd), workspace, options, cwd)


def file_queries(files: Sequence[str], options: HistoryOptions, cwd: Path) -> list[FileQuery]:
    """Return a query about each of the files or, where none is named, each of the workspace.

    Raises what file_query() raises.
    """
    if files:
        return [file_query(file, options, cwd) for file in files]
    workspace = workspace_for(None, cwd, options.thresholds)
    paths = [candidate.path for candidate in workspace.learnings_files() if candidate.included]
    return [query_about(workspace.root / path, workspace, options, cwd) for path in paths]


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


def _path(file: str | None, workspace: Workspace, options: HistoryOptions, cwd: Path) -> Path:
    """Return the path of FILE, which need not be on disk where a commit is read.

    Raises what Workspace.the_file() raises.
    """
    if file and options.at is not None:
        return cwd / file
    return workspace.the_file(file, base=cwd)
