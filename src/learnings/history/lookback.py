"""Follows the entries of a file back to the commits that brought them in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from learnings.core.due.ages import RENAMED_HEADING, Origin
from learnings.history.dates import raw_day
from learnings.history.file_graph import FileGraph, GraphCommit
from learnings.history.file_history import FileHistory
from learnings.history.git import commands
from learnings.history.moves import Arrival, End, arrivals
from learnings.history.trails import Trail, Trails, joined, step_back, without

# Commits whose versions are requested before they are compared, so that git reads while we do;
# chosen without a measurement.
_LOOK_AHEAD = 8


class Beginning(NamedTuple):
    """The commit that brought entries in, its author's day, and how they got from there.

    The date is ISO text, empty where it cannot be read. trail is what the entries were called then.
    """

    commit: str
    date: str
    trail: Trail
    bits: int


Known = Mapping[tuple[str, str], Mapping[str, Origin]]
"""The origins of the entries of versions that were followed before, by path and commit."""
NOTHING_KNOWN: Known = {}


def known_beginning(trail: Trail, bits: int, origins: Mapping[str, Origin]) -> Beginning | None:
    """Return where a trail began that arrives at a version with known origins, None if unknown."""
    origin = origins.get(trail.identity)
    if origin is None or origin.commit is None or origin.date is None:
        return None
    reworded = trail.reworded or origin.basis == RENAMED_HEADING
    older = trail._replace(reworded=reworded, moved_from=trail.moved_from or origin.moved_from)
    return Beginning(origin.commit, origin.date, older, bits)


class _Rename(NamedTuple):
    """A commit that gave a file another name."""

    path: str
    older: str
    commit: str


class Lookback:
    """One search for the beginnings of entries, through the graphs of all files they were in.

    ignored are the commits whose rewriting keeps the age of what they rewrote. since is an older
    head: commits that it has are not looked at, and what arrives there is in arrived. has_unnamed
    says that a merge has a parent without the file, which may have it under an older name.
    """

    def __init__(
        self,
        history: FileHistory,
        ignored: frozenset[str],
        *,
        since: str | None = None,
        known: Known = NOTHING_KNOWN,
    ) -> None:
        self.arrived: dict[str, Trails] = {}
        self.has_unnamed = False
        self._history = history
        self._ignored = ignored
        self._known = known
        self._beginnings: list[Beginning] = []
        self._rev = f"{since}..{history.repository.head}" if since else None
        self._done: dict[tuple[str, str], Trails] = {}
        self._renames: set[_Rename] = set()

    def beginnings(self, trails: Trails) -> list[Beginning]:
        """Return where the entries of a file at the head of the repository began.

        An entry can have several beginnings where parents of a merge brought it in.
        """
        path = self._history.path
        tip = next(iter(self._graph(path)), None)
        if tip is None:
            self.arrived[self._history.repository.head] = trails
            return []
        return self.beginnings_from((path, tip.commit), trails)

    def beginnings_from(self, place: tuple[str, str], trails: Trails) -> list[Beginning]:
        """Return where the entries of a version began, of a path in a commit that touches it."""
        path, commit = place
        waiting = {path: {commit: trails}}
        while waiting:
            ends = [
                end
                for name, arriving in waiting.items()
                for end in self._settle(self._graph(name), arriving)
            ]
            waiting, began = self._elsewhere(ends)
            self._beginnings += began
        return self._beginnings

    def _graph(self, path: str) -> FileGraph:
        """Return the graph of a path; of other files it goes back to the beginning."""
        return self._history.graph(path, self._rev if path == self._history.path else None)

    def _settle(self, graph: FileGraph, waiting: dict[str, Trails]) -> list[End]:
        """Follow trails through a graph, newest commit first, until none is open."""
        ends: list[End] = []
        positions = [graph.position(name) for name in waiting if graph.commit(name)]
        start = min((position for position in positions if position is not None), default=0)
        for position, newest in enumerate(graph.following(start), start=start):
            names = [newest.commit]
            while names:
                name = names.pop()
                trails = self._not_done(graph.path, name, waiting.pop(name, None))
                commit = graph.commit(name) if trails else None
                if trails and commit is not None:
                    for parent, part in self._step(graph, commit, trails, ends):
                        waiting[parent] = joined(waiting.get(parent), part)
                        older = graph.position(parent)
                        if older is not None and older <= position:  # a clock was wrong
                            names.append(parent)
            if not waiting:
                break
        self.arrived |= waiting
        return ends

    def _not_done(self, path: str, commit: str, trails: Trails | None) -> Trails:
        if trails is None:
            return {}
        done = self._done.get((path, commit))
        self._done[path, commit] = joined(done, trails)
        new = without(trails, done)
        origins = self._known.get((path, commit))
        return new if origins is None else self._without_known(new, origins)

    def _without_known(self, trails: Trails, origins: Mapping[str, Origin]) -> Trails:
        """Take over what is known of a version; return the trails of which it is not."""
        left: Trails = {}
        for trail, bits in trails.items():
            beginning = known_beginning(trail, bits, origins)
            if beginning is None:
                left[trail] = bits
            else:
                self._beginnings.append(beginning)
        return left

    def _step(
        self, graph: FileGraph, commit: GraphCommit, trails: Trails, ends: list[End]
    ) -> Iterator[tuple[str, Trails]]:
        if not commit.changes:
            yield from ((parent, trails) for parent in commit.parents)
            return
        if commit.blob is None:
            return
        before = graph.blobs_before(commit)
        is_ignored = commit.commit in self._ignored
        step = step_back(trails, commit.blob, before, self._history.blobs, is_ignored=is_ignored)
        self.has_unnamed |= len(commit.parents) > 1 and None in before
        if step.begins:
            ends.append(End(graph.path, commit.commit, commit.blob, step.begins))
        yield from ((p, part) for p, part in zip(commit.parents, step.before, strict=True) if part)

    def _elsewhere(self, ends: list[End]) -> tuple[dict[str, dict[str, Trails]], list[Beginning]]:
        """Return where the entries that begin at some commits were before, by path and commit."""
        waiting: dict[str, dict[str, Trails]] = {}
        beginnings: list[Beginning] = []
        boundary = self._history.boundary
        commits = dict.fromkeys(end.commit for end in ends if end.commit not in boundary)
        diffs = self._history.changes_of([*commits]) if commits else {}
        for end in ends:
            left = dict(end.trails)
            is_ignored = end.commit in self._ignored
            before = diffs.get(end.commit, [])
            for arrival in arrivals(end, before, self._history, is_ignored=is_ignored):
                self._enter(waiting, [arrival])
                if arrival.is_renamed:
                    rename = _Rename(end.path, arrival.path, end.commit)
                    self._enter(waiting, self._under_older_name(rename))
                for bits in arrival.trails.values():
                    left = {trail: rest & ~bits for trail, rest in left.items()}
            commit = self._graph(end.path).commit(end.commit)
            assert commit is not None, "the entries were followed to it"
            beginnings += (
                Beginning(end.commit, raw_day(commit.author_time), trail, bits)
                for trail, bits in left.items()
                if bits
            )
        return waiting, beginnings

    def _under_older_name(self, rename: _Rename) -> Iterator[Arrival]:
        """Yield what goes on where a merge has a parent that still had the file's older name.

        In the graph of the older name such a merge deletes it. It is newer than the rename.
        """
        if rename in self._renames:
            return
        self._renames.add(rename)
        blobs = self._history.blobs
        for commit in self._graph(rename.older):
            if commit.commit == rename.commit:
                return
            trails = self._done.get((rename.path, commit.commit))
            blob = blobs.find(commit.commit, rename.path) if trails else None
            for before, after in commit.changes:
                if trails and blob and before and after is None:
                    is_ignored = commit.commit in self._ignored
                    step = step_back(trails, blob, [before], blobs, is_ignored=is_ignored)
                    yield Arrival(rename.older, commit.commit, before, step.before[0])

    def _enter(self, waiting: dict[str, dict[str, Trails]], arriving: Iterable[Arrival]) -> None:
        """Let entries go on in the graphs of the files that they were in."""
        for arrival in arriving:
            for name in self._entrances(arrival):
                commits = waiting.setdefault(arrival.path, {})
                commits[name] = joined(commits.get(name), arrival.trails)

    def _entrances(self, arrival: Arrival) -> list[str]:
        """Return the commits of another file's graph at which entries arrive there."""
        graph = self._graph(arrival.path)
        commit = graph.commit(arrival.commit)
        if commit is not None and commit.changes:
            before = graph.blobs_before(commit)
            pairs = zip(commit.parents, before, strict=True)
            return [parent for parent, blob in pairs if blob == arrival.blob]
        # The commit copied from a file that it left as it was.
        tip = commands.last_commit(f"{arrival.commit}^", arrival.path)
        return self._history.repository.run(*tip).decode("ascii").split()[:1]
