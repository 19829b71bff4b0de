"""All git facts about one memory file, taken from the cache if possible.

A value stored for an older HEAD is used if the commits since then cannot have changed it. Git
processes run in parallel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from learnings.core.due.ages import UNCOMMITTED, Activity, Consolidation, History, Origin
from learnings.core.entries.document import Document
from learnings.core.text import counted
from learnings.history.activity import started_count
from learnings.history.file_history import FileHistory, HistoryQuery
from learnings.history.git import process
from learnings.history.git.repository import Repository, synthetic_merge


def origins_of(history: FileHistory) -> Mapping[str, Origin]:
    """Return the origins of the entries of the text by identity; raises UntrustedHistory."""
    head, is_clean = history.repository.head, history.rev is not None
    stored = history.cache.load("origins", history.key, _stored_origins)
    old_head, known, removed = stored or ("", {}, ())
    if is_clean and old_head == head:
        return known
    from learnings.history import origins  # noqa: PLC0415  (where HEAD has moved on)

    graph = history.graph_since(old_head) if stored else None
    dated = origins.find_origins_since(graph, known, removed, history) if graph else None
    if graph is None or dated is None:
        dated, graph, removed = origins.Lookback(history).of_text(), history.graph(), ()
    if is_clean:
        gone = {*removed, *history.returns(graph).removed}
        history.cache.save("origins", history.key, (head, dated, sorted(gone)))
    return dated


def last_consolidation(history: FileHistory) -> Consolidation | None:
    """Return the last consolidation as of the query's date; raises UntrustedHistory."""
    if history.head_blob is None:
        return None
    if history.query.as_of is None:
        stored: tuple[str, Consolidation | None] | None
        stored = history.cache.load("removals", history.key, _stored_consolidation)
        if stored is not None and stored[0] == history.repository.head:
            return stored[1]
        if stored is not None:
            from learnings.history.removals import changes_since  # noqa: PLC0415  (as above)
            from learnings.history.returns import may_revert  # noqa: PLC0415  (as above)

            newer = changes_since(history, stored[0])
            if newer is not None and not any(
                change.removed or may_revert(change, history.blobs) for change in newer
            ):
                return stored[1]
    from learnings.history import removals  # noqa: PLC0415  (as above)

    return removals.find_last_consolidation(history)


def _stored_origins(value: list[Any]) -> tuple[str, dict[str, Origin], list[int]]:
    head, rows, removed = value
    origins = {name: Origin(*row) for name, row in rows.items()}
    return head, {i: o._replace(gap=o.gap and tuple(o.gap)) for i, o in origins.items()}, removed


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
