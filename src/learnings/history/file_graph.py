"""The commits that touch a file under any of its names, read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from itertools import chain
from typing import NamedTuple
from zlib import crc32

from learnings.core.due.ages import LATEST
from learnings.core.text import INVISIBLE, encode
from learnings.history.activity import raw_day
from learnings.history.blobs import BlobReader
from learnings.history.git import commands
from learnings.history.git.commands import printed_commits
from learnings.history.git.objects import fetch_versions
from learnings.history.git.process import Background, start
from learnings.history.git.repository import explaining

# Commits whose versions are requested while the log is read; chosen without a measurement.
_FIRST = 64
_MARKS = f"#-*+| {INVISIBLE}"  # before a title


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
        return raw_day(self.author_time) or LATEST


class FileGraph:
    """The commits that touch a file, in git's default order, the newest first.

    names are the paths of the file, newest first; the first one that a commit has is the file. They
    are read with it: the graph is read again whenever a commit turns out to have renamed the file.
    The history of the commit `since` is left out. Raises UntrustedHistory.
    """

    def __init__(self, path: str, blobs: BlobReader, *, since: str | None = None) -> None:
        self.path = path
        self.names = [path]
        self.since = since
        self.blobs = blobs
        self.commits: dict[str, GraphCommit] = {}
        self._printed: dict[tuple[str, str], str | None] = {}
        self._read()
        while older := self._older_name():
            self.names.append(older)
            self._read()

    def _read(self) -> None:
        """Read the commits that touch one of the names."""
        self.commits.clear()
        repository = self.blobs.repository
        rev = f"{self.since}..{repository.head}" if self.since else repository.head
        fetch_versions(repository, [rev], self.names, walk=True)
        log = commands.file_log(rev, *self.names)
        running = Background(start(log, repository.top))
        with explaining(repository.top), closing(running):
            # Meanwhile git reads the commits and the newest versions.
            for chunk in printed_commits(running.chunks()):
                self.blobs.prefetch(commit.fields[0] for commit in chunk if any(commit.diffs))
                if len(self.commits) < _FIRST:
                    changes = chain(*(diff.values() for commit in chunk for diff in commit.diffs))
                    self.blobs.prefetch(change.after for change in changes if change.after)
                for (name, author_time, listed), diffs in chunk:
                    parents = tuple(listed.split())
                    for diff in diffs:
                        self._printed |= {(name, path): diff[path].after for path in diff}
                    # If a parent has the same file, git prints nothing, and not which parent it is.
                    for parent, diff in (
                        zip(parents, diffs, strict=True) if len(diffs) == len(parents) else ()
                    ):
                        self._printed |= {(parent, path): diff[path].before for path in diff}
                    touches = any(path in diff for diff in diffs for path in self.names)
                    self.commits[name] = GraphCommit(name, author_time, parents, touches)

    def _older_name(self) -> str | None:
        """Return an older name that is missing from the names."""
        touching = [commit for commit in self.commits.values() if commit.touches]
        created = (commit for commit in touching if None in self.blobs_before(commit))
        # Git leaves out a parent that never had the file under one of these names.
        cut = (
            commit
            for commit in touching
            if len(commit.parents) < len(self.blobs.parents(commit.commit))
            and not self.is_in_parents(commit)
        )
        for commit in chain(created, cut):
            path, _ = self.file_in(commit.commit)
            for older in self.blobs.names_before(commit.commit, path) if path else ():
                if older not in self.names:
                    return older
        return None

    @cached_property
    def ranks(self) -> dict[str, int]:
        """The position of each commit in an order with children before their parents.

        Git's order follows the clocks.
        """
        children = Counter(parent for row in self.commits.values() for parent in row.parents)
        ready = [name for name in self.commits if not children[name]]
        for name in ready:  # it grows
            for parent in self.commits[name].parents:
                children[parent] -= 1
                if not children[parent] and parent in self.commits:
                    ready.append(parent)
        return {name: rank for rank, name in enumerate(ready)}

    @cached_property
    def gone(self) -> dict[int, list[GraphCommit]]:
        """The commits after which a line was gone from the file, newest first, by title_sum()."""
        changes = [
            (commit, before, self.blob(commit.commit))
            for commit in self.commits.values()
            if commit.touches
            for before in filter(None, self.blobs_before(commit))
        ]
        self.blobs.prefetch(blob for change in changes for blob in change[1:] if blob)
        gone: dict[int, list[GraphCommit]] = {}
        for commit, before, blob in changes:
            for line in self.blobs.version_change(before, blob).gone if before != blob else ():
                commits = gone.setdefault(title_sum(line), [])
                if commit not in commits[-1:]:
                    commits.append(commit)
        return gone

    @cached_property
    def whole(self) -> FileGraph:
        """The graph of all commits."""
        return self if self.since is None else FileGraph(self.path, self.blobs)

    @cached_property
    def continues(self) -> bool:
        """True if what is known at `since` is enough for all versions of the file after it.

        Nothing renamed, created or deleted the file, and no branch brought an older version of it.
        """
        known = self.blobs.find(self.since, self.path) if self.since else None
        return known is not None and all(
            self.file_in(row.commit)[0] == self.path
            and self.is_in_parents(row)
            and all(name in self.commits or self.blob(name) == known for name in row.parents)
            for row in self.commits.values()
        )

    def file_in(self, commit: str) -> tuple[str, str] | tuple[None, None]:
        """Return the name of the file in any commit, and its blob; None for both without it."""
        for name in self.names:
            place = commit, name
            blob = self._printed[place] if place in self._printed else self.blobs.find(*place)
            if blob:
                return name, blob
        return None, None

    def blob(self, commit: str) -> str | None:
        """Return the file in any commit, or None if the commit has no such file."""
        return self.file_in(commit)[1]

    def blobs_before(self, commit: GraphCommit) -> tuple[str | None, ...]:
        """Return the file in each parent of a commit; (None,) for the commit that created it."""
        return tuple(map(self.blob, commit.parents)) or (None,)

    def is_in_parents(self, commit: GraphCommit) -> bool:
        """Return True if each parent of a commit has the file, also outside the graph."""
        return all(map(self.blob, self.blobs.parents(commit.commit)))

    def mainline(self) -> Iterator[GraphCommit]:
        """Yield the commits along the first parents that changed the file, newest first."""
        commit = next(iter(self.commits.values()), None)
        seen: set[str] = set()  # damaged objects can form a cycle
        while commit is not None and commit.commit not in seen:
            seen.add(commit.commit)
            first = next(iter(commit.parents), None)
            if len(commit.parents) == 1:
                # Git leaves out the first parent if the branch had no such file before a merge.
                real, *others = self.blobs.parents(commit.commit)
                if others and self.blob(real) is None and any(map(self.blob, others)):
                    first = None
            before = self.blob(first) if first else None
            if (commit.touches or not first) and self.blob(commit.commit) != before:
                yield commit
            commit = self.commits.get(first) if first else None

    def descendants(self, commit: str) -> frozenset[str]:
        """Return the commits of the graph that a commit is an ancestor of."""
        reached = {commit}
        for name in reversed(self.ranks):  # parents before their children
            if not reached.isdisjoint(self.commits[name].parents):
                reached.add(name)
        return frozenset(reached - {commit})

    def last_of(self, commits: set[str]) -> set[str]:
        """Return the commits that are no ancestor of another one."""
        if len(commits) < 2:
            return commits
        return {commit for commit in commits if commits.isdisjoint(self.descendants(commit))}


def title_sum(line: str) -> int:
    """Return a number that first lines of one entry share at any level."""
    return crc32(encode(" ".join(line.split()).strip(_MARKS).lower()))
