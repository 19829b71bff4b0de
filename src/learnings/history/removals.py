"""Entries that left a file: the consolidations that removed them, and their ages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from learnings.core.due.ages import LATEST, Consolidation
from learnings.core.due.verdicts import Departure
from learnings.core.entries import archives
from learnings.core.entries.document import LARGEST_FILE, Document
from learnings.core.entries.entry_changes import compare_entries
from learnings.history.blobs import BlobReader
from learnings.history.file_changes import FileChange, Removed, changes_in
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.origins import find_origins_before
from learnings.history.regular_file import read_regular
from learnings.history.returns import reverted_on

if TYPE_CHECKING:
    from learnings.history.origins import Known


def all_changes(history: FileHistory) -> tuple[FileChange, ...]:
    """Return all commits that changed a file, the newest first; empty if HEAD has no such file.

    Raises UntrustedHistory.
    """
    if history.head_blob is None:
        return ()

    def whole() -> tuple[FileChange, ...]:
        return tuple(changes_in(history.graph()))

    def newer(graph: FileGraph, known: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
        return (*changes_in(graph), *known)

    return history.answer("file-changes", _decoded_changes, whole, newer)


def _decoded_changes(value: list[Any]) -> tuple[FileChange, ...]:
    return tuple(
        FileChange(name, date, path, blob, tuple(before), tuple(Removed(*row) for row in removed))
        for name, date, path, blob, before, removed in value
    )


def find_last_consolidation(history: FileHistory) -> Consolidation | None:
    """Return the newest consolidation as of the query's date; raises UntrustedHistory."""
    latest = history.query.as_of or history.query.tomorrow
    found = (one for _, one in _judged(history, latest) if one and one.ended is None)
    return next(found, None)


def _judged(
    history: FileHistory, latest: str = LATEST
) -> Iterator[tuple[FileChange, Consolidation | None]]:
    """Yield the changes up to a day, newest first, with what they are if they consolidate."""
    newer: list[FileChange] = []
    for change in changes_in(history.graph()):
        if change.date <= latest:
            yield change, _consolidation(change, newer, history)
            newer.append(change)


def _consolidation(
    change: FileChange, newer: Sequence[FileChange], history: FileHistory
) -> Consolidation | None:
    """Return the consolidation by a commit that removed enough entries or archived a group.

    newer are the later changes, newest first: one of them may have reverted it.
    """
    count, blobs = len(change.removed), history.blobs
    if not count or not (count >= history.query.min_removed or _archives_group(change, blobs)):
        return None
    ended = reverted_on(change, newer, blobs)
    return Consolidation(change.commit, change.date, count, ended)


def _archives_group(change: FileChange, blobs: BlobReader) -> bool:
    after = _archive_blobs(change.commit, change.path, blobs)
    before = {
        blob
        for parent in blobs.parents(change.commit)
        for blob in _archive_blobs(parent, change.path, blobs)
    }
    if after <= before:
        return False
    _, grouped = archives.put_into(
        change.entries(blobs),
        after=[archives.read_archive(blobs.version(blob)) for blob in after - before],
        before=[archives.read_archive(blobs.version(blob)) for blob in before],
    )
    return bool(grouped)


def _archive_blobs(commit: str, path: str, blobs: BlobReader) -> set[str]:
    files = blobs.files_in(commit, archives.archive_folder(path))
    return {blob for name, blob in files.items() if archives.is_archive_name(name, path)}


def archives_in(commit: str, path: str, blobs: BlobReader) -> list[archives.Archive]:
    """Return the archives of a file in a commit."""
    found = sorted(_archive_blobs(commit, path, blobs))
    return [archives.read_archive(blobs.version(blob)) for blob in found]


def uncommitted_consolidation(
    history: FileHistory, document: Document, *, as_of: str | None
) -> Consolidation | None:
    """Return the consolidation in the working tree, dated today, or None.

    Only entries moved to an archive count: somebody may still be writing the rest.
    """
    query, blobs = history.query, history.blobs
    if history.rev is not None or history.head_blob is None or query.today is None:
        return None
    removed = compare_entries(blobs.document(history.head_blob), document).removed
    on_disk = tuple(_archives_on_disk(history)) if removed else ()
    if not on_disk:
        return None
    archived, grouped = archives.put_into(
        removed,
        after=[archives.read_archive(data) for data in on_disk],
        before=archives_in(history.repository.head, history.path, blobs),
    )
    if grouped or len(archived) >= query.min_removed:
        return Consolidation(None, max(query.today, as_of or ""), len(archived))
    return None


def _archives_on_disk(history: FileHistory) -> Iterator[bytes]:
    top = history.repository.top
    try:
        files = sorted((top / archives.archive_folder(history.path)).iterdir())
    except OSError:
        return
    for file in files:
        if archives.is_archive_name(file.name, history.path):
            try:
                data = read_regular(file, most=LARGEST_FILE, inside=top)
            except OSError:
                continue  # an unreadable file proves nothing
            yield data


def departures(history: FileHistory) -> tuple[Departure, ...]:
    """Return the entries removed since the last consolidation; raises UntrustedHistory."""
    if history.head_blob is None:
        return ()

    def whole() -> tuple[Departure, ...]:
        changes, _consolidations = removals_of(history, since_beginning=False)
        return departures_by(changes, history)

    return history.answer("departures", lambda rows: tuple(Departure(*row) for row in rows), whole)


def removals_of(
    history: FileHistory, *, since_beginning: bool
) -> tuple[list[FileChange], list[Consolidation]]:
    """Return the commits that removed entries, and the consolidations among them, newest first.

    They are those after the last consolidation in force, or all; raises UntrustedHistory.
    """
    changes: list[FileChange] = []
    consolidations: list[Consolidation] = []
    for change, consolidation in _judged(history):
        if consolidation is not None:
            if not since_beginning and consolidation.ended is None:
                break
            consolidations.append(consolidation)
        if change.removed:
            changes.append(change)
    return changes, consolidations


def departures_by(
    changes: Sequence[FileChange], history: FileHistory, known: Known | None = None
) -> tuple[Departure, ...]:
    """Return the entries that commits removed; known are the origins of versions."""
    rows = [(change, removed) for change in changes for removed in change.removed]
    origins = find_origins_before(rows, history, known or {})
    return tuple(
        Departure(removed.identity, origin.arrived or change.date, change.date)
        for (change, removed), origin in zip(rows, origins, strict=True)
    )
