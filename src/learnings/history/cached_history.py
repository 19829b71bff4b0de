"""All git facts about one memory file, taken from the cache if possible.

A value stored for an older HEAD is used if the commits since then cannot have changed it. Git
processes run in parallel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from learnings.core.due.ages import UNCOMMITTED, Activity, Consolidation, History, Origin
from learnings.core.entries.document import Document
from learnings.core.text import counted
from learnings.history.activity import started_count
from learnings.history.file_history import FileHistory, HistoryQuery
from learnings.history.git import process
from learnings.history.git.repository import Repository, synthetic_merge

if TYPE_CHECKING:
    from learnings.history.file_graph import FileGraph


def origins_of(history: FileHistory) -> Mapping[str, Origin]:
    """Return the origins of the entries of the text by identity; raises UntrustedHistory."""

    def whole() -> _Origins:
        from learnings.history.origins import Lookback  # noqa: PLC0415  (where HEAD has moved on)

        removed = history.returns(history.graph()).removed
        return Lookback(history).of_text(), sorted(removed)

    def newer(graph: FileGraph, known: _Origins) -> _Origins | None:
        from learnings.history.origins import find_origins_since  # noqa: PLC0415  (as above)

        origins = find_origins_since(graph, *known, history)
        removed = {*known[1], *history.returns(graph).removed}
        return None if origins is None else (origins, sorted(removed))

    return history.answer("origins", _stored_origins, whole, newer, of_text=True)[0]


_Origins = tuple[dict[str, Origin], list[int]]
"""The origins of entries, and the titles that were removed from the file."""


def _stored_origins(value: list[Any]) -> _Origins:
    rows, removed = value
    origins = {name: Origin(*row) for name, row in rows.items()}
    return {i: o._replace(gap=o.gap and tuple(o.gap)) for i, o in origins.items()}, removed


def last_consolidation(history: FileHistory) -> Consolidation | None:
    """Return the last consolidation as of the query's date; raises UntrustedHistory."""
    if history.head_blob is None:
        return None
    if history.query.as_of is None:
        stored = history.cache.load("removals", history.key, _stored_consolidation)
        if stored is not None and _still_last(history, stored[0]):
            return stored[1]
    from learnings.history import removals  # noqa: PLC0415  (as above)

    return removals.find_last_consolidation(history)


def _still_last(history: FileHistory, old_head: str) -> bool:
    """Return True if no commit since an older HEAD removed an entry or may revert a removal."""
    if old_head == history.repository.head:
        return True
    from learnings.history.file_changes import changes_in  # noqa: PLC0415  (as above)
    from learnings.history.returns import may_revert  # noqa: PLC0415  (as above)

    graph = history.graph_since(old_head)
    return graph is not None and not any(
        change.removed or may_revert(change, history.blobs) for change in changes_in(graph)
    )


def _stored_consolidation(value: list[Any]) -> tuple[str, Consolidation | None]:
    head, row = value
    return head, row and Consolidation(*row)


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
    if not everything.skewed_commits and query.as_of is None and history.head_blob is not None:
        history.cache.save("removals", history.key, (repository.head, consolidation))
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
