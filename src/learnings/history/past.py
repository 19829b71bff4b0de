"""The past of a repository: all paths, their removals and renames, and earlier texts.

One `git log` lists additions and removals of paths without content, so it also works in a clone
that lacks blobs. Renames are requested later, for the few commits that removed a path in question.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain, islice, takewhile
from posixpath import dirname
from typing import Any, NamedTuple

from learnings.core.entries.document import AUTO
from learnings.core.past import PastThing, Removal
from learnings.history.blobs import BlobReader
from learnings.history.git import cached, commands, process
from learnings.history.git.cached import Cache
from learnings.history.git.commands import printed_commits
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository
from learnings.history.git.tracked import folders_around

_RAW = ("--raw", "-z", "--abbrev=4", "--no-renames")
_WITH_TIMES = "--format=%x01%H%x02%ct%x02%as"
_SUBMODULE = "160000"
# Minimum renamed files that show where a folder went although most of its files were deleted.
# Chosen: two may each have found a new place.
_SEVERAL = 3
# Minimum share of renamed files in that folder. Chosen: one in five may stray.
_SHARE = 0.8


class _Row(NamedTuple):
    """The first addition of a path, and the commits that last removed it, by position in a list.

    There are several if parallel branches removed it, and none if it is in HEAD or a merge dropped
    it.
    """

    first: int
    removed_by: tuple[int, ...]


class PathIndex(NamedTuple):
    """All paths of a history, and the commits that removed some, newest first."""

    rows: dict[str, _Row]
    removals: list[Removal]


class PastPaths:
    """Answers questions about the paths in a repository's history up to its head.

    Raises UntrustedHistory if git cannot list it.
    """

    def __init__(self, repository: Repository, cache: Cache) -> None:
        self._repository = repository
        self._cache = cache
        self._renames: dict[str, dict[str, str]] = {}
        self.lacks_content = False
        """True after a request for renames without all blobs: only exact renames are known."""

    @cached_property
    def beginning(self) -> int:
        """The time at which the first commit added a path, in seconds since 1970."""
        return min((row.first for row in self._index.rows.values()), default=0)

    def ending_in(self, path: str) -> list[str]:
        """Return the files and folders of the history whose path ends with the given path."""
        name = path.rpartition("/")[2]
        return [other for other in self._by_name.get(name, ()) if other.endswith(f"/{path}")]

    def has_file(self, path: str) -> bool:
        """Return True if a commit of the history has this file."""
        return path in self._index.rows

    def find(self, path: str) -> PastThing | None:
        """Return the known history of a file or folder, or None if it never existed."""
        row = self._index.rows.get(path)
        if row is not None:
            removed_by = self._removed_by(path, row)
            removal = removed_by[0] if removed_by else None
            return PastThing(row.first, removal, self._ends(path, removed_by))
        return self._folder(path)

    def _folder(self, folder: str) -> PastThing | None:
        """Return the known history of a folder, which went with the last file below it."""
        rows = {path: self._index.rows[path] for path in self._below(folder)}
        if not rows:
            return None
        first = min(row.first for row in rows.values())
        removals = {path: self._removed_by(path, row)[:1] for path, row in rows.items()}
        if not all(removals.values()):
            return PastThing(first, None)
        order = {removal.commit: number for number, removal in enumerate(self._index.removals)}
        by_commit: dict[Removal, list[str]] = {}
        for path, (removal,) in removals.items():
            by_commit.setdefault(removal, []).append(path)
        newest = sorted(by_commit, key=lambda removal: order.get(removal.commit, 0))
        sizes = accumulate((len(by_commit[removal]) for removal in newest), initial=0)
        asked = [removal for removal, size in zip(newest, sizes, strict=False) if size < _SEVERAL]
        parted = {removal: by_commit[removal] for removal in asked}
        return PastThing(first, newest[0], self._moved_folder(folder, parted))

    def _moved_folder(self, folder: str, parted: Mapping[Removal, Sequence[str]]) -> frozenset[str]:
        """Return the new place of a folder whose last files left in some commits; empty if unclear.

        More than half of its files, or several, must be in one other folder, under any name, and
        hardly any of the renamed ones elsewhere.
        """
        moved: Counter[str] = Counter()
        for removal, files in parted.items():
            renames = self._renamed_in(removal.commit)
            for path in filter(renames.__contains__, files):
                inner, after = dirname(path).removeprefix(folder), dirname(renames[path])
                moved[after.removesuffix(inner) if after.endswith(inner) else ""] += 1
        other, count = next(iter(moved.most_common(1)), ("", 0))
        is_most = 2 * count > sum(map(len, parted.values())) or count >= _SEVERAL
        if not other or not is_most or count < _SHARE * moved.total():
            return frozenset()
        later = self._folder(other)
        return later.successors if later and later.removal else frozenset([other])

    def _ends(self, path: str, removals: Iterable[Removal]) -> frozenset[str]:
        """Return the final targets of the renames of a path, except targets that were removed."""
        ends: set[str] = set()
        pending = [(path, removal) for removal in removals]
        seen = {path}
        while pending:
            before, removal = pending.pop()
            after = self._renamed_in(removal.commit).get(before)
            if after is None or after in seen:
                continue
            seen.add(after)
            row = self._index.rows.get(after)
            later = self._removed_by(after, row) if row else []
            pending += [(after, one) for one in later]
            if not later:
                ends.add(after)
        return frozenset(ends)

    def _removed_by(self, path: str, row: _Row) -> list[Removal]:
        """Return the commits that last removed a path, empty if it is in HEAD."""
        removals = self._index.removals
        if row.removed_by or path in self._in_head:
            return [removals[number] for number in row.removed_by]
        # The newest merge that lacks a path that one of its parents had.
        options = ("--full-history", "-m", *_RAW, "--diff-filter=D", _WITH_TIMES)
        printed = self._repository.run("log", *options, self._repository.head, "--", path)
        for commit in _listed(printed):
            if any(status == "D" for _, status, _ in commit.changes):
                return [Removal(commit.commit, commit.date)]
        return []

    def _renamed_in(self, commit: str) -> dict[str, str]:
        """Return the renames of a commit: the new path by the old one."""
        if commit not in self._renames:
            options = ("-r", "-m", "--root", "--no-commit-id", "--name-status", "-z")
            diff = ("diff-tree", *options, "--diff-filter=R")
            try:
                printed = process.run([*diff, "-M", commit], self._repository.top)
            except GitFailed:
                # Then renames with the same content still show, for which git reads no blob.
                self.lacks_content = True
                printed = self._repository.run(*diff, "-M100%", commit)
            fields = os.fsdecode(printed).split("\0")
            rows = zip(fields[0::3], fields[1::3], fields[2::3], strict=False)
            self._renames[commit] = {old: new for status, old, new in rows if status[:1] == "R"}
        return self._renames[commit]

    def _below(self, folder: str) -> Iterator[str]:
        """Yield the files of the history below a folder."""
        start = f"{folder.rstrip('/')}/"
        paths = self._sorted
        begin = bisect_left(paths, start)
        return takewhile(lambda path: path.startswith(start), paths[begin:])

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._index.rows)

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        return by_last_name(self._index.rows)

    @cached_property
    def _in_head(self) -> frozenset[str]:
        listing = ("ls-tree", "-r", "-z", "--name-only", self._repository.head)
        return frozenset(process.paths_in(self._repository.run(*listing)))

    @cached_property
    def _index(self) -> PathIndex:
        key = {"head": self._repository.head}
        stored = self._cache.load("paths", key, _stored_index)
        if stored is None:
            # Of a merge only files that no parent has, or that all parents had.
            options = ("-c", *_RAW, "--diff-filter=AD", _WITH_TIMES)
            printed = self._repository.run("log", *options, self._repository.head, "--")
            stored = _read_index(printed)
            self._cache.save("paths", key, _as_json(stored))
        return stored


def by_last_name(files: Collection[str]) -> Mapping[str, list[str]]:
    """Return files, and the folders that they are in, by the last part of their paths."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for path in chain(files, folders_around(files)):
        names[path.rpartition("/")[2]].append(path)
    return names


class _ListedCommit(NamedTuple):
    """A commit with its committer time, author date, and changes: modes, status, path."""

    commit: str
    time: int
    date: str
    changes: list[tuple[str, str, str]]


def _listed(printed: bytes) -> Iterator[_ListedCommit]:
    """Read the commits of a log with _RAW and _WITH_TIMES, newest commit first."""
    commit: _ListedCommit | None = None
    modes = status = ""
    for token in os.fsdecode(printed).split("\0"):
        field = token.lstrip("\n")
        if field[:1] == "\1":
            if commit is not None:
                yield commit
            name, time, date = field[1:].split(commands.SEPARATOR)
            commit = _ListedCommit(name, int(time), date, [])
        elif status:
            assert commit is not None
            commit.changes.append((modes, status, token))
            status = ""
        elif field[:1] == ":":
            modes, *_, status = field.lstrip(":").rsplit(" ", 1)
            status = status[:1]
    if commit is not None:
        yield commit


def _read_index(printed: bytes) -> PathIndex:
    rows: dict[str, _Row] = {}
    removals: list[Removal] = []
    added: set[str] = set()
    for commit in _listed(printed):
        number = len(removals)
        for modes, status, path in commit.changes:
            if _SUBMODULE in modes:
                continue
            _, removed_by = rows.get(path, (0, ()))
            if status == "A":
                added.add(path)
            elif path not in added:  # before that it was removed and restored
                removed_by += (number,)
                if number == len(removals):
                    removals.append(Removal(commit.commit, commit.date))
            rows[path] = _Row(commit.time, removed_by)
    return PathIndex(rows, removals)


def _as_json(index: PathIndex) -> object:
    """Return an index as columns: a hundred thousand rows load in a tenth of the time."""
    paths = [path for path in index.rows if "\n" not in path]
    rows = [index.rows[path] for path in paths]
    return [
        "\n".join(paths),
        [row.first for row in rows],
        [list(row.removed_by) for row in rows],
        "\n".join(f"{commit} {date}" for commit, date in index.removals),
    ]


def _stored_index(value: Any) -> PathIndex:  # noqa: ANN401  (any JSON)
    numbers = cached.list_of(cached.whole_number)
    columns = cached.row(cached.text, numbers, cached.list_of(numbers), cached.text)
    paths, first, removed_by, removals = columns(value)
    rows = map(_Row, first, removed_by)
    lines = removals.split("\n") if removals else []
    return PathIndex(
        dict(zip(paths.split("\n"), rows, strict=True)),
        [Removal(*line.split(" ")) for line in lines],
    )


# Number of newest versions to read of a file. Chosen: an older mention in a file is no evidence
# that anybody still means it.
_MOST_VERSIONS = 400
# Versions to request at once, since most searches end early.
_AHEAD = 20


def past_things(
    repository: Repository,
    cache: Cache,
    path: str,
    kind: str,
    read: Callable[[bytes], frozenset[str]],
) -> Mapping[str, PastThing]:
    """Return everything that versions of a file up to HEAD contained, by name, found by read().

    kind names the question for the cache. A name in the newest version has no removal. Raises
    UntrustedHistory if a version is missing.
    """
    key = {"head": repository.head, "path": path, "of": kind}
    stored = cache.load("texts", key, _stored_things)
    if stored is None:
        stored = {}
        printed = repository.run("log", *commands.RAW, _WITH_TIMES, repository.head, "--", path)
        commits = islice(chain.from_iterable(printed_commits([printed])), _MOST_VERSIONS)
        versions = [
            (fields, changes[path].regular[1])  # no blob if the commit removed the file
            for fields, diffs in commits
            for changes in diffs
            if path in changes
        ]
        removal: Removal | None = None
        with BlobReader(repository, AUTO) as blobs:
            for number, ((commit, time, date), blob) in enumerate(versions):
                if number % _AHEAD == 0:
                    ahead = versions[number : number + _AHEAD]
                    blobs.prefetch(blob for _, blob in ahead if blob)
                for name in read(blobs.version(blob)) if blob else ():
                    last = stored[name].removal if name in stored else removal
                    stored[name] = PastThing(int(time), last)
                removal = Removal(commit, date)
        cache.save("texts", key, {name: thing[:2] for name, thing in stored.items()})
    return stored


_REMOVAL = cached.optional(cached.record(Removal, cached.object_id, cached.text))
_stored_things = cached.mapping_of(cached.record(PastThing, cached.whole_number, _REMOVAL))
