"""The commits that touch one path, as git joins them: read once, newest first, as far as needed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from learnings.history.blobs import BlobReader
from learnings.history.dates import usable_day
from learnings.history.git import commands
from learnings.history.git.process import Background, GitFailed
from learnings.history.git.promised import fetch_versions
from learnings.history.git.repository import Repository, explained

_HEADER = b"\x01"  # what commands.file_log() makes git print before each commit
_SUBMODULE = b"160000"  # the mode of a submodule, whose id is not a blob

Change = tuple[str | None, str | None]
"""The blobs of a path before and after a commit, None where there is no file."""


class GraphCommit(NamedTuple):
    """A commit that touches a path, or a merge.

    parents are the nearest ancestors that are in the graph themselves; a parent is left out where
    the path never existed. changes has an item for each parent with another blob at the path, one
    for a commit that created it without parents; it is empty for a merge of equal files. committed
    is the time of the commit, in seconds; author_time is as git prints it with `--date=raw`.
    """

    commit: str
    committed: int
    author_time: str
    parents: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def date(self) -> str:
        """The author's day, ISO text; LATEST where it cannot be used."""
        return usable_day(self.author_time)

    @property
    def blob(self) -> str | None:
        """The blob after a commit with changes; None where it deleted the file."""
        return self.changes[0][1]


class FileGraph:
    """The commits of a revision or range that touch a path, in git's default order.

    Iterating reads on where git still prints; what was read stays. Raises UntrustedHistory.
    """

    def __init__(
        self,
        repository: Repository,
        path: str,
        blobs: BlobReader,
        *,
        rev: str | None = None,
        first_parent: bool = False,
    ) -> None:
        self.path = path
        self._repository = repository
        self._blobs = blobs
        self._order: list[GraphCommit] = []
        self._positions: dict[str, int] = {}
        fetch_versions(repository, [rev or repository.head], [path], walk=True)
        arguments = commands.file_log(rev or repository.head, path, first_parent=first_parent)
        self._running = Background(arguments, repository.top, unbuffered=True)
        self._unread = _parse(_tokens(self._running.chunks()), path)

    def close(self) -> None:
        """Stop git; nothing more is read after that."""
        self._running.stop()

    def __iter__(self) -> Iterator[GraphCommit]:
        return self.following(0)

    def following(self, index: int) -> Iterator[GraphCommit]:
        """Yield the commits from a position in git's order on."""
        while index < len(self._order) or self._read():
            yield self._order[index]
            index += 1

    def commit(self, name: str) -> GraphCommit | None:
        """Return a commit of the graph; None where it is not in it."""
        while name not in self._positions:
            if not self._read():
                return None
        return self._order[self._positions[name]]

    def position(self, name: str) -> int | None:
        """Return the position of a commit, None where it was not read yet."""
        return self._positions.get(name)

    def blobs_before(self, commit: GraphCommit) -> tuple[str | None, ...]:
        """Return the blob in each parent of the graph, None where it has no file."""
        if len(commit.changes) == len(commit.parents):
            return tuple(before for before, _ in commit.changes)
        # Git prints no change for a parent with the same file, nor which parent that is.
        return tuple(self._blobs.find(parent, self.path) for parent in commit.parents)

    def _read(self) -> bool:
        """Read the next commit; False at the end."""
        try:
            commit = next(self._unread, None)
        except GitFailed as error:
            raise explained(error, self._repository.top) from error
        if commit is not None:
            self._positions[commit.commit] = len(self._order)
            self._order.append(commit)
        return commit is not None


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split what git prints at NUL, as it arrives."""
    rest = b""
    for chunk in chunks:
        *complete, rest = (rest + chunk).split(b"\0")
        yield from complete
    if rest:
        yield rest


def _parse(tokens: Iterator[bytes], path: str) -> Iterator[GraphCommit]:
    """Yield the commits of `git log -m --raw -z`, which prints a merge once for each parent."""
    name = os.fsencode(path)
    header = b""
    changes: list[Change] = []
    for token in tokens:
        if token.startswith(_HEADER):
            if token != header:
                if header:
                    yield _commit(header, changes)
                header, changes = token, []
        elif token.lstrip(b"\n").startswith(b":") and next(tokens) == name:
            changes.append(_change(token))
    if header:
        yield _commit(header, changes)


def _commit(header: bytes, changes: list[Change]) -> GraphCommit:
    text = header[1:].decode("ascii", "replace")
    commit, committed, author_time, parents = text.split(commands.SEPARATOR)
    return GraphCommit(
        commit, int(committed or 0), author_time, tuple(parents.split()), tuple(changes)
    )


def _change(token: bytes) -> Change:
    """Return the blobs of `:mode mode blob blob status`."""
    mode, other_mode, before, after, _ = token.lstrip(b"\n:").split(b" ")
    return _blob(mode, before), _blob(other_mode, after)


def _blob(mode: bytes, name: bytes) -> str | None:
    return None if mode == _SUBMODULE or not name.strip(b"0") else name.decode("ascii")
