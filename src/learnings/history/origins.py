"""The search for the commits that brought in the entries of a file, and their origins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, islice
from operator import or_
from typing import NamedTuple

from learnings.core.due import ages
from learnings.core.entries.document import Document, Entry
from learnings.core.text import chomp, encode, short_commit
from learnings.history.activity import raw_day
from learnings.history.blobs import WORK_TREE
from learnings.history.file_changes import FileChange, Removed
from learnings.history.file_graph import FileGraph, GraphCommit
from learnings.history.file_history import FileHistory
from learnings.history.returns import Removal, title_sum
from learnings.history.trails import (
    End,
    Trail,
    Trails,
    arrivals,
    entry_of,
    joined,
    step_back,
    without,
    without_bits,
)


class Beginning(NamedTuple):
    """The commit that brought in entries; trail has their names at the time.

    date is the author's ISO day, empty if unreadable.
    """

    commit: str
    date: str
    trail: Trail
    bits: int


Known = Mapping[str, Mapping[str, ages.Origin]]
"""The origins of entries in versions of the file that were followed before, by commit."""
NOTHING_KNOWN: Known = {}

_Pending = dict[str, dict[str, Trails]]
"""The trails that arrive at commits of files, by path and commit."""


class Lookback:
    """One search for the beginnings of entries, through the graphs of all their files.

    Through the parents of a merge, an entry can have several beginnings. Entries of known versions
    are not followed again. graph is that of the file, of all commits or of those since a known one.
    """

    def __init__(
        self, history: FileHistory, graph: FileGraph | None = None, known: Known = NOTHING_KNOWN
    ) -> None:
        self._history = history
        self._own = graph or history.graph()
        self._known = known
        self._beginnings: list[Beginning] = []
        self._done: dict[tuple[str, str], Trails] = {}
        self.is_complete = True
        """False if entries left the commits since the known one without a known origin."""

    def from_text(self, trails: Trails) -> list[Beginning]:
        """Return the beginnings of the entries of the history's text."""
        history, pending = self._history, _Pending()
        path = history.path
        if history.rev is None:
            # The working tree counts as the commit that it would become, of all files git tracks.
            commit = GraphCommit(WORK_TREE, "", (history.repository.head,), touches=True)
            step = step_back(trails, WORK_TREE, (history.head_blob,), history.blobs)
            if step.begins:
                end = End(path, commit, WORK_TREE, step.begins)
                self._elsewhere(self._own, [end], pending)
            trails = step.before[0]
        if trails:
            tip = next(iter(self._own), None)
            start = tip.commit if tip else history.repository.head
            pending.setdefault(path, {})[start] = trails
        return self._follow(pending)

    def from_versions(self, starts: Mapping[str, Trails]) -> list[Beginning]:
        """Return the beginnings of entries of versions, given by commits that touch the file."""
        return self._follow({self._history.path: dict(starts)})

    def from_other_files(self, end: End) -> list[Beginning]:
        """Return the beginnings of text that a commit took from other files that it changed."""
        pending: _Pending = {}
        [diffs] = self._history.changes.of([end.commit.commit]).values()
        for arrival in arrivals(end, diffs, self._history, known=-1):
            for name in self._entrances(arrival):
                self._arrive(pending, arrival.path, name, arrival.trails)
        return self._follow(pending)

    def _follow(self, pending: _Pending) -> list[Beginning]:
        while pending:
            ends = {
                graph: self._settle(graph, arriving)
                for graph, arriving in [(self._graph(name), pending[name]) for name in pending]
            }
            pending = {}
            self._history.changes.of([end.commit.commit for end in chain(*ends.values())])
            for graph, group in ends.items():
                self._elsewhere(graph, group, pending)
        return self._beginnings

    def _graph(self, path: str) -> FileGraph:
        return self._own if path == self._history.path else self._history.graph(path)

    def _settle(self, graph: FileGraph, pending: dict[str, Trails]) -> list[End]:
        """Follow trails through a graph, children before their parents, until none is open."""
        ends: list[End] = []
        while pending:
            name = min(pending, key=lambda name: graph.ranks.get(name, -1))
            trails = self._not_done(graph.path, name, pending.pop(name))
            commit = graph.commit(name)
            if commit is None:
                self._leave(graph, trails)
            elif trails:
                for parent, part in self._step(graph, commit, trails, ends):
                    pending[parent] = joined(pending.get(parent), part)
        return ends

    def _leave(self, graph: FileGraph, trails: Trails) -> None:
        """Use known origins where trails leave the newer commits: to one with the known version."""
        if graph is self._own and graph.since is not None:
            left = self._without_known(trails, self._known[graph.since])
            self.is_complete = self.is_complete and not left

    def _not_done(self, path: str, commit: str, trails: Trails) -> Trails:
        done = self._done.get((path, commit))
        self._done[path, commit] = joined(done, trails)
        new = without(trails, done)
        origins = self._known.get(commit) if path == self._history.path else None
        return new if origins is None else self._without_known(new, origins)

    def _without_known(self, trails: Trails, origins: Mapping[str, ages.Origin]) -> Trails:
        """Use the known origins of a version; return the trails without one."""
        left: Trails = {}
        for trail, bits in trails.items():
            origin = origins.get(trail.identity)
            if origin is None or origin.commit is None or origin.date is None:
                left[trail] = bits
            else:
                reworded = trail.reworded or origin.basis == ages.RENAMED_HEADING
                moved_from = trail.moved_from or origin.moved_from
                gap = trail.gap or origin.gap
                older = trail._replace(reworded=reworded, moved_from=moved_from, gap=gap)
                self._beginnings.append(Beginning(origin.commit, origin.date, older, bits))
        return left

    def _step(
        self, graph: FileGraph, commit: GraphCommit, trails: Trails, ends: list[End]
    ) -> Iterator[tuple[str, Trails]]:
        if not commit.touches:
            yield from ((parent, trails) for parent in commit.parents)
            return
        path, blob = graph.path_in(commit.commit), graph.blob(commit.commit)
        if path is None or blob is None:
            return
        before = graph.blobs_before(commit)
        is_ignored = commit.commit in self._history.ignored.commits
        step = step_back(trails, blob, before, self._history.blobs, is_ignored=is_ignored)
        if step.begins:
            ends.append(End(path, commit, blob, step.begins))
            self._history.changes.ask(commit.commit)
        yield from ((p, part) for p, part in zip(commit.parents, step.before, strict=False) if part)

    def _elsewhere(self, graph: FileGraph, ends: Sequence[End], pending: _Pending) -> None:
        """Continue entries that begin at some commits at their earlier places."""
        diffs = self._history.changes.of([end.commit.commit for end in ends])
        for end in ends:
            restored = self._restored(graph, end) if self._history.is_own(graph.path) else {}
            back = reduce(or_, (end.trails[trail] for trail in restored), 0)
            left = {trail: bits & ~back for trail, bits in end.trails.items()}
            meanwhile: dict[int, str] = {}
            for arrival in arrivals(end, diffs[end.commit.commit], self._history, back):
                meanwhile |= {bits: arrival.path for bits in arrival.trails.values() if bits & back}
                there = without_bits(arrival.trails, back)
                for name in self._entrances(arrival) if there else ():
                    self._arrive(pending, arrival.path, name, there)
                for bits in there.values():
                    left = {trail: rest & ~bits for trail, rest in left.items()}
            for trail, removals in restored.items():
                bits = end.trails[trail]
                path = next((meanwhile[other] for other in meanwhile if other & bits), None)
                for removal in removals:
                    gap = trail.gap or (removal.commit.date, _day_back(end.commit))
                    older = trail.at(removal.entry)._replace(
                        gap=gap, moved_from=trail.moved_from or path
                    )
                    self._arrive(pending, graph.path, removal.parent, {older: bits})
            date = raw_day(end.commit.author_time)
            self._beginnings += (
                Beginning(end.commit.commit, date, trail, bits)
                for trail, bits in left.items()
                if bits
            )

    def _arrive(self, pending: _Pending, path: str, commit: str, trails: Trails) -> None:
        commits = pending.setdefault(path, {})
        commits[commit] = joined(commits.get(commit), trails)

    def _restored(self, graph: FileGraph, end: End) -> dict[Trail, list[Removal]]:
        """Return the entries that were in the file before, with their last removals."""
        returns = self._history.returns(graph)
        restored: dict[Trail, list[Removal]] = {}
        for trail in end.trails:
            if title_sum(encode(trail.line)) in returns.removed:
                entry = entry_of(trail, self._history.blobs.document(end.blob))
                removals = returns.before(end.commit.commit, entry) if entry else []
                restored |= {trail: removals} if removals else {}
        return restored

    def _entrances(self, arrival: End) -> list[str]:
        newest = self._history.repository.head
        if arrival.commit.commit != WORK_TREE:
            graph, newest = self._graph(arrival.path), arrival.commit.commit
            commit = graph.commit(newest)
            if commit is not None and commit.touches:
                return [parent for parent in commit.parents if graph.blob(parent) == arrival.blob]
        # It copied from a file that it did not change.
        options = ("--full-history", "--parents", "--max-count=1")
        tip = self._history.repository.run("rev-list", *options, newest, "--", arrival.path)
        return tip.decode("ascii").split()[:1]


def _day_back(commit: GraphCommit) -> str:
    return "" if commit.commit == WORK_TREE else commit.date


_FULL_DATE = len("2026-01-01")


def find_origins(history: FileHistory) -> dict[str, ages.Origin]:
    """Return the origins of the text's entries by identity; raises UntrustedHistory.

    If several parents of a merge had an entry, the oldest date counts.
    """
    entries = history.document.entries
    beginnings = Lookback(history).from_text(trails_of(entries))
    return _by_identity(entries, beginnings, history.boundary)


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
    entries = history.document.entries
    gone = history.returns(graph).removed
    for entry in entries:
        title = title_sum(encode(entry.lines[0]))
        if title in gone or (title in removed and entry.identity not in known):
            return None
    search = Lookback(history, graph, {graph.since or "": known})
    beginnings = search.from_text(trails_of(entries))
    if not search.is_complete:
        return None
    return _by_identity(entries, beginnings, history.boundary)


def find_origin_of_part(path: str, commit: str, history: FileHistory) -> ages.Origin | None:
    """Return the origin of the text of a file that a commit created from a part of another one.

    The first line below the front matter stands for it. None if no other file had it.
    """
    blob = history.blobs.find(commit, path)
    if blob is None:
        return None
    document = history.blobs.document(blob)
    lines = (line for line in document.lines[document.front_matter :] if line.strip())
    trails = {Trail("", chomp(line)): 1 for line in islice(lines, 1)}
    end = End(path, GraphCommit(commit, "", (), touches=True), blob, trails)
    found = Lookback(history).from_other_files(end)
    oldest = min(found, key=_order, default=None)
    return _origin(None, oldest, history.boundary) if oldest else None


def find_origins_at(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, ages.Origin]:
    """Return the origins of the version in a commit that touches the file, by identity."""
    inherited = _inherited(document, history, commit, known)
    entries = [entry for entry in document.entries if entry.identity not in inherited]
    beginnings = Lookback(history, known=known).from_versions({commit: trails_of(entries)})
    return _by_identity(entries, beginnings, history.boundary) | inherited


def find_origins_before(
    removed: Sequence[tuple[FileChange, Removed]], history: FileHistory, known: Known
) -> list[ages.Origin]:
    """Return the origins of entries that commits removed."""
    entries = [row.entry(history.blobs) for _, row in removed]
    beginnings = Lookback(history, known=known).from_versions(_before(removed, history))
    return _oldest(entries, beginnings, history.boundary)


def _before(
    removed: Sequence[tuple[FileChange, Removed]], history: FileHistory
) -> dict[str, Trails]:
    graph, blobs = history.graph(), history.blobs
    starts: dict[str, Trails] = {}
    for index, (change, row) in enumerate(removed):
        commit = graph.commit(change.commit)
        for parent, blob in zip(commit.parents, change.before, strict=True) if commit else ():
            if blob is not None:
                entry = blobs.document(blob).by_identity.get(row.identity) or row.entry(blobs)
                trail = Trail(row.identity, chomp(entry.lines[0]))
                trails = starts.setdefault(parent, {})
                trails[trail] = trails.get(trail, 0) | 1 << index
    return starts


def _inherited(
    document: Document, history: FileHistory, commit: str, known: Known
) -> dict[str, ages.Origin]:
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
            change = history.blobs.version_change(before, blob)
            lines = {i: line for i, line in lines.items() if change.holds(line)}
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
) -> dict[str, ages.Origin]:
    origins = _oldest(entries, beginnings, boundary)
    return {entry.identity: origin for entry, origin in zip(entries, origins, strict=True)}


def _oldest(
    entries: Sequence[Entry], beginnings: Iterable[Beginning], boundary: frozenset[str]
) -> list[ages.Origin]:
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


def _order(beginning: Beginning) -> tuple[object, ...]:
    trail = beginning.trail
    way = trail.gap or (), trail.reworded, trail.moved_from or ""
    return beginning.date or ages.LATEST, beginning.commit, *way


def _origin(
    entry: Entry | None, beginning: Beginning | None, boundary: frozenset[str]
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
