"""Follows the entries of a file back to the commits that brought them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.due.ages import RENAMED_HEADING, Origin
from learnings.history.dates import raw_day
from learnings.history.file_graph import FileGraph, GraphCommit
from learnings.history.file_history import FileHistory
from learnings.history.git import commands
from learnings.history.moves import Arrival, End, arrivals
from learnings.history.trails import Trail, Trails, joined, step_back, without


class Beginning(NamedTuple):
    """The commit that brought entries in, its author's day, and how they got from there.

    The date is ISO text, empty where it cannot be read. trail is what the entries were called then.
    """

    commit: str
    date: str
    trail: Trail
    bits: int


Known = Mapping[str, Mapping[str, Origin]]
"""The origins of the entries of versions of the file that were followed before, by commit."""
NOTHING_KNOWN: Known = {}


def known_beginning(trail: Trail, bits: int, origins: Mapping[str, Origin]) -> Beginning | None:
    """Return where a trail began that arrives at a version with known origins, None if unknown."""
    origin = origins.get(trail.identity)
    if origin is None or origin.commit is None or origin.date is None:
        return None
    reworded = trail.reworded or origin.basis == RENAMED_HEADING
    older = trail._replace(reworded=reworded, moved_from=trail.moved_from or origin.moved_from)
    return Beginning(origin.commit, origin.date, older, bits)


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
        self._since = since
        self._done: dict[tuple[str, str], Trails] = {}

    def beginnings(
        self, trails: Trails, commit: str | None = None, *, arrivals: Sequence[Arrival] = ()
    ) -> list[Beginning]:
        """Return where the entries of a file began, at HEAD or in a commit that touches it.

        arrivals are entries that were in other files at HEAD. An entry can have several beginnings
        where parents of a merge brought it in. Raises OlderName.
        """
        path = self._history.path
        waiting: dict[str, dict[str, Trails]] = {}
        self._enter(waiting, arrivals)
        tip = next(iter(self._graph(path)), None) if trails and commit is None else None
        start = tip.commit if tip else commit
        if start is None:
            self.arrived[self._history.repository.head] = trails
        else:
            waiting.setdefault(path, {})[start] = trails
        while waiting:
            ends = {
                graph: self._settle(graph, arriving)
                for graph, arriving in [(self._graph(name), waiting[name]) for name in waiting]
            }
            waiting = self._elsewhere(ends)
        return self._beginnings

    def _graph(self, path: str) -> FileGraph:
        """Return the graph of a path; of other files it goes back to the beginning."""
        return self._history.graph(path, self._since if path == self._history.path else None)

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
        origins = self._known.get(commit) if path == self._history.path else None
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
        if not commit.touches:
            yield from ((parent, trails) for parent in commit.parents)
            return
        path, blob = graph.path_in(commit.commit), graph.blob(commit.commit)
        if path is None or blob is None:
            return
        before = graph.blobs_before(commit)
        is_ignored = commit.commit in self._ignored
        step = step_back(trails, blob, before, self._history.blobs, is_ignored=is_ignored)
        self.has_unnamed |= len(commit.parents) > 1 and None in before
        if step.begins:
            ends.append(End(path, commit, blob, step.begins))
        yield from ((p, part) for p, part in zip(commit.parents, step.before, strict=False) if part)

    def _elsewhere(self, ends: dict[FileGraph, list[End]]) -> dict[str, dict[str, Trails]]:
        """Return where the entries that begin at some commits were before, by path and commit."""
        waiting: dict[str, dict[str, Trails]] = {}
        boundary = self._history.boundary
        all_ends = [end for group in ends.values() for end in group]
        commits = {end.commit.commit: None for end in all_ends}.keys() - boundary
        diffs = self._history.changes_of([*commits])
        for graph, group in ends.items():
            self._history.look_before(graph, dict.fromkeys(end.commit.commit for end in group))
        for end in all_ends:
            left = dict(end.trails)
            came = [*arrivals(end, diffs.get(end.commit.commit, []), self._history)]
            self._enter(waiting, came)
            for bits in (bits for arrival in came for bits in arrival.trails.values()):
                left = {trail: rest & ~bits for trail, rest in left.items()}
            date = raw_day(end.commit.author_time)
            self._beginnings += (
                Beginning(end.commit.commit, date, trail, bits)
                for trail, bits in left.items()
                if bits
            )
        return waiting

    def _enter(self, waiting: dict[str, dict[str, Trails]], came: Sequence[Arrival]) -> None:
        """Let entries go on in the graphs of the files that they were in."""
        for arrival in came:
            commits = waiting.setdefault(arrival.path, {})
            for name in self._entrances(arrival):
                commits[name] = joined(commits.get(name), arrival.trails)

    def _entrances(self, arrival: Arrival) -> list[str]:
        """Return the commits of another file's graph at which entries arrive there."""
        before = self._history.repository.head
        if arrival.commit is not None:
            graph = self._graph(arrival.path)
            commit = graph.commit(arrival.commit)
            if commit is not None and commit.touches:
                return [parent for parent in commit.parents if graph.blob(parent) == arrival.blob]
            # The commit copied from a file that it left as it was.
            before = f"{arrival.commit}^"
        tip = commands.last_commit(before, arrival.path)
        return self._history.repository.run(*tip).decode("ascii").split()[:1]
