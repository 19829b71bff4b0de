"""Entries that left a file: the commits that removed them, and the ages of the entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from learnings.core.due.ages import Consolidation
from learnings.core.due.verdicts import Departure
from learnings.history.consolidations import is_consolidation
from learnings.history.file_changes import changes_in
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cached import Key
from learnings.history.origins import find_origins_before

if TYPE_CHECKING:
    from learnings.history.file_changes import FileChange
    from learnings.history.lookback import Known


class Removals(NamedTuple):
    """The commits that removed entries, and the consolidations among them, newest first."""

    changes: tuple[FileChange, ...]
    consolidations: tuple[Consolidation, ...]


def departures(history: FileHistory) -> tuple[Departure, ...]:
    """Return the entries removed since the last consolidation; raises UntrustedHistory."""
    query = history.query
    head = history.repository.head
    key: Key = {**history.key, "head": head, "min_removed": query.min_removed}
    stored = history.cache.load("departures", key, _decoded)
    if stored is not None or history.head_blob is None:
        return stored or ()
    left = departures_by(removals_of(history, since_beginning=False).changes, history)
    history.cache.save("departures", key, left)
    return left


def removals_of(history: FileHistory, *, since_beginning: bool) -> Removals:
    """Return the removals after the last consolidation, or all; raises UntrustedHistory."""
    return history.through_renames(lambda: _walk(history, since_beginning=since_beginning))


def _walk(history: FileHistory, *, since_beginning: bool) -> Removals:
    changes: list[FileChange] = []
    consolidations: list[Consolidation] = []
    for change in changes_in(history.graph(), history.blobs):
        if is_consolidation(change, history.blobs, min_removed=history.query.min_removed):
            if not since_beginning:
                break
            count = len(change.removed)
            consolidations.append(Consolidation(change.commit, change.date, count))
        if change.removed:
            changes.append(change)
    return Removals(tuple(changes), tuple(consolidations))


def departures_by(
    changes: Sequence[FileChange], history: FileHistory, known: Known | None = None
) -> tuple[Departure, ...]:
    """Return the entries that commits removed; known are the origins of versions."""
    rows = [(change, identity) for change in changes for identity in change.removed]
    origins = find_origins_before(rows, history, known or {})
    return tuple(
        Departure(identity, origin.date or change.date, change.date)
        for (change, identity), origin in zip(rows, origins, strict=True)
    )


def _decoded(value: Any) -> tuple[Departure, ...]:  # noqa: ANN401  (any JSON)
    return cached.list_of(_departure, value)


def _departure(value: Any) -> Departure:  # noqa: ANN401  (any JSON)
    return Departure(*cached.row(value, cached.text, cached.text, cached.text))
