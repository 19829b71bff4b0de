"""All commits that changed a file, with the entries that each of them took out."""

from __future__ import annotations

from contextlib import closing
from typing import Any, NamedTuple

from learnings.core.entries.document import Entry
from learnings.history import activity
from learnings.history.blobs import Blobs
from learnings.history.git.cache import Cache, Key
from learnings.history.query import HistoryQuery, Place
from learnings.history.removals import removed_by
from learnings.history.versions import FileCommit, file_commits

_LOOK_AHEAD = 8


class FileChange(NamedTuple):
    """A commit that changed a file, and the identities of the entries that it took out."""

    file_commit: FileCommit
    taken: tuple[str, ...]

    def entry(self, identity: str, blobs: Blobs) -> Entry:
        """Return one of the entries as it was taken out."""
        before = (blobs.document(blob) for blob in self.file_commit.before if blob is not None)
        return next(v.by_identity[identity] for v in before if identity in v.by_identity)


def file_changes(
    query: HistoryQuery, place: Place, blobs: Blobs, cache: Cache
) -> tuple[FileChange, ...]:
    """Return them all, in no order that means something; none where HEAD has no such file.

    What was found for an older HEAD is not looked for again, if only plain changes under the
    same name came after it. Raises UntrustedHistory.
    """
    if place.head_blob is None:
        return ()
    reading = query.reading
    shape = [reading.dialect, reading.entry_level, reading.preamble_lines]
    key: Key = {"path": place.path, "reading": shape}
    head = place.repository.head
    stored = cache.load("takings", key, _decoded)
    found = None if stored is None else _continued(stored, place, blobs)
    if found is None:
        found = tuple(_walk(place, blobs, head))
    if stored is None or stored.head != head:
        cache.save("takings", key, _Stored(head, found))
    return found


class _Stored(NamedTuple):
    """What was found when HEAD was some commit."""

    head: str
    found: tuple[FileChange, ...]


def _continued(stored: _Stored, place: Place, blobs: Blobs) -> tuple[FileChange, ...] | None:
    """Add what came since; None where the file was renamed, created or deleted meanwhile."""
    repository = place.repository
    if stored.head == repository.head:
        return stored.found
    if not activity.all_reachable(repository, (stored.head,), (repository.head,)):
        return None
    newer = _walk(place, blobs, f"{stored.head}..{repository.head}")
    plain = all(_is_plain(each.file_commit, place.path, blobs) for each in newer)
    return (*newer, *stored.found) if plain else None


def _is_plain(file_commit: FileCommit, path: str, blobs: Blobs) -> bool:
    """Say whether the file has one name before and after a commit: else older names may join."""
    known = (blobs.find(parent, path) for parent in file_commit.parents)
    return file_commit.path == path and file_commit.blob is not None and all(known)


def _walk(place: Place, blobs: Blobs, rev: str) -> list[FileChange]:
    with closing(file_commits(place.repository, place.path, blobs, rev=rev)) as walk:
        touched = list(walk)
    found = []
    for number, file_commit in enumerate(touched):
        ahead = touched[number : number + _LOOK_AHEAD]
        blobs.expect(blob for each in ahead for blob in (each.blob, *each.before) if blob)
        taken = removed_by(file_commit, blobs)
        found.append(FileChange(file_commit, tuple(entry.identity for entry in taken)))
    return found


def _decoded(value: Any) -> _Stored:  # noqa: ANN401  (whatever the file holds)
    head, found = value
    return _Stored(str(head), tuple(_taking(*each) for each in found))


def _taking(file_commit: Any, taken: Any) -> FileChange:  # noqa: ANN401  (the same)
    commit, date, parents, path, blob, before = file_commit
    return FileChange(
        FileCommit(commit, date, tuple(parents), path, blob, tuple(before)), tuple(taken)
    )
