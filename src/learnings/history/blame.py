"""Which commit each line of a file comes from: one `git blame` for all entries."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from learnings.history.dates import author_day
from learnings.history.git import cached, commands, process
from learnings.history.git.cache import Cache
from learnings.history.git.process import Background, GitFailed
from learnings.history.git.repository import Repository, explained
from learnings.history.ignored_revisions import IgnoredRevisions


class LineOrigin(NamedTuple):
    """Where a line comes from: the commit, its author date, and the line and file in it.

    The date is empty where it cannot be read.

    previous is the parent that the commit's change of the file is measured against, with the
    file's path there; both None where the commit created the file. commit is None for a line that
    is not committed.
    """

    commit: str | None
    date: str
    line: int
    path: str
    previous: str | None
    previous_path: str | None


class Blame(NamedTuple):
    """A running or cached blame of some lines of one version of a file.

    in_one are lines of a file that is a single line for git, whose origin is that of all of them.
    """

    repository: Repository
    key: dict[str, object]
    lines: tuple[int, ...]
    known: dict[int, LineOrigin] | None
    running: Background | None
    in_one: tuple[int, ...] = ()

    def finish(
        self, cache: Cache, on_origin: Callable[[LineOrigin], object] = lambda _: None
    ) -> dict[int, LineOrigin]:
        """Return the origin of each requested line, by line number.

        on_origin is called for each of them as soon as it is known. Raises UntrustedHistory.
        """
        origins = self._requested(cache, on_origin)
        if not self.in_one or 1 not in origins:
            return origins
        # The commit left the file as it is here, so that its lines are the same there.
        return {line: origins[1]._replace(line=line) for line in self.in_one}

    def _requested(
        self, cache: Cache, on_origin: Callable[[LineOrigin], object]
    ) -> dict[int, LineOrigin]:
        if self.known is not None:
            return self.known
        if self.running is None:
            return {}
        origins = {}
        try:
            for line, origin in _parse(self.running.lines(), self.lines):
                origins[line] = origin
                on_origin(origin)
        except GitFailed as error:
            raise explained(error, self.repository.top) from error
        if self.key:
            cache.save("blame", self.key, origins)
        return origins


def prefetch(
    repository: Repository,
    path: str,
    lines: Iterable[int],
    *,
    rev: str,
    ignored: IgnoredRevisions,
    cache: Cache,
    in_one: bool = False,
) -> None:
    """Start the blame of a version for which start() will be called with the same arguments."""
    wanted = (1,) if in_one else tuple(sorted(lines))
    if cache.load("blame", _key(path, wanted, rev, ignored), _decoded) is None:
        first = None if in_one else wanted[0]
        arguments = commands.blame(path, first, rev, ignored.options)
        process.prefetch(arguments, repository.top, unbuffered=True)


def start(
    repository: Repository,
    path: str,
    lines: Iterable[int],
    *,
    rev: str | None,
    ignored: IgnoredRevisions,
    cache: Cache,
    in_one: bool = False,
) -> Blame:
    """Start the blame of a file from the first of the given lines to its end.

    path is relative to the top; rev None is the working tree, whose blame is never cached. in_one
    says that the file is a single line for git.
    """
    requested = tuple(sorted(lines))
    if not requested:
        return Blame(repository, {}, (), {}, None)
    wanted, parts = ((1,), requested) if in_one else (requested, ())
    key = _key(path, wanted, rev, ignored) if rev else {}
    known = cache.load("blame", key, _decoded) if key else None
    if known is not None and known.keys() == set(wanted):
        return Blame(repository, key, wanted, known, None, parts)
    arguments = commands.blame(path, None if in_one else wanted[0], rev, ignored.options)
    running = Background(arguments, repository.top, unbuffered=True)
    return Blame(repository, key, wanted, None, running, parts)


def _key(
    path: str, lines: tuple[int, ...], rev: str | None, ignored: IgnoredRevisions
) -> dict[str, object]:
    return {"commit": rev, "path": path, "lines": list(lines), "ignored": ignored.digest}


def _decoded(value: Any) -> dict[int, LineOrigin]:  # noqa: ANN401  (any JSON)
    return {int(line): origin for line, origin in cached.mapping_of(_line_origin, value).items()}


def _line_origin(value: Any) -> LineOrigin:  # noqa: ANN401  (any JSON)
    commit, path = cached.optional(cached.object_id), cached.optional(cached.text)
    return LineOrigin(
        *cached.row(value, commit, cached.text, cached.whole_number, cached.text, commit, path)
    )


def _parse(printed: Iterator[bytes], wanted: Sequence[int]) -> Iterator[tuple[int, LineOrigin]]:
    """Yield (line number, origin) for the wanted lines of `git blame --incremental`.

    A group of lines is `<commit> <line there> <line here> <number>` and then facts, of which those
    on the commit are printed only once; the file's name there is the last one.
    """
    commits: dict[bytes, dict[bytes, bytes]] = {}
    facts: dict[bytes, bytes] = {}
    sha, there, here, count = b"", 0, 0, 0
    for line in printed:
        name, _, value = line.partition(b" ")
        if not sha:
            sha = name
            there, here, count = map(int, value.split(b" "))
            facts = commits.setdefault(sha, {})
            facts.pop(b"previous", None)
            continue
        facts[name] = value
        if name == b"filename":
            for number in wanted[bisect_left(wanted, here) : bisect_left(wanted, here + count)]:
                yield number, _origin(sha, there + number - here, facts)
            sha = b""


def _origin(sha: bytes, line: int, facts: dict[bytes, bytes]) -> LineOrigin:
    previous, _, previous_path = facts.get(b"previous", b"").partition(b" ")
    return LineOrigin(
        commit=None if not sha.strip(b"0") else sha.decode("ascii"),
        date=author_day(facts.get(b"author-time", b""), facts.get(b"author-tz", b"")),
        line=line,
        path=_unquoted(facts[b"filename"]),
        previous=previous.decode("ascii") or None,
        previous_path=_unquoted(previous_path) if previous_path else None,
    )


def _unquoted(path: bytes) -> str:
    """Undo git's quoting of a path that holds control characters, quotes or bytes over 127."""
    if path.startswith(b'"') and path.endswith(b'"'):
        path = path[1:-1].decode("unicode_escape").encode("latin-1")
    return os.fsdecode(path)
