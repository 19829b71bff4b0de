"""Entries followed back through the versions of a file: one step between two versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.entry_changes import (
    comparable_line,
    counterpart,
    hidden_line,
    rewritten_pairs,
)
from learnings.core.text import chomp
from learnings.history.blobs import BlobReader


class Trail(NamedTuple):
    """The identity and first line of an entry in the version that it was followed to.

    moved_from is the file that it last came from, None if it was always in its own.
    """

    identity: str
    line: str
    reworded: bool = False
    moved_from: str | None = None

    def at(self, entry: Entry) -> Trail:
        """Return the trail with the name of the entry in another version."""
        return self._replace(identity=entry.identity, line=chomp(entry.lines[0]))


Trails = dict[Trail, int]
"""Trails that arrive at a version; the bits of the number stand for the followed entries."""


def joined(trails: Trails | None, more: Trails) -> Trails:
    """Return the trails of both; the same object if one of them has all."""
    if trails is None or trails is more or trails == more:
        return more
    return {trail: trails.get(trail, 0) | more.get(trail, 0) for trail in {**trails, **more}}


def without(trails: Trails, done: Trails | None) -> Trails:
    """Return the trails that were not followed from a version already."""
    if done is None:
        return trails
    if done is trails:
        return {}
    left = {trail: bits & ~done.get(trail, 0) for trail, bits in trails.items()}
    return {trail: bits for trail, bits in left.items() if bits}


class TrailStep(NamedTuple):
    """The trails that continue in each parent version, in blob order, and the rest."""

    before: tuple[Trails, ...]
    begins: Trails


def step_back(
    trails: Trails,
    blob: str,
    blobs_before: Sequence[str | None],
    blobs: BlobReader,
    *,
    is_ignored: bool = False,
) -> TrailStep:
    """Follow entries from a version to its parents, using another heading if necessary.

    is_ignored: entries that the commit rewrote keep their age.
    """
    parts = [_held(trails, blob, before, blobs) for before in blobs_before]
    left = _left(trails, parts)
    older = [before for before in blobs_before if before is not None]
    if left and older and not all(blobs.keeps_entries(before, blob) for before in older):
        for part, before in zip(parts, blobs_before, strict=True):
            if before is not None:
                others = tuple(other for other in older if other != before)
                part.update(_reworded(left, blob, before, others, blobs, is_ignored=is_ignored))
        left = _left(left, parts)
    return TrailStep(tuple(_arriving(trails, part) for part in parts), left)


def _left(trails: Trails, parts: Sequence[dict[Trail, Trail]]) -> Trails:
    held = parts[0] if len(parts) == 1 else set().union(*parts)
    return {trail: bits for trail, bits in trails.items() if trail not in held}


def _arriving(trails: Trails, part: dict[Trail, Trail]) -> Trails:
    """Return the continuing trails under their new names; the same object if all continue."""
    if len(part) == len(trails) and all(new is old for old, new in part.items()):
        return trails
    arriving: Trails = {}
    for old, new in part.items():
        arriving[new] = arriving.get(new, 0) | trails[old]
    return arriving


def _held(
    trails: Iterable[Trail], blob: str, before: str | None, blobs: BlobReader
) -> dict[Trail, Trail]:
    if before is None:
        return {}
    if before == blob:
        return {trail: trail for trail in trails}
    difference = blobs.difference(before, blob)
    held: dict[Trail, Trail] = {}
    for trail in trails:
        if difference.surely_holds(trail.line):
            held[trail] = trail
        elif not difference.surely_lacks(trail.line):
            older = _in_version(trail, blobs.document(blob), blobs.document(before))
            if older is not None:
                held[trail] = older
    return held


def _in_version(trail: Trail, new: Document, old: Document) -> Trail | None:
    entry = _entry(trail, new)
    older = counterpart(entry, new, old) if entry else old.by_identity.get(trail.identity)
    if older is not None:
        return trail.at(older)
    number = hidden_line(comparable_line(trail.line), new, old)
    if number is None:
        return None
    hidden = old.by_first_line.get(number)
    return trail.at(hidden) if hidden else trail._replace(line=chomp(old.lines[number - 1]))


def _entry(trail: Trail, version: Document) -> Entry | None:
    """Return the entry of a trail; another dialect may give the same line another identity."""
    entry = version.by_identity.get(trail.identity)
    if entry is not None:
        return entry
    same = [entry for entry in version.entries if chomp(entry.lines[0]) == trail.line]
    return same[0] if len(same) == 1 else None


def _reworded(
    trails: Iterable[Trail],
    blob: str,
    before: str,
    others: tuple[str, ...],
    blobs: BlobReader,
    *,
    is_ignored: bool,
) -> dict[Trail, Trail]:
    changes = blobs.changes(before, blob, *others)
    older = {new.identity: old for old, new in changes.reworded}
    if is_ignored:
        older = rewritten_pairs(changes) | older
    entries = ((trail, _entry(trail, blobs.document(blob))) for trail in trails if older)
    return {
        trail: trail.at(older[entry.identity])._replace(reworded=True)
        for trail, entry in entries
        if entry is not None and entry.identity in older
    }
