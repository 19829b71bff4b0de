"""The origins of the entries of a file, from the commits found by lookback."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from learnings.core.due.ages import (
    COMMIT,
    LATEST,
    MOVED,
    RENAMED_HEADING,
    STATED_DATE,
    UNCOMMITTED,
    UNKNOWN,
    Origin,
)
from learnings.core.entries.document import Document, Entry
from learnings.core.text import chomp, short_commit
from learnings.history.blobs import WORK_TREE
from learnings.history.file_changes import FileChange
from learnings.history.file_history import FileHistory
from learnings.history.lookback import Beginning, Known, Lookback
from learnings.history.trails import Trail, Trails

_FULL_DATE = len("2026-01-01")


def find_origins(history: FileHistory) -> dict[str, Origin]:
    """Return the origins of the text's entries by identity; raises UntrustedHistory.

    If several parents of a merge had an entry, the oldest date counts.
    """
    entries = history.document.entries
    trails = trails_of(entries)
    beginnings = history.through_renames(lambda: Lookback(history).from_text(trails))
    return _by_identity(entries, beginnings, history.boundary)


def find_origins_since(
    old_head: str, known: Mapping[str, Origin], history: FileHistory
) -> dict[str, Origin] | None:
    """Return the origins from the commits since an older head; None if these do not suffice.

    known are the origins of the entries at the older head.
    """
    entries = history.document.entries
    search = Lookback(history, known={old_head: known}, since=old_head)
    beginnings = history.in_part(lambda: search.from_text(trails_of(entries)))
    return None if beginnings is None else _by_identity(entries, beginnings, history.boundary)


def find_origins_at(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, Origin]:
    """Return the origins of the version in a commit that touches the file, by identity."""
    inherited = history.through_renames(lambda: _inherited(document, history, commit, known))
    entries = [entry for entry in document.entries if entry.identity not in inherited]
    starts = {commit: trails_of(entries)}
    beginnings = history.through_renames(
        lambda: Lookback(history, known=known).from_versions(starts)
    )
    return _by_identity(entries, beginnings, history.boundary) | inherited


def find_origins_before(
    removed: Sequence[tuple[FileChange, str]], history: FileHistory, known: Known
) -> list[Origin]:
    """Return the origins of entries that commits removed, given with their identities."""
    entries = [change.entry(identity, history.blobs) for change, identity in removed]
    beginnings = history.through_renames(
        lambda: Lookback(history, known=known).from_versions(_before(removed, history))
    )
    return _oldest(entries, beginnings, history.boundary)


def _before(removed: Sequence[tuple[FileChange, str]], history: FileHistory) -> dict[str, Trails]:
    graph, blobs = history.graph(), history.blobs
    starts: dict[str, Trails] = {}
    for index, (change, identity) in enumerate(removed):
        commit = graph.commit(change.commit)
        for parent, blob in zip(commit.parents, change.before, strict=True) if commit else ():
            if blob is not None:
                entry = blobs.document(blob).by_identity[identity]
                trail = Trail(identity, chomp(entry.lines[0]))
                trails = starts.setdefault(parent, {})
                trails[trail] = trails.get(trail, 0) | 1 << index
    return starts


def _inherited(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, Origin]:
    """Return origins of entries (most of them) that all versions since a known one have."""
    graph = history.graph()
    lines = {entry.identity: entry.lines[0] for entry in document.entries}
    version = graph.commit(commit)
    while version is not None and version.commit not in known:
        if len(version.parents) != 1:
            return {}
        [before], blob = graph.blobs_before(version), graph.blob(version.commit)
        if before is None or blob is None:
            return {}
        if before != blob:
            difference = history.blobs.difference(before, blob)
            lines = {i: line for i, line in lines.items() if difference.surely_holds(line)}
        version = graph.commit(version.parents[0])
    origins = known[version.commit] if version else {}
    return {i: origins[i] for i in lines if i in origins and origins[i].date}


def trails_of(entries: Sequence[Entry]) -> Trails:
    """Return a trail for each entry, with the bit of its number."""
    return {
        Trail(entry.identity, chomp(entry.lines[0])): 1 << index
        for index, entry in enumerate(entries)
    }


def _by_identity(
    entries: Sequence[Entry], beginnings: Iterable[Beginning], boundary: frozenset[str]
) -> dict[str, Origin]:
    origins = _oldest(entries, beginnings, boundary)
    return {entry.identity: origin for entry, origin in zip(entries, origins, strict=True)}


def _oldest(
    entries: Sequence[Entry], beginnings: Iterable[Beginning], boundary: frozenset[str]
) -> list[Origin]:
    oldest: dict[int, Beginning] = {}
    for beginning in beginnings:
        for index in _indexes(beginning.bits):
            if index not in oldest or _order(beginning) < _order(oldest[index]):
                oldest[index] = beginning
    return [_origin(entry, oldest.get(index), boundary) for index, entry in enumerate(entries)]


def _indexes(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _order(beginning: Beginning) -> tuple[str, str, bool, str]:
    trail = beginning.trail
    return beginning.date or LATEST, beginning.commit, trail.reworded, trail.moved_from or ""


def _origin(entry: Entry, beginning: Beginning | None, boundary: frozenset[str]) -> Origin:
    if beginning is None:
        return Origin(UNKNOWN, reason="no commit in its history added it; run git fsck")
    if beginning.commit == WORK_TREE:
        return Origin(UNCOMMITTED)
    if beginning.commit in boundary and entry.stated and len(entry.stated) >= _FULL_DATE:
        return Origin(STATED_DATE, entry.stated[:_FULL_DATE], beginning.commit)
    if beginning.date in ("", LATEST):
        commit = short_commit(beginning.commit)
        problem = "has no readable author date"
        if beginning.date:
            problem = "is dated after the year 9999"
        return Origin(UNKNOWN, None, beginning.commit, f"commit {commit} {problem}")
    if beginning.trail.reworded:
        return Origin(RENAMED_HEADING, beginning.date, beginning.commit)
    moved_from = beginning.trail.moved_from
    basis = MOVED if moved_from else COMMIT
    return Origin(basis, beginning.date, beginning.commit, moved_from=moved_from)
