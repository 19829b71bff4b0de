"""The commits that touch a file under any of its names, read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from learnings.history.activity import usable_day
from learnings.history.git import commands
from learnings.history.git.commands import PrintedCommit, printed_commits
from learnings.history.git.objects import fetch_versions
from learnings.history.git.process import Background, start
from learnings.history.git.repository import explaining
from learnings.history.text_changes import TextChanges

# Commits whose versions are requested while the log is read; chosen without a measurement.
_FIRST = 64


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
    """The commits that touch a file, in git's default order, the newest first.

    names are the paths of the file, newest first; the first one that a commit has is the file. They
    are read with it: the graph is read again whenever a commit turns out to have renamed the file.
    The history of the commit `since` is left out. Raises UntrustedHistory.
    """

    def __init__(
        self,
        path: str,
        changes: TextChanges,
        *,
        since: str | None = None,
    ) -> None:
        self.path = path
        self.names = [path]
        self.since = since
        self.blobs = changes.blobs
        self._repository = self.blobs.repository
        self._changes = changes
        self._printed: dict[tuple[str, str], str | None] = {}
        self._commits: dict[str, GraphCommit] = {}
        while older := self._read():
            self.names.append(older)

    def _read(self) -> str | None:
        """Read the commits that touch one of the names; return an older name that is missing."""
        self._commits.clear()
        head = self._repository.head
        rev = f"{self.since}..{head}" if self.since else head
        fetch_versions(self._repository, [rev], self.names, walk=True)
        log = commands.file_log(rev, *self.names)
        running = Background(start(log, self._repository.top))
        with explaining(self._repository.top), closing(running):
            # Meanwhile git reads the commits and the newest versions.
            for chunk in printed_commits(running.chunks()):
                self.blobs.prefetch(commit.fields[0] for commit in chunk if any(commit.diffs))
                if len(self._commits) < _FIRST:
                    diffs = chain.from_iterable(commit.diffs for commit in chunk)
                    versions = (change.after for diff in diffs for change in diff.values())
                    self.blobs.prefetch(filter(None, versions))
                for printed in chunk:
                    self._take(printed)
        touching = [commit for commit in self._commits.values() if commit.touches]
        created = (commit for commit in touching if None in self.blobs_before(commit))
        # Git leaves out a parent that never had the file under one of these names.
        cut = (
            commit
            for commit in touching
            if len(commit.parents) < len(self.blobs.parents(commit.commit))
            and not self.is_in_parents(commit)
        )
        for commit in chain(created, cut):
            path = self.path_in(commit.commit)
            for older in self._changes.names_before(commit.commit, path) if path else ():
                if older not in self.names:
                    return older
        return None

    def _take(self, printed: PrintedCommit) -> None:
        name, author_time, listed = printed.fields
        parents, diffs = tuple(listed.split()), printed.diffs
        for diff in diffs:
            self._printed |= {(name, path): change.after for path, change in diff.items()}
        # If a parent has the same file, git prints nothing, and not which parent it is.
        if len(diffs) == len(parents):
            for parent, diff in zip(parents, diffs, strict=True):
                self._printed |= {(parent, path): change.before for path, change in diff.items()}
        touches = any(path in diff for diff in diffs for path in self.names)
        self._commits[name] = GraphCommit(name, author_time, parents, touches)

    def __iter__(self) -> Iterator[GraphCommit]:
        return iter(self._commits.values())

    def commit(self, name: str) -> GraphCommit | None:
        """Return a commit of the graph, or None."""
        return self._commits.get(name)

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The position of each commit in an order with children before their parents.

        Git's order follows the clocks.
        """
        children = Counter(parent for row in self._commits.values() for parent in row.parents)
        ready = [name for name in self._commits if not children[name]]
        for name in ready:  # it grows
            for parent in self._commits[name].parents:
                children[parent] -= 1
                if not children[parent] and parent in self._commits:
                    ready.append(parent)
        return {name: rank for rank, name in enumerate(ready)}

    @cached_property
    def whole(self) -> FileGraph:
        """The graph of all commits."""
        if self.since is None:
            return self
        return FileGraph(self.path, self._changes)

    @cached_property
    def continues(self) -> bool:
        """True if what is known at `since` is enough for all versions of the file after it.

        Nothing renamed, created or deleted the file, and no branch brought an older version of it.
        """
        known = self.blobs.find(self.since, self.path) if self.since else None
        return known is not None and all(
            self.path_in(row.commit) == self.path
            and self.is_in_parents(row)
            and all(name in self._commits or self.blob(name) == known for name in row.parents)
            for row in self._commits.values()
        )

    def path_in(self, commit: str) -> str | None:
        """Return the name of the file in any commit, or None if the commit has no such file."""
        return next((name for name in self.names if self._blob_at(commit, name)), None)

    def blob(self, commit: str) -> str | None:
        """Return the file in any commit, or None if the commit has no such file."""
        path = self.path_in(commit)
        return self._blob_at(commit, path) if path else None

    def blobs_before(self, commit: GraphCommit) -> tuple[str | None, ...]:
        """Return the file in each parent of a commit; (None,) for the commit that created it."""
        return tuple(map(self.blob, commit.parents)) or (None,)

    def is_in_parents(self, commit: GraphCommit) -> bool:
        """Return True if each parent of a commit has the file, also outside the graph."""
        return all(map(self.blob, self.blobs.parents(commit.commit)))

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

    def _first_parent(self, commit: GraphCommit) -> str | None:
        if len(commit.parents) != 1:
            return commit.parents[0] if commit.parents else None
        # Git leaves out the first parent if the branch had no such file before a merge.
        first, *others = self.blobs.parents(commit.commit)
        is_left_out = others and self.blob(first) is None and any(map(self.blob, others))
        return None if is_left_out else commit.parents[0]

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
        for commit in self._commits.values():
            for parent in commit.parents:
                children.setdefault(parent, set()).add(commit.commit)
        return children

    def _blob_at(self, commit: str, name: str) -> str | None:
        if (commit, name) in self._printed:
            return self._printed[commit, name]
        return self.blobs.find(commit, name)
