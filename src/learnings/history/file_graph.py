"""The commits that touch a file under any of its names, read once and only as far as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Self

from learnings.history.activity import usable_day
from learnings.history.blobs import BlobReader
from learnings.history.git import commands
from learnings.history.git.commands import PrintedCommit, printed_commits
from learnings.history.git.objects import fetch_versions
from learnings.history.git.process import Background, start
from learnings.history.git.repository import Repository, explaining

# Commits whose versions are requested together before they are compared, so that git reads in
# parallel; chosen without a measurement.
_LOOK_AHEAD = 8


class NotInPart(Exception):
    """The graph of newer commits lacks some commits that the question needs."""


class OlderName(NotInPart):
    """The graph of a file lacks a name that the file had before a rename."""

    def __init__(self, path: str, older: str) -> None:
        super().__init__(path, older)
        self.path = path
        self.older = older


class GraphCommit(NamedTuple):
    """A commit that touches a file, or a merge; touches is False for a merge of equal files.

    parents are the nearest ancestors in the graph, except those in which the file never existed.
    author_time is in the form of git's `--date=raw`.
    """

    commit: str
    author_time: str
    parents: tuple[str, ...]
    touches: bool

    @property
    def date(self) -> str:
        """The author's day (ISO), or LATEST if it is unusable."""
        return usable_day(self.author_time)


class FileGraph:
    """The commits that touch a file, in git's default order, read only as far as needed.

    names are the paths of the file, newest first; the first one that a commit has is the file.
    History up to `since` is left out. names_before gives the names of a file in the parents of a
    commit. Reading raises OlderName and UntrustedHistory.
    """

    def __init__(
        self,
        repository: Repository,
        names: Sequence[str],
        blobs: BlobReader,
        *,
        names_before: Callable[[str, str], Iterable[str]],
        since: str | None = None,
    ) -> None:
        self.path = names[0]
        self._names = tuple(names)
        self._repository = repository
        self._blobs = blobs
        self._names_before = names_before
        self._printed: dict[tuple[str, str], str | None] = {}
        self._order: list[GraphCommit] = []
        self._positions: dict[str, int] = {}
        self._asked_for_parents = 0
        self._is_part = since is not None
        rev = f"{since}..{repository.head}" if since else repository.head
        fetch_versions(repository, [rev], names, walk=True)
        log = commands.file_log(rev, *names)
        self._running = Background(start(log, repository.top, unbuffered=True))
        self._printing = printed_commits(self._running.chunks())
        self._unread: list[PrintedCommit] = []

    def close(self) -> None:
        """Stop git, and with it all reading."""
        self._running.stop()

    def whole(self) -> Self:
        """Read to the end and return the graph."""
        while self._read():
            pass
        return self

    def read_for_names(self) -> None:
        """Read to the end to find a name that only a branch knows; raises OlderName or NotInPart.

        If the versions differ so much that git sees no rename in the merge, only the commit that
        renamed the file has that name.
        """
        if self._is_part:
            raise NotInPart
        self.whole()

    def __iter__(self) -> Iterator[GraphCommit]:
        return self.following(0)

    def following(self, index: int) -> Iterator[GraphCommit]:
        """Yield the commits from a position in git's order on, prefetching their versions."""
        requested = index
        while index < len(self._order) or self._read():
            if requested <= index + _LOOK_AHEAD // 2:
                ahead = self._order[requested : index + _LOOK_AHEAD]
                versions = (self._printed.get((commit.commit, self.path)) for commit in ahead)
                self._blobs.prefetch(version for version in versions if version)
                requested += len(ahead)
            yield self._order[index]
            index += 1

    def commit(self, name: str) -> GraphCommit | None:
        """Return a commit of the graph, or None."""
        while name not in self._positions:
            if not self._read():
                return None
        return self._order[self._positions[name]]

    def position(self, name: str) -> int | None:
        """Return the position of a commit, or None if it was not read yet."""
        return self._positions.get(name)

    def path_in(self, commit: str) -> str | None:
        """Return the name of the file in any commit, or None if the commit has no such file."""
        return next((name for name in self._names if self._blob_at(commit, name)), None)

    def blob(self, commit: str) -> str | None:
        """Return the file in any commit, or None if the commit has no such file."""
        path = self.path_in(commit)
        return self._blob_at(commit, path) if path else None

    def blobs_before(self, commit: GraphCommit) -> tuple[str | None, ...]:
        """Return the file in each parent of a commit; (None,) for the commit that created it."""
        return tuple(map(self.blob, commit.parents)) or (None,)

    def is_in_parents(self, commit: str) -> bool:
        """Return True if each parent of a commit has the file, also outside the graph."""
        return all(map(self.blob, self._blobs.parents(commit)))

    def mainline(self) -> Iterator[GraphCommit]:
        """Yield the commits along the first parents that changed the file, newest first."""
        commit = next(iter(self), None)
        seen: set[str] = set()  # damaged objects can form a cycle
        while commit is not None and commit.commit not in seen:
            seen.add(commit.commit)
            first = self._first_parent(commit)
            before = self.blob(first) if first else None
            if (commit.touches or not first) and self.blob(commit.commit) != before:
                yield commit
            commit = self.commit(first) if first else None

    def descendants(self, commit: str) -> frozenset[str]:
        """Return the commits of the graph that a commit is an ancestor of."""
        reached: set[str] = set()
        pending = [commit]
        while pending:
            children = self._children.get(pending.pop(), set()) - reached
            reached |= children
            pending += children
        return frozenset(reached)

    def last_of(self, commits: set[str]) -> set[str]:
        """Return the commits that are no ancestor of another one."""
        if len(commits) < 2:
            return commits
        return {commit for commit in commits if commits.isdisjoint(self.descendants(commit))}

    @cached_property
    def _children(self) -> dict[str, set[str]]:
        children: dict[str, set[str]] = {}
        for commit in self:
            for parent in commit.parents:
                children.setdefault(parent, set()).add(commit.commit)
        return children

    def _first_parent(self, commit: GraphCommit) -> str | None:
        if len(commit.parents) != 1:
            return commit.parents[0] if commit.parents else None
        position = self._positions[commit.commit]
        if position >= self._asked_for_parents:
            ahead = self._order[position : position + _LOOK_AHEAD]
            self._blobs.prefetch(other.commit for other in ahead if len(other.parents) == 1)
            self._asked_for_parents = position + len(ahead)
        # Git leaves out the first parent if the branch had no such file before a merge.
        first, *others = self._blobs.parents(commit.commit)
        is_left_out = others and self.blob(first) is None and any(map(self.blob, others))
        return None if is_left_out else commit.parents[0]

    def _blob_at(self, commit: str, name: str) -> str | None:
        if (commit, name) in self._printed:
            return self._printed[commit, name]
        return self._blobs.find(commit, name)

    def _read(self) -> bool:
        """Read the output of git so far, at least one commit; return False at the end."""
        if not self._unread:
            with explaining(self._repository.top):
                self._unread = next(self._printing, [])[::-1]
        end = len(self._order)
        # Ask for older names of the file only at a commit that somebody wants to see.
        while self._unread and not (len(self._order) > end and _may_rename(self._unread[-1])):
            commit = self._commit(self._unread[-1])
            self._unread.pop()
            self._positions[commit.commit] = len(self._order)
            self._order.append(commit)
        return len(self._order) > end

    def _commit(self, printed: PrintedCommit) -> GraphCommit:
        commit, author_time, listed = printed.fields
        parents, diffs = tuple(listed.split()), printed.diffs
        for diff in diffs:
            self._printed |= {(commit, name): change.after for name, change in diff.items()}
        # If a parent has the same file, git prints nothing, and not which parent it is.
        if len(diffs) == len(parents):
            for parent, diff in zip(parents, diffs, strict=True):
                self._printed |= {(parent, name): change.before for name, change in diff.items()}
        touches = any(name in diff for diff in diffs for name in self._names)
        graph_commit = GraphCommit(commit, author_time, parents, touches)
        path = self.path_in(commit) if _may_rename(printed) else None
        if path is not None and None in self.blobs_before(graph_commit):
            for older in self._names_before(commit, path):
                if older not in self._names:
                    raise OlderName(self.path, older)
        return graph_commit


def _may_rename(printed: PrintedCommit) -> bool:
    return any(change.before is None for diff in printed.diffs for change in diff.values())
