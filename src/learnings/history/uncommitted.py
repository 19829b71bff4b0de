"""A consolidation in the working tree that nobody has committed yet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from learnings.core.due.ages import Consolidation
from learnings.core.entries import archives
from learnings.core.entries.document import LARGEST_FILE, Document
from learnings.core.entries.entry_changes import compare_entries
from learnings.history.file_history import FileHistory
from learnings.history.query import FileLocation
from learnings.history.regular_file import read_regular


def uncommitted_consolidation(
    history: FileHistory, document: Document, *, as_of: str | None
) -> Consolidation | None:
    """Return the consolidation of today that the working tree holds; None where there is none.

    The working tree counts as the commit that it would be, but only the entries that left for an
    archive do: what is merely gone may be a text that somebody is still writing.
    """
    query, location, blobs = history.query, history.location, history.blobs
    if location.rev is not None or location.head_blob is None or query.today is None:
        return None
    removed = compare_entries(blobs.document(location.head_blob), document).removed
    on_disk = tuple(_on_disk(location)) if removed else ()
    if not on_disk:
        return None
    committed = blobs.files_in(location.repository.head, archives.archive_folder(location.path))
    archived, grouped = archives.put_into(
        removed,
        after=[archives.read_archive(data) for data in on_disk],
        before=[
            archives.read_archive(blobs.version(blob))
            for name, blob in committed.items()
            if archives.is_archive_name(name, location.path)
        ],
    )
    if grouped or len(archived) >= query.min_removed:
        return Consolidation(None, max(query.today, as_of or ""), len(archived))
    return None


def _on_disk(location: FileLocation) -> Iterator[bytes]:
    folder = location.repository.top / archives.archive_folder(location.path)
    for file in _listed(folder):
        if archives.is_archive_name(file.name, location.path):
            try:
                data = read_regular(file, most=LARGEST_FILE, inside=location.repository.top)
            except OSError:
                continue  # what cannot be read proves nothing
            yield data


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
