"""When each entry of a file was added, from where it was followed back to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_

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
from learnings.history.file_history import FileHistory
from learnings.history.known import KnownOrigins
from learnings.history.lookback import Beginning, Known, Lookback, known_beginning
from learnings.history.moves import Arrival, uncommitted_arrivals
from learnings.history.trails import Trail, Trails, step_between

_FULL_DATE = len("2026-01-01")


def origins_of(
    document: Document,
    history: FileHistory,
    *,
    head_document: Document,
    ignored: frozenset[str],
    known: KnownOrigins | None = None,
) -> dict[str, Origin]:
    """Return the origin of each entry by identity.

    head_document is the file as HEAD has it. Where the document is another one, that of a working
    tree, it counts as a commit on top of HEAD. Where an entry can be followed through several
    parents of a merge, the oldest date counts. known belongs to an ancestor of HEAD.
    """
    trails = trails_of(document.entries)
    came: Sequence[Arrival] = ()
    if document is not head_document:
        new = trails
        trails = step_between(new, document, head_document)
        begun = {trail: bits for trail, bits in new.items() if not bits & _bits(trails)}
        came = uncommitted_arrivals(document, begun, history) if begun else ()
    committed = reduce(or_, map(_bits, (trails, *(arrival.trails for arrival in came))))
    beginnings = (
        history.unless_renamed(lambda: _since(known, trails, came, history, ignored))
        if known
        else None
    )
    if beginnings is None:
        beginnings = history.through_renames(
            lambda: Lookback(history, ignored).beginnings(trails, arrivals=came)
        )
    origins = _oldest(document.entries, beginnings, history.boundary)
    return {
        entry.identity: origins[entry.identity] if committed >> index & 1 else Origin(UNCOMMITTED)
        for index, entry in enumerate(document.entries)
    }


def origins_at(
    document: Document,
    history: FileHistory,
    commit: str,
    *,
    ignored: frozenset[str],
    known: Known,
) -> dict[str, Origin]:
    """Return the origins of the version in a commit that touches the file, by identity."""
    inherited = history.through_renames(lambda: _inherited(document, history, commit, known))
    entries = [entry for entry in document.entries if entry.identity not in inherited]
    trails = trails_of(entries)
    beginnings = history.through_renames(
        lambda: Lookback(history, ignored, known=known).beginnings(trails, commit)
    )
    return _oldest(entries, beginnings, history.boundary) | inherited


def _inherited(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, Origin]:
    """Return the origins of the entries that each version back to a known one surely has.

    Most versions differ from the one before by an entry, so that few are left to be followed.
    """
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


def _oldest(
    entries: Sequence[Entry], beginnings: Iterable[Beginning], boundary: frozenset[str]
) -> dict[str, Origin]:
    oldest: dict[int, Beginning] = {}
    for beginning in beginnings:
        for index in _indexes(beginning.bits):
            if index not in oldest or _order(beginning) < _order(oldest[index]):
                oldest[index] = beginning
    return {
        entry.identity: _origin(entry, oldest.get(index), boundary)
        for index, entry in enumerate(entries)
    }


def _since(
    known: KnownOrigins,
    trails: Trails,
    came: Sequence[Arrival],
    history: FileHistory,
    ignored: frozenset[str],
) -> list[Beginning] | None:
    """Return where entries began, from the commits since an older head and what is known of that.

    None where that does not say it: where a branch from before then changed the file.
    """
    search = Lookback(history, ignored, since=known.head)
    beginnings = search.beginnings(trails, arrivals=came)
    if search.has_unnamed:
        return None
    for commit, arrived in search.arrived.items():
        if commit != known.head and history.blobs.find(commit, history.path) != known.blob:
            return None
        for trail, bits in arrived.items():
            beginning = known_beginning(trail, bits, known.origins)
            if beginning is None:
                return None
            beginnings.append(beginning)
    return beginnings


def _bits(trails: Trails) -> int:
    """Return the entries of all the trails."""
    return reduce(or_, trails.values(), 0)


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
        return Origin(UNKNOWN, reason="no commit of its history brought it in; run git fsck")
    if beginning.commit in boundary and entry.stated and len(entry.stated) >= _FULL_DATE:
        return Origin(STATED_DATE, entry.stated[:_FULL_DATE], beginning.commit)
    if beginning.date in ("", LATEST):
        return Origin(UNKNOWN, None, beginning.commit, _undated(beginning))
    if beginning.trail.reworded:
        return Origin(RENAMED_HEADING, beginning.date, beginning.commit)
    moved_from = beginning.trail.moved_from
    basis = MOVED if moved_from else COMMIT
    return Origin(basis, beginning.date, beginning.commit, moved_from=moved_from)


def _undated(beginning: Beginning) -> str:
    commit = short_commit(beginning.commit)
    if beginning.date:
        return f"commit {commit} is dated later than the year 9999"
    return f"commit {commit} has no author date that can be read"
