"""From a command's words to the report or verdict on a file."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.clock import parse_date, tomorrow
from learnings.app.workspace.disk import find_root
from learnings.app.workspace.workspace import Workspace
from learnings.core.due import ages, triggers
from learnings.core.due.ages import AgeReport
from learnings.core.due.triggers import Verdict
from learnings.core.entries.document import ReadOptions
from learnings.core.settings.keys import FILE_KEYS
from learnings.core.settings.values import FileSettings
from learnings.history.facts import read_history
from learnings.history.mainline import versions_since
from learnings.history.query import HistoryQuery

THRESHOLDS = (
    "size-trigger",
    "staleness-trigger",
    "freshness",
    "min-batch",
    "keep-recent",
    "soft-limit",
    "starved-escalates-after",
    "consolidation-min-removed",
)


class FileQuery(NamedTuple):
    """One memory file of a workspace with what is asked of its history."""

    workspace: Workspace
    settings: FileSettings
    name: str
    query: HistoryQuery

    @property
    def read_options(self) -> ReadOptions:
        """How the file is to be read."""
        return self.query.read_options

    def ages(self) -> AgeReport:
        """Return the ages of its entries; raises what read_history() raises."""
        document, history = read_history(self.query)
        return ages.report(document, history, file=self.name, freshness=self.settings.freshness)

    def verdict(self) -> Verdict:
        """Return the verdict on it; raises what read_history() raises."""
        report = self.ages()
        since = triggers.versions_needed_since(report, self.settings)
        versions = versions_since(self.query, since) if since else ()
        return triggers.judge(report, self.settings, versions)


def add_history_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that every command on history takes."""
    parser.add_argument(
        "--as-of", metavar="DATE", help="answer as on the evening of DATE (YYYY-MM-DD)"
    )
    parser.add_argument(
        "--at", metavar="REV", help="text and history of a commit, not of the working tree"
    )
    parser.add_argument(
        "--allow-shallow",
        action="store_true",
        help="accept a shallow clone; every age is then a lower bound, and marked",
    )


def add_threshold_options(parser: argparse.ArgumentParser) -> None:
    """Add an option for each threshold; it wins over the configuration."""
    group = parser.add_argument_group("thresholds (default: as configured)")
    for name in THRESHOLDS:
        key = FILE_KEYS[name]
        group.add_argument(f"--{name}", type=int, metavar="N", help=key.doc)


def thresholds_of(args: argparse.Namespace) -> Mapping[str, object]:
    """Return the thresholds given on the command line, by key."""
    given = {name: getattr(args, name.replace("-", "_"), None) for name in THRESHOLDS}
    return {name: value for name, value in given.items() if value is not None}


def workspace_for(file: str | None, cwd: Path, overrides: Mapping[str, object]) -> Workspace:
    """Open the workspace of the working directory, or of a file in another repository."""
    if file is not None:
        folder = Path(os.path.realpath(cwd / file)).parent
        if folder.is_dir() and find_root(folder) != find_root(Path(os.path.realpath(cwd))):
            return Workspace.open(folder, overrides=overrides)
    return Workspace.open(cwd, overrides=overrides)


def file_query(args: argparse.Namespace, file: str | None, cwd: Path) -> FileQuery:
    """Make the inquiry of a command that takes one FILE.

    Raises MissingFile, UsageProblem (several files and none named) or BadSettings.
    """
    workspace = workspace_for(file, cwd, thresholds_of(args))
    return file_query_about(args, workspace, path_of(args, file, workspace, cwd), cwd)


def path_of(args: argparse.Namespace, file: str | None, workspace: Workspace, cwd: Path) -> Path:
    """Return the path of FILE, which need not be on disk where a commit is asked for.

    Raises what Workspace.the_file does.
    """
    if file and args.at is not None:
        return cwd / file
    return workspace.the_file(file, base=cwd)


def file_query_about(
    args: argparse.Namespace, workspace: Workspace, path: Path, cwd: Path
) -> FileQuery:
    """Make the inquiry about a file that is known already."""
    settings = workspace.file_settings(path)
    query = HistoryQuery(
        file=path,
        cwd=cwd,
        tomorrow=tomorrow(),
        as_of=None if args.as_of is None else parse_date(args.as_of),
        at=args.at,
        read_options=ReadOptions.of(settings),
        min_removed=settings.consolidation_min_removed,
        ignore_revs_file=workspace.settings.ignore_revs_file,
        ignore_authors=workspace.settings.ignore_authors,
        allow_shallow=args.allow_shallow,
    )
    # Names are UTF-8 in what we print, whatever the locale takes them for.
    name = os.fsencode(workspace.relative(path) or path).decode("utf-8", "surrogateescape")
    return FileQuery(workspace, settings, name, query)
