"""All commits that changed a file, with the entries that each of them took out."""

from __future__ import annotations

from contextlib import closing
from typing import Any, NamedTuple

from learnings.core.entries.document import Entry
from learnings.history import activity
from learnings.history.blobs import Blobs
from learnings.history.git.cache import Cache, Key
from learnings.history.query import Place, Question
from learnings.history.removals import removed_by
from learnings.history.versions import Touch, touches

_LOOK_AHEAD = 8


class Taking(NamedTuple):
    """A commit that changed a file, and the identities of the entries that it took out."""

    touch: Touch
    taken: tuple[str, ...]

    def entry(self, identity: str, blobs: Blobs) -> Entry:
        """Return one of the entries as it was taken out."""
        before = (blobs.document(blob) for blob in self.touch.before if blob is not None)
        return next(v.by_identity[identity] for v in before if identity in v.by_identity)


def takings(question: Question, place: Place, blobs: Blobs, cache: Cache) -> tuple[Taking, ...]:
    """Return them all, in no order that means something; none where HEAD has no such file.

    What was found for an older HEAD is not looked for again, if only plain changes under the
    same name came after it. Raises UntrustedHistory.
    """
    if place.head_blob is None:
        return ()
    reading = question.reading
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
    found: tuple[Taking, ...]


def _continued(stored: _Stored, place: Place, blobs: Blobs) -> tuple[Taking, ...] | None:
    """Add what came since; None where the file was renamed, created or deleted meanwhile."""
    repository = place.repository
    if stored.head == repository.head:
        return stored.found
    if not activity.all_reachable(repository, (stored.head,), (repository.head,)):
        return None
    newer = _walk(place, blobs, f"{stored.head}..{repository.head}")
    plain = all(_is_plain(each.touch, place.path, blobs) for each in newer)
    return (*newer, *stored.found) if plain else None


def _is_plain(touch: Touch, path: str, blobs: Blobs) -> bool:
    """Say whether the file has one name before and after a commit: else older names may join."""
    known = (blobs.find(parent, path) for parent in touch.parents)
    return touch.path == path and touch.blob is not None and all(known)


def _walk(place: Place, blobs: Blobs, rev: str) -> list[Taking]:
    with closing(touches(place.repository, place.path, blobs, rev=rev)) as walk:
        touched = list(walk)
    found = []
    for number, touch in enumerate(touched):
        ahead = touched[number : number + _LOOK_AHEAD]
        blobs.expect(blob for each in ahead for blob in (each.blob, *each.before) if blob)
        taken = removed_by(touch, blobs)
        found.append(Taking(touch, tuple(entry.identity for entry in taken)))
    return found


def _decoded(value: Any) -> _Stored:  # noqa: ANN401  (whatever the file holds)
    head, found = value
    return _Stored(str(head), tuple(_taking(*each) for each in found))


def _taking(touch: Any, taken: Any) -> Taking:  # noqa: ANN401  (the same)
    commit, date, parents, path, blob, before = touch
    return Taking(Touch(commit, date, tuple(parents), path, blob, tuple(before)), tuple(taken))
