"""A learnings file at a glance: its reading, and its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.ambiguities import second_reading
from learnings.core.entries.document import Document
from learnings.core.errors import MissingFile, UntrustedHistory, UsageProblem
from learnings.workspace.memory_file import memory_at
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.due.verdicts import Verdict

MOST_TITLES = 3
"""Number of titles to show: enough to see whether the entries were recognised."""


class FileReading(NamedTuple):
    """The reading of a file; level is 0 without headings, titles are the first three."""

    dialect: str
    level: int
    reason: str
    entries: int
    titles: tuple[str, ...]
    lines: int
    ambiguity: str | None


def reading_of(workspace: Workspace, path: str) -> FileReading | None:
    """Return the reading of the memory at a path from the root, or None."""
    try:
        return reading(memory_at(workspace, workspace.root / path).document)
    except (MissingFile, UsageProblem):  # missing, unreadable, or too large
        return None


def reading(document: Document) -> FileReading:
    """Return the reading of a document."""
    dialect, entries = document.dialect, document.entries
    ambiguity = second_reading(document) if entries else None
    return FileReading(
        dialect=dialect.name,
        level=dialect.level,
        reason=dialect.reason,
        entries=len(entries),
        titles=tuple(entry.heading for entry in entries[:MOST_TITLES]),
        lines=len(document.lines),
        ambiguity=str(ambiguity) if ambiguity else None,
    )


class FileOverview(NamedTuple):
    """A learnings file: its reading, and its verdict or the problem that prevents one."""

    path: str
    reading: FileReading | None
    verdict: Verdict | None
    problem: str | None


def file_overview(workspace: Workspace, path: str) -> FileOverview:
    """Return the overview of the file at a path from the root."""
    verdict, problem = None, None
    try:
        verdict = memory_at(workspace, workspace.root / path).verdict()
    except (UntrustedHistory, MissingFile, UsageProblem) as error:
        problem = str(error)
    how = reading(verdict.report.document) if verdict else reading_of(workspace, path)
    return FileOverview(path, how, verdict, problem)
