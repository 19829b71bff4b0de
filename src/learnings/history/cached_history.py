"""What `due` asks of one memory file: its ages, its versions on the branch, earlier decisions.

Answers come from the cache if possible: one stored for an older HEAD is used if the commits since
then cannot have changed it. Git processes run in parallel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnings.core.due.ages import (
    UNCOMMITTED,
    Activity,
    Consolidation,
    History,
    Origin,
)
from learnings.core.entries.decisions import Decisions, is_decisions, joined, read_decisions
from learnings.core.entries.dialects import SECTIONS
from learnings.core.entries.document import Document, Size, excess_of, size_of
from learnings.core.file_names import (
    ARCHIVE_FOLDER,
    LEARNINGS_FOLDERS,
    archive_folder,
    decisions_path,
    home_of_folder,
    is_decisions_name,
)
from learnings.core.text import counted, printable
from learnings.history.activity import started_count
from learnings.history.file_history import FileHistory, HistoryQuery
from learnings.history.git import process
from learnings.history.git.repository import Repository, first_parent_of, synthetic_merge
from learnings.history.git.work_tree import readable_files

if TYPE_CHECKING:
    from learnings.core.due.forecast import BranchVersion
    from learnings.history.file_graph import FileGraph


def read_history(history: FileHistory) -> tuple[Document, History]:
    """Read a memory file and its history, running git processes in parallel.

    Raises the errors of open_history().
    """
    query, repository = history.query, history.repository
    synthetic = synthetic_merge(repository)
    active_days = started_count(
        repository, query.ignore_authors, history.cache, synthetic=synthetic
    )
    document = history.document
    consolidation = last_consolidation(history)
    origins = origins_of(history)
    process.stop_prefetched()
    everything = active_days(query.tomorrow)
    active = everything.until(query.as_of) if query.as_of else everything
    is_past = active.as_of != everything.as_of
    if not is_past and history.rev is None:
        from learnings.history.removals import uncommitted_consolidation  # noqa: PLC0415  (most files are as HEAD has them)

        uncommitted = uncommitted_consolidation(history, document, as_of=active.as_of)
        consolidation = uncommitted or consolidation
    notes = *notes_of(query, repository, active, synthetic=synthetic), *history.ignored.notes
    return document, History(
        head=repository.head,
        shallow=repository.shallow,
        activity=active,
        origins=origins_until(origins, active.as_of or "") if is_past else origins,
        consolidation=consolidation,
        notes=notes,
    )


_Origins = tuple[dict[str, Origin], list[int]]
"""The origins of entries, and the titles that were removed from the file."""


def origins_of(history: FileHistory) -> Mapping[str, Origin]:
    """Return the origins of the entries of the text by identity; raises UntrustedHistory."""

    def decode(value: list[Any]) -> _Origins:
        rows, removed = value
        origins = {name: Origin(*row) for name, row in rows.items()}
        return {i: o._replace(gap=o.gap and tuple(o.gap)) for i, o in origins.items()}, removed

    def read(graph: FileGraph, known: _Origins | None) -> _Origins | None:
        from learnings.history.origins import Lookback, find_origins_since  # noqa: PLC0415  (where HEAD has moved on)

        if known is None:
            return Lookback(history).of_text(), sorted(graph.gone)
        origins = find_origins_since(graph, *known, history)
        return None if origins is None else (origins, sorted({*known[1], *graph.gone}))

    return history.answer("origins", decode, read, of_text=True)[0]


_LastConsolidation = tuple[str, Consolidation | None]
"""The first day (ISO) of a change that was left out as dated ahead, and the last consolidation."""


def last_consolidation(history: FileHistory) -> Consolidation | None:
    """Return the last consolidation as of the query's date; raises UntrustedHistory."""
    query = history.query
    if history.head_blob is None:
        return None

    def decode(value: list[Any]) -> _LastConsolidation | None:
        left_out, row = value
        return (left_out, row and Consolidation(*row)) if left_out > query.tomorrow else None

    def read(graph: FileGraph, known: _LastConsolidation | None) -> _LastConsolidation | None:
        from learnings.history import removals  # noqa: PLC0415  (where HEAD has moved on)

        if known is None:
            return removals.find_last_consolidation(history, query.tomorrow)
        changes = removals.changes_in(graph)
        may_change = any(c.removed or removals.may_revert(c, history.blobs) for c in changes)
        return None if may_change else known

    if query.as_of is None:
        return history.answer("consolidation", decode, read)[1]
    from learnings.history.removals import find_last_consolidation  # noqa: PLC0415  (as above)

    return find_last_consolidation(history, query.as_of)[1]


def origins_until(origins: Mapping[str, Origin], as_of: str) -> dict[str, Origin]:
    """Return the origins up to a day (ISO); uncommitted text is newer than all days."""
    return {
        identity: origin
        for identity, origin in origins.items()
        if origin.basis != UNCOMMITTED and (origin.arrived is None or origin.arrived <= as_of)
    }


def notes_of(
    query: HistoryQuery, repository: Repository, active: Activity, *, synthetic: bool
) -> list[str]:
    """Return sentences on how a history differs from that of the repository."""
    notes = list(repository.notes)
    if repository.shallow:
        notes.append("shallow clone: all ages and the staleness are lower bounds")
    if active.skewed_commits:
        verb = "is" if active.skewed_commits == 1 else "are"
        commits = counted(active.skewed_commits, "commit")
        notes.append(f"{commits} {verb} dated later than tomorrow and not counted")
    if active.undated_commits:
        number = active.undated_commits
        have, are = ("has", "is") if number == 1 else ("have", "are")
        commits = counted(number, "commit")
        notes.append(f"{commits} {have} no readable author date and {are} not counted")
    if query.ignore_authors:
        notes.append(f"commits of {', '.join(query.ignore_authors)} are not counted")
    if synthetic:
        notes.append("the merge commit at HEAD was made by a server and is not counted")
    return notes


_Versions = tuple[str, tuple["BranchVersion", ...]]
"""The date that versions go back to, and the versions."""


def versions_since(history: FileHistory, since: str) -> tuple[BranchVersion, ...]:
    """Return the versions of a file on its branch, newest first, back to the first before a date.

    They go along the first parents, with merges as one step. If one section of the file is the
    memory now, the lines of that section count in all versions. A version without the file has 0
    lines. Raises UntrustedHistory.
    """
    from learnings.core.due.forecast import BranchVersion  # noqa: PLC0415  (ages need no versions)

    in_section = history.document.dialect.name == SECTIONS

    def decode(value: list[Any]) -> _Versions | None:
        start, rows = value
        versions = (BranchVersion(day, Size(*size), *row) for day, size, *row in rows)
        return (start, tuple(versions)) if start <= since else None

    def read(graph: FileGraph, known: _Versions | None) -> _Versions | None:
        if known and not first_parent_of(history.repository, graph.since or ""):
            return None
        start, older = known or (since, ())
        newer = []
        for commit in graph.mainline():
            path, blob = graph.file_in(commit.commit)
            data = history.blobs.version(blob) if blob else b""
            size = size_of(data)
            if blob and in_section and excess_of(data) is None:
                size = history.document_at(blob).size
            newer.append(BranchVersion(commit.date, size, commit.commit, path or graph.path))
            if known is None and commit.date < since:
                break
        return start, (*newer, *older)

    kind = "section-versions" if in_section else "versions"
    _, versions = history.answer(kind, decode, read)
    # Below the first version before the date, a clock that was ahead wrote others after it.
    older = (number for number, version in enumerate(versions, start=1) if version.date < since)
    return versions[: next(older, None)]


def decisions_about(history: FileHistory) -> tuple[Decisions, tuple[str, ...]]:
    """Return the decisions in force at the query's date, and a note for each broken line.

    They are from earlier consolidations, in the working tree or the commit. Decisions name texts by
    digest, so the decisions of a renamed or moved memory still count.
    """
    files: Iterable[tuple[str, bytes]]
    if history.query.at is None:
        files = decision_files(history.repository.top, history.path)
    else:
        own = decisions_path(history.path)
        blob = history.blobs.find(history.repository.head, own)
        files = [(own, history.blobs.data(blob))] if blob is not None else []
    return _joined(files, until=history.query.as_of)


def decisions_about_folder(
    top: Path, folder: str, *, until: str | None
) -> tuple[Decisions, tuple[str, ...]]:
    """Return the same for a memory folder, POSIX from the top of its repository; until is ISO."""
    return _joined(decision_files(top, home_of_folder(folder)), until=until)


def _joined(
    files: Iterable[tuple[str, bytes]], *, until: str | None
) -> tuple[Decisions, tuple[str, ...]]:
    read, notes = [], []
    for path, data in files:
        if is_decisions(path, data):
            read.append(read_decisions(data))
            notes += [
                f"{printable(path)}:{line} is not a decision; correct or remove the line"
                for line in read[-1].broken
            ]
    decisions = joined(read)
    return (decisions.until(until) if until else decisions), tuple(notes)


def decision_files(top: Path, memory: str) -> Iterator[tuple[str, bytes]]:
    """Yield the decision files on disk that may be about a memory, its own file last.

    memory and the returned paths are POSIX from the top of the repository.
    """
    usual = (f"{folder}/{ARCHIVE_FOLDER}".lstrip("/") for folder in LEARNINGS_FOLDERS)
    found: dict[str, bytes] = {}
    for folder in {*usual, archive_folder(memory)}:
        found |= readable_files(top, folder, is_decisions_name)
    own = decisions_path(memory)
    yield from sorted(found.items(), key=lambda file: (file[0] == own, file[0]))
