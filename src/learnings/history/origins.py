"""The search for the commits that brought in the entries of a file, and their origins."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import NamedTuple

from learnings.core.due import ages
from learnings.core.due.verdicts import Departure
from learnings.core.entries.document import Document, Entry
from learnings.core.text import chomp, short_commit
from learnings.history.activity import raw_day
from learnings.history.blobs import WORK_TREE
from learnings.history.file_graph import FileGraph, GraphCommit, title_sum
from learnings.history.file_history import FileHistory
from learnings.history.removals import FileChange, Removal, last_removals, removals_of
from learnings.history.trails import (
    End,
    Trail,
    Trails,
    add,
    arrivals,
    entry_of,
    step_back,
    without_bits,
)

Known = Mapping[str, Mapping[str, ages.Origin]]
"""The origins of entries in versions of the file that were followed before, by commit."""
NOTHING_KNOWN: Known = {}

_Pending = dict[FileGraph, dict[str, Trails]]
"""The trails that arrive at commits of files."""


class _Beginning(NamedTuple):
    """The commit that brought in an entry, and the trail with its name at the time.

    date is the author's ISO day, empty if unreadable.
    """

    commit: str
    date: str
    trail: Trail

    def order(self) -> tuple[object, ...]:
        way = self.trail.gap or (), self.trail.reworded, self.trail.moved_from or ""
        return self.date or ages.LATEST, self.commit, *way


class Lookback:
    """One search for the beginnings of entries, through the graphs of all their files.

    Through the parents of a merge, an entry can have several beginnings; the oldest counts. Entries
    of known versions are not followed again. graph is that of the file, of all commits or of those
    since a known one.
    """

    def __init__(
        self, history: FileHistory, graph: FileGraph | None = None, known: Known = NOTHING_KNOWN
    ) -> None:
        self._history = history
        self._own = graph or history.graph()
        self._known = known
        self._oldest: dict[int, _Beginning] = {}
        self._done: dict[tuple[str, str], Trails] = {}
        self.is_complete = True
        """False if entries left the commits since the known one without a known origin."""

    def of_text(self) -> dict[str, ages.Origin]:
        """Return the origins of the entries of the history's text by identity."""
        history, pending = self._history, _Pending()
        entries = history.document.entries
        trails = trails_of(entries)
        if history.rev is None:
            # The working tree counts as the commit that it would become, of all files git tracks.
            commit = GraphCommit(WORK_TREE, "", (history.repository.head,), touches=True)
            [trails], begins = step_back(trails, WORK_TREE, (history.head_blob,), history.blobs)
            if begins:
                end = End(history.path, commit, WORK_TREE, begins)
                self._elsewhere(self._own, [end], pending)
        if trails:
            tip = next(iter(self._own.commits.values()), None)
            start = tip.commit if tip else history.repository.head
            pending.setdefault(self._own, {})[start] = trails
        return dict(zip((e.identity for e in entries), self.follow(pending, entries), strict=True))

    def of_part(self, end: End) -> ages.Origin | None:
        """Return the origin of text that a commit took from other files, or None."""
        pending = _Pending()
        [diffs] = self._history.blobs.diffs([end.commit.commit]).values()
        for arrival in arrivals(end, diffs, self._history, known=-1):
            self._arrive(pending, arrival)
        [origin] = self.follow(pending, [None])
        return origin if self._oldest else None

    def follow(self, pending: _Pending, entries: Sequence[Entry | None]) -> list[ages.Origin]:
        """Return the origins of entries whose trails arrive at commits that touch their file."""
        while pending:
            ends = {graph: self._settle(graph, arriving) for graph, arriving in pending.items()}
            pending = {}
            self._history.blobs.diffs([end.commit.commit for end in chain(*ends.values())])
            for graph, group in ends.items():
                self._elsewhere(graph, group, pending)
        boundary = self._history.blobs.boundary
        return [_origin(e, self._oldest.get(i), boundary) for i, e in enumerate(entries)]

    def _settle(self, graph: FileGraph, pending: dict[str, Trails]) -> list[End]:
        """Follow trails through a graph, children before their parents, until none is open."""
        ends: list[End] = []
        while pending:
            name = min(pending, key=lambda name: graph.ranks.get(name, -1))
            trails = self._new(graph, name, pending.pop(name))
            commit = graph.commits.get(name)
            if commit is None:
                self.is_complete = self.is_complete and not (graph.since and trails)
            elif trails:
                for parent, part in self._step(graph, commit, trails, ends):
                    add(pending, parent, part)
        return ends

    def _new(self, graph: FileGraph, commit: str, trails: Trails) -> Trails:
        """Return the trails that no search has followed from a commit, in this run or before."""
        place = graph.path, commit
        done = self._done.get(place)
        add(self._done, place, trails)
        if done is trails:
            return {}
        if done is not None:
            new = {trail: bits & ~done.get(trail, 0) for trail, bits in trails.items()}
            trails = {trail: bits for trail, bits in new.items() if bits}
        # Trails leave the newer commits to ones with the known version.
        version = commit if commit in graph.commits else graph.since or commit
        origins = self._known.get(version) if graph is self._own else None
        return trails if origins is None else self._unknown(trails, origins)

    def _unknown(self, trails: Trails, origins: Mapping[str, ages.Origin]) -> Trails:
        """Begin trails whose entries have a known origin; return the others."""
        left: Trails = {}
        for trail, bits in trails.items():
            origin = origins.get(trail.identity)
            if origin is None or origin.commit is None or origin.date is None:
                left[trail] = bits
                continue
            older = trail._replace(
                reworded=trail.reworded or origin.basis == ages.RENAMED_HEADING,
                moved_from=trail.moved_from or origin.moved_from,
                gap=trail.gap or origin.gap,
            )
            self._begin(_Beginning(origin.commit, origin.date, older), bits)
        return left

    def _begin(self, beginning: _Beginning, bits: int) -> None:
        while bits:
            lowest = bits & -bits
            index = lowest.bit_length() - 1
            oldest = self._oldest.setdefault(index, beginning)
            if oldest is not beginning and beginning.order() < oldest.order():
                self._oldest[index] = beginning
            bits ^= lowest

    def _step(
        self, graph: FileGraph, commit: GraphCommit, trails: Trails, ends: list[End]
    ) -> Iterator[tuple[str, Trails]]:
        if not commit.touches:
            yield from ((parent, trails) for parent in commit.parents)
            return
        path, blob = graph.file_in(commit.commit)
        if path is None or blob is None:
            return
        is_ignored = commit.commit in self._history.ignored.commits
        before = graph.blobs_before(commit)
        parts, begins = step_back(trails, blob, before, self._history.blobs, is_ignored=is_ignored)
        if begins:
            ends.append(End(path, commit, blob, begins))
            self._history.blobs.compare([commit.commit])
        yield from ((p, part) for p, part in zip(commit.parents, parts, strict=False) if part)

    def _elsewhere(self, graph: FileGraph, ends: Sequence[End], pending: _Pending) -> None:
        """Continue entries that begin at some commits at their earlier places."""
        diffs = self._history.blobs.diffs([end.commit.commit for end in ends])
        for end in ends:
            restored = self._restored(graph, end) if graph.path in self._own.names else {}
            back = reduce(or_, (end.trails[trail] for trail in restored), 0)
            left = without_bits(end.trails, back)
            meanwhile: dict[int, str] = {}
            for arrival in arrivals(end, diffs[end.commit.commit], self._history, back):
                meanwhile |= {bits: arrival.path for bits in arrival.trails.values() if bits & back}
                there = without_bits(arrival.trails, back)
                self._arrive(pending, arrival._replace(trails=there))
                for bits in there.values():
                    left = without_bits(left, bits)
            day_back = "" if end.commit.commit == WORK_TREE else end.commit.date
            for trail, removals in restored.items():
                bits = end.trails[trail]
                path = next((meanwhile[other] for other in meanwhile if other & bits), None)
                for removal in removals:
                    gap = trail.gap or (removal.commit.date, day_back)
                    older = trail.at(removal.entry)._replace(
                        gap=gap, moved_from=trail.moved_from or path
                    )
                    add(pending.setdefault(graph, {}), removal.parent, {older: bits})
            date = raw_day(end.commit.author_time)
            for trail, bits in left.items():
                self._begin(_Beginning(end.commit.commit, date, trail), bits)

    def _restored(self, graph: FileGraph, end: End) -> dict[Trail, list[Removal]]:
        """Return the entries that were in the file before, with their last removals."""
        restored: dict[Trail, list[Removal]] = {}
        for trail in end.trails:
            if title_sum(trail.line) in graph.gone:
                entry = entry_of(trail, self._history.blobs.document(end.blob))
                removals = last_removals(graph, end.commit.commit, entry) if entry else []
                restored |= {trail: removals} if removals else {}
        return restored

    def _arrive(self, pending: _Pending, arrival: End) -> None:
        """Add the commits at which entries of another file can be followed."""
        if not arrival.trails:
            return
        is_own = arrival.path == self._own.path
        graph = self._own if is_own else self._history.graph(arrival.path)
        newest, names = self._history.repository.head, None
        if arrival.commit.commit != WORK_TREE:
            newest = arrival.commit.commit
            commit = graph.commits.get(newest)
            if commit is not None and commit.touches:
                names = [parent for parent in commit.parents if graph.blob(parent) == arrival.blob]
        if names is None:  # it copied from a file that it did not change
            options = ("--full-history", "--parents", "--max-count=1")
            tip = self._history.repository.run("rev-list", *options, newest, "--", arrival.path)
            names = tip.decode("ascii").split()[:1]
        for name in names:
            add(pending.setdefault(graph, {}), name, arrival.trails)


_FULL_DATE = len("2026-01-01")


def find_origins_since(
    graph: FileGraph,
    known: Mapping[str, ages.Origin],
    removed: Collection[int],
    history: FileHistory,
) -> dict[str, ages.Origin] | None:
    """Return the origins from the commits since an older head; None if these do not suffice.

    known are the origins of the entries at the older head, removed what left the file up to it:
    an entry with such a title may have come back.
    """
    for entry in history.document.entries:
        title = title_sum(entry.lines[0])
        if title in graph.gone or (title in removed and entry.identity not in known):
            return None
    search = Lookback(history, graph, {graph.since or "": known})
    origins = search.of_text()
    return origins if search.is_complete else None


def find_origin_of_part(path: str, commit: str, history: FileHistory) -> ages.Origin | None:
    """Return the origin of the text of a file that a commit created from a part of another one.

    The first line below the front matter stands for it. None if no other file had it.
    """
    blob = history.blobs.find(commit, path)
    if blob is None:
        return None
    document = history.blobs.document(blob)
    lines = (line for line in document.lines[document.front_matter :] if line.strip())
    line = next(lines, None)
    trails = {Trail("", chomp(line)): 1} if line is not None else {}
    commit_of_end = GraphCommit(commit, "", (), touches=True)
    return Lookback(history).of_part(End(path, commit_of_end, blob, trails))


def find_origins_at(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, ages.Origin]:
    """Return the origins of the version in a commit that touches the file, by identity."""
    inherited = _inherited(document, history, commit, known)
    entries = [entry for entry in document.entries if entry.identity not in inherited]
    pending = {history.graph(): {commit: trails_of(entries)}}
    origins = Lookback(history, known=known).follow(pending, entries)
    return dict(zip((e.identity for e in entries), origins, strict=True)) | inherited


def _inherited(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, ages.Origin]:
    """Return origins of entries (most of them) that all versions since a known one have.

    Following them would make a replay of 10,000 lines an eighth slower.
    """
    graph = history.graph()
    lines = {entry.identity: entry.lines[0] for entry in document.entries}
    version = graph.commits.get(commit)
    while version is not None and version.commit not in known:
        if len(version.parents) != 1:
            return {}
        [before], blob = graph.blobs_before(version), graph.blob(version.commit)
        if before is None or blob is None:
            return {}
        if before != blob:
            change = history.blobs.version_change(before, blob)
            lines = {i: line for i, line in lines.items() if change.holds(line)}
        version = graph.commits.get(version.parents[0])
    origins = known[version.commit] if version else {}
    return {i: origins[i] for i in lines if i in origins and origins[i].date}


def departures(history: FileHistory) -> tuple[Departure, ...]:
    """Return the entries removed since the last consolidation; raises UntrustedHistory."""
    if history.head_blob is None:
        return ()

    def decode(rows: list[list[str]]) -> tuple[Departure, ...]:
        return tuple(Departure(*row) for row in rows)

    def read(_: FileGraph, known: tuple[Departure, ...] | None) -> tuple[Departure, ...] | None:
        if known is not None:
            return None
        changes, _consolidations = removals_of(history, since_beginning=False)
        return departures_by(changes, history)

    return history.answer("departures", decode, read)


def departures_by(
    changes: Sequence[FileChange], history: FileHistory, known: Known = NOTHING_KNOWN
) -> tuple[Departure, ...]:
    """Return the entries that commits removed; known are the origins of versions."""
    graph, blobs = history.graph(), history.blobs
    rows = [(change, removed) for change in changes for removed in change.removed]
    entries = [removed.entry(blobs) for _, removed in rows]
    starts: dict[str, Trails] = {}
    for index, (change, removed) in enumerate(rows):
        commit = graph.commits.get(change.commit)
        for parent, blob in zip(commit.parents, change.before, strict=True) if commit else ():
            if blob is not None:
                older = blobs.document(blob).by_identity.get(removed.identity) or entries[index]
                trail = Trail(removed.identity, chomp(older.lines[0]))
                trails = starts.setdefault(parent, {})
                trails[trail] = trails.get(trail, 0) | 1 << index
    origins = Lookback(history, known=known).follow({graph: starts}, entries)
    return tuple(
        Departure(removed.identity, origin.arrived or change.date, change.date)
        for (change, removed), origin in zip(rows, origins, strict=True)
    )


def trails_of(entries: Sequence[Entry]) -> Trails:
    """Return a trail for each entry, with the bit of its number."""
    return {
        Trail(entry.identity, chomp(entry.lines[0])): 1 << index
        for index, entry in enumerate(entries)
    }


def _origin(
    entry: Entry | None, beginning: _Beginning | None, boundary: frozenset[str]
) -> ages.Origin:
    if beginning is None:
        return ages.Origin(ages.UNKNOWN, reason="no commit in its history added it; run git fsck")
    if beginning.commit == WORK_TREE:
        return ages.Origin(ages.UNCOMMITTED)
    stated = entry.stated or "" if entry else ""
    if beginning.commit in boundary and len(stated) >= _FULL_DATE:
        return ages.Origin(ages.STATED_DATE, stated[:_FULL_DATE], beginning.commit)
    if beginning.date in ("", ages.LATEST):
        commit = short_commit(beginning.commit)
        problem = "has no readable author date"
        if beginning.date:
            problem = "is dated after the year 9999"
        return ages.Origin(ages.UNKNOWN, None, beginning.commit, f"commit {commit} {problem}")
    _, _, reworded, moved_from, gap = beginning.trail
    if gap is None and reworded:
        return ages.Origin(ages.RENAMED_HEADING, beginning.date, beginning.commit)
    basis = ages.RESTORED if gap else ages.MOVED if moved_from else ages.COMMIT
    return ages.Origin(basis, beginning.date, beginning.commit, None, moved_from, gap)
