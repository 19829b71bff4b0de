"""A change of the memory by entry: added, removed (with new place) and reworded entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from learnings.consolidation.proof.results import LOSSES, FilePlace, Kind, Proof, Result
from learnings.consolidation.proof.search import FileTexts
from learnings.consolidation.proof.wording import WordChange
from learnings.core.entries.archives import part_finder

ADDED, CAME_BACK, REWORDED, MOVED = "added", "came-back", "reworded", "moved"
MERGED, ARCHIVED, DROPPED, HIDDEN, LOST = "merged", "archived", "dropped", "hidden", "lost"
KINDS = (ADDED, CAME_BACK, REWORDED, MOVED, MERGED, ARCHIVED, DROPPED, HIDDEN, LOST)
"""The kinds of changes of an entry, in the order of a summary."""

# By the start of a part's heading in an archive; the rest of the heading is the reason.
_KINDS_OF_PARTS = {
    "Dropped:": DROPPED,
    "Group: moved to ": MOVED,
    "Group: added to ": MERGED,
    "Group: joined ": MERGED,
    "Group:": MERGED,
}


class EntryChange(NamedTuple):
    """The change of one entry; kind is one of KINDS.

    before is its old place, None if it is new; after is the new place of the entry or its text,
    None if there is none. words are the changed words. reason says why it was dropped, what it
    was merged into or moved to, or how it was lost.
    """

    kind: str
    title: str
    identity: str
    before: FilePlace | None
    after: FilePlace | None
    words: tuple[WordChange, ...] = ()
    reason: str = ""


def changes_of(proof: Proof, archives: Mapping[str, bytes]) -> tuple[EntryChange, ...]:
    """Return the changes in the order of the files; archives are the new ones."""
    parts = {path: part_finder(data) for path, data in archives.items()}
    changes = []
    for result in (*proof.losses, *proof.notices, *proof.moves):
        if result.kind not in (Kind.DECISION, Kind.ROW):
            kind, place, reason = _outcome(result, parts)
            named = result.title, result.identity, result.before
            changes.append(EntryChange(kind, *named, place, result.changes, reason))
    texts = FileTexts(archives, (entry for _, entry in proof.added))
    taken = {change.after for change in changes if change.kind in (MOVED, REWORDED)}
    for path, entry in proof.added:
        place = FilePlace(path, entry.first)
        if place not in taken:
            kind = CAME_BACK if texts.place_of(entry) else ADDED
            changes.append(EntryChange(kind, entry.heading, entry.identity, None, place))
    nowhere = FilePlace("", 0)
    return tuple(sorted(changes, key=lambda change: change.before or change.after or nowhere))


def _outcome(
    result: Result, parts: Mapping[str, Callable[[int], str]]
) -> tuple[str, FilePlace | None, str]:
    """Return the kind of a change, the entry's new place, and the reason."""
    if result.kind in LOSSES:
        return LOST, result.copy, result.detail
    if result.kind in (Kind.REWORDED, Kind.SHORTENED):
        return REWORDED, result.after, ""
    place = result.copy or result.after
    if place.path in parts:
        heading = parts[place.path](place.line)
        start = next(filter(heading.startswith, _KINDS_OF_PARTS), heading)
        return _KINDS_OF_PARTS.get(start, ARCHIVED), place, heading.removeprefix(start).strip()
    if result.kind == Kind.COVERED:
        return MERGED, result.cover.place if result.cover else None, ""
    if result.kind == Kind.HIDDEN:
        return HIDDEN, place, result.missing[0]
    return ARCHIVED if result.kind == Kind.ARCHIVED else MOVED, place, ""
