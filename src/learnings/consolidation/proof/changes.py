"""A change of the memory by entry: added, removed (with new place) and reworded entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.proof.locations import FileTexts
from learnings.consolidation.proof.losses import (
    ARCHIVED,
    COVERED,
    DECISION,
    HIDDEN,
    RETYPED,
    ROW,
    SHORTENED,
    FilePlace,
    Loss,
    Notice,
    Proof,
)
from learnings.consolidation.proof.wording import Likeness, WordChange
from learnings.core.entries.archives import part_headings
from learnings.core.markdown.blocks import blocks_of
from learnings.core.text import decode, split_lines

ADDED, CAME_BACK, REWORDED, MOVED = "added", "came-back", "reworded", "moved"
MERGED, DROPPED, LOST = "merged", "dropped", "lost"
KINDS = (ADDED, CAME_BACK, REWORDED, MOVED, MERGED, ARCHIVED, DROPPED, HIDDEN, LOST)
"""The kinds of changes of an entry, in the order of a summary."""

_GROUP, _DROPPED = "Group:", "Dropped:"
_Part = tuple[int, str]


class EntryChange(NamedTuple):
    """The change of one entry; kind is one of KINDS.

    before is its old place, None if it is new; after is the new place of the entry or its text,
    None if there is none. words are the changed words. reason says why it was dropped, the entry it
    was merged into, or how it was lost.
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
    parts = {path: _parts(data) for path, data in archives.items()}
    results: Sequence[Loss | Notice] = [*proof.losses, *proof.notices, *proof.moves]
    changes = []
    for result in results:
        if result.kind not in (DECISION, ROW):
            kind, place, reason = _outcome(result, parts)
            named = result.title, result.identity, result.before
            changes.append(EntryChange(kind, *named, place, result.changes, reason))
    texts = FileTexts({path: split_lines(decode(data)) for path, data in archives.items()})
    taken = {change.after for change in changes if change.kind in (MOVED, REWORDED)}
    for path, entry in proof.added:
        place = FilePlace(path, entry.first)
        if place not in taken:
            copy = texts.copy_of(entry)
            is_back = copy is not None and copy.likeness is Likeness.SAME
            kind = CAME_BACK if is_back else ADDED
            changes.append(EntryChange(kind, entry.heading, entry.identity, None, place))
    nowhere = FilePlace("", 0)
    return tuple(sorted(changes, key=lambda change: change.before or change.after or nowhere))


def _outcome(
    result: Loss | Notice, parts: Mapping[str, Sequence[_Part]]
) -> tuple[str, FilePlace | None, str]:
    """Return the kind of a change, the entry's new place, and the reason."""
    if isinstance(result, Loss):
        return LOST, result.altered, result.detail
    if result.kind in (REWORDED, SHORTENED):
        return REWORDED, result.after, ""
    place = result.archived or result.after
    if place.path in parts:
        above = (heading for line, heading in reversed(parts[place.path]) if line < place.line)
        return _of_part(next(above, ""), place)
    if result.kind == COVERED:
        return MERGED, result.cover.place if result.cover else None, ""
    if result.kind == HIDDEN:
        return HIDDEN, place, result.missing[0]
    return (MOVED if result.kind == RETYPED else result.kind), place, ""


def _of_part(heading: str, place: FilePlace) -> tuple[str, FilePlace, str]:
    if heading.startswith(_DROPPED):
        return DROPPED, place, heading.removeprefix(_DROPPED).strip()
    if heading.startswith(_GROUP):
        return MERGED, place, heading.removeprefix(_GROUP).strip()
    return ARCHIVED, place, ""


def _parts(archive: bytes) -> Sequence[_Part]:
    """Return the parts of an archive: their first lines, 1-based, and headings without `## `."""
    blocks = blocks_of(archive)
    return [(n, blocks.lines[n - 1].strip("# \t\r\n")) for n in part_headings(blocks)]
