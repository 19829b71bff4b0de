"""The past of a repository: every path of its history and what became of it, and earlier texts.

One `git log` lists additions and removals of paths without content, so it also works in a clone
that lacks blobs. Only the few commits that removed a path in question are asked where it went: to
the path that git renamed it to, or to the file that received most of its lines.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice, takewhile
from math import inf
from posixpath import basename, dirname, splitext
from typing import Any, NamedTuple

from learnings.core.entries.document import AUTO
from learnings.core.past import PastThing, Removal
from learnings.core.patterns import lazy_pattern
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
# Files that left a folder last, which show where it went although most of its files were deleted,
# and the share of them in one other folder. Chosen: two may each have found a new place, and one in
# five may stray.
_SEVERAL, _SHARE = 3, 0.8
# Minimum share of the lines of a removed file in the file that received them; less is enough if the
# name stayed. Chosen like git's share for renames; in a repository with 450 renames, files that
# were joined had over 0.8, and files that were written anew under 0.3.
_RECEIVED, _WITH_ITS_NAME = 0.5, 0.25
# Fewer lines than this tell nothing. A line that more files received is common to them.
_FEW_LINES, _COMMON = 5, 3
# Files of a commit beyond which its text is not read: somebody imported or deleted a whole project.
_MOST_FILES = 2000
# A line that tells where it came from: neither a comment, as in the head of a file, nor an import.
_TELLING = lazy_pattern(
    r"(?!//|/?\*|#|--|<!--|import\b|from\b|use\b|using\b|package\b)(?=.*\w.*\w).{8}"
)


class _Row(NamedTuple):
    """The first addition of a path, and the commits that last removed it, by position in a list.

    There are several if parallel branches removed it, and none if it is in HEAD or a merge dropped
    it.
    """

    first: int
    removed_by: tuple[int, ...]


class _Commit(NamedTuple):
    """A commit: its author date, its committer time, and how many paths it added and removed."""

    id: str
    date: str
    time: int
    size: int


class _Index(NamedTuple):
    """All paths of a history, and the commits that removed some, newest first."""

    rows: dict[str, _Row]
    removals: list[_Commit]


class PastPaths:
    """Answers questions about the paths in a repository's history up to its head.

    Raises UntrustedHistory if git cannot list it.
    """

    def __init__(self, repository: Repository, stored: Cache) -> None:
        self._repository = repository
        self._cache = stored
        self.lacks_content = False
        """True after a request for moves without all blobs: only exact renames are known."""

    @cached_property
    def beginning(self) -> int:
        """The time at which the first commit added a path, in seconds since 1970."""
        return min((row.first for row in self._index.rows.values()), default=0)

    def ending_in(self, path: str) -> list[str]:
        """Return the files and folders of the history whose path ends with the given path."""
        return ending_in(path, self._by_name)

    def has_file(self, path: str) -> bool:
        """Return True if a commit of the history has this file."""
        return path in self._index.rows

    def find(self, path: str) -> PastThing | None:
        """Return the known history of a file or folder, or None if it never existed.

        A folder went with the last file below it.
        """
        left = self._left(path)
        if not left:
            return None
        first = min(self._index.rows[file].first for file in left)
        if not all(left.values()):
            return PastThing(first, None)
        newest = max((by[0] for by in left.values()), key=lambda one: one.time)
        return PastThing(first, Removal(newest.id, newest.date), until=newest.time)

    def successors(self, paths: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return where removed files and folders went: the final places that are in HEAD."""
        left = {path: self._left(path) for path in paths}
        ends = self._ends({path: by[path] for path, by in left.items() if path in by})
        folders = {path: self._folder_end(path) for path in left if path not in ends}
        return ends | {path: frozenset([end] if end else []) for path, end in folders.items()}

    def _left(self, path: str) -> dict[str, list[_Commit]]:
        """Return the commits that last removed a file, or each of the files below a folder."""
        rows = self._index.rows
        files = [path] if path in rows else self._below(path)
        return {file: self._removed_by(file, rows[file]) for file in files}

    def _folder_end(self, folder: str | None) -> str | None:
        """Return where a folder went by the few files that left it last, through all moves."""
        seen = set()
        while folder and folder not in seen:
            seen.add(folder)
            left = {file: by[0] for file, by in self._left(folder).items() if by}
            if len(left) < sum(1 for _ in self._below(folder)):
                return folder
            times = sorted((commit.time for commit in left.values()), reverse=True)
            last = [(f, one) for f, one in left.items() if one.time >= times[:_SEVERAL][-1]]
            places = self._next_places(last)
            folder = _new_folder(folder, {file: places[file, one] for file, one in last})
        return None

    def _ends(self, files: Mapping[str, Sequence[_Commit]]) -> dict[str, frozenset[str]]:
        """Return the final places of files, except those that were removed, through all moves."""
        ends: dict[str, set[str]] = {file: set() for file in files}
        pending = [(file, file, commit) for file, by in files.items() for commit in by]
        seen = {(file, file) for file in files}
        while pending:
            places = self._next_places({(before, commit) for _, before, commit in pending})
            steps, pending = pending, []
            for file, before, commit in steps:
                after = places[before, commit]
                if after is None or (file, after) in seen:
                    continue
                seen.add((file, after))
                row = self._index.rows.get(after)
                later = self._removed_by(after, row) if row else []
                pending += [(file, after, one) for one in later]
                if not later:
                    ends[file].add(after)
        return {file: frozenset(found) for file, found in ends.items()}

    def _next_places(
        self, steps: Collection[tuple[str, _Commit]]
    ) -> dict[tuple[str, _Commit], str | None]:
        """Return the file that each became in the commit that removed it; None if unclear."""
        known = self._known_moves
        wanted: defaultdict[_Commit, set[str]] = defaultdict(set)
        for path, commit in steps:
            if path not in known.get(commit.id, {}):
                wanted[commit].add(path)
        # Of a huge commit only the renames are read.
        for option in ("--diff-filter=ADMR", "--diff-filter=R"):
            asked = {
                one.id: paths
                for one, paths in wanted.items()
                if (one.size > _MOST_FILES) is option.endswith("=R")
            }
            for name, patch in self._patches(asked, option):
                known.setdefault(name, {}).update(_moves(patch, asked[name]))
        if wanted and not self.lacks_content:
            self._cache.save("moves", {}, known)
        return {(path, one): known[one.id][path] for path, one in steps}

    def _patches(self, commits: Collection[str], option: str) -> Iterator[tuple[str, str]]:
        """Yield the commits with their patches, which are empty for merges."""
        diff = ("-c", "core.quotePath=false", "diff-tree", "--stdin", "-r", "--root", "--always")
        patch = ("-p", "-U0", "--no-ext-diff", "--no-textconv", "-M", option)
        data = "".join(f"{commit}\n" for commit in commits).encode()
        if not commits:
            return
        try:
            printed = process.run_with((*diff, *patch), self._repository.top, data=data)
        except GitFailed:
            # Renames with the same content still show, for which git reads no blob.
            self.lacks_content = True
            exact = ("-M100%", "--diff-filter=R", "--name-status")
            printed = self._repository.run_with(data, *diff, *exact)
            printed = _EXACT_RENAME.sub(rb"diff --git \nrename from \1\nrename to \2", printed)
        parts = _COMMIT_LINE.split(os.fsdecode(printed))
        yield from zip(parts[1::2], parts[2::2], strict=True)

    @cached_property
    def _known_moves(self) -> dict[str, dict[str, str | None]]:
        moves = cached.mapping_of(cached.mapping_of(cached.optional(cached.text)))
        return self._cache.load("moves", {}, moves) or {}

    def _removed_by(self, path: str, row: _Row) -> list[_Commit]:
        """Return the commits that last removed a path, empty if it is in HEAD."""
        removals = self._index.removals
        if row.removed_by or path in self._in_head:
            return [removals[number] for number in row.removed_by]
        # The newest merge that lacks a path that one of its parents had.
        options = ("--full-history", "-m", *_RAW, "--diff-filter=D", _WITH_TIMES)
        printed = self._repository.run("log", *options, self._repository.head, "--", path)
        removing = (commit for commit, changes in _listed(printed) if changes)
        return [*islice(removing, 1)]

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
    def _index(self) -> _Index:
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


def ending_in(path: str, by_name: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the paths of by_last_name() with a path as their end and folders before it."""
    names = by_name.get(path.rpartition("/")[2], ())
    return [other for other in names if other.endswith(f"/{path}")]


def _listed(printed: bytes) -> Iterator[tuple[_Commit, list[tuple[str, str, str]]]]:
    """Read a log with _RAW and _WITH_TIMES, newest first: commits and their changes.

    A change is its modes, its status and its path.
    """
    header: list[str] = []
    changes: list[tuple[str, str, str]] = []
    row: list[str] = []
    for token in (*os.fsdecode(printed).split("\0"), "\1"):
        field = token.lstrip("\n")
        if row:
            changes.append((row[0], row[1][0], token))
            row = []
        elif field[:1] == ":":
            row = field.lstrip(":").rsplit(" ", 1)
        elif field[:1] == "\1":
            if header:
                name, time, date = header
                yield _Commit(name, date, int(time), len(changes)), changes
            header, changes = field[1:].split(commands.SEPARATOR), []


def _read_index(printed: bytes) -> _Index:
    rows: dict[str, _Row] = {}
    removals: list[_Commit] = []
    added: set[str] = set()
    for commit, changes in _listed(printed):
        number = len(removals)
        for modes, status, path in changes:
            if _SUBMODULE in modes:
                continue
            _, removed_by = rows.get(path, (0, ()))
            if status == "A":
                added.add(path)
            elif path not in added:  # before that it was removed and restored
                removed_by += (number,)
                if number == len(removals):
                    removals.append(commit)
            rows[path] = _Row(commit.time, removed_by)
    return _Index(rows, removals)


def _as_json(index: _Index) -> object:
    """Return an index as columns: a hundred thousand rows load in a tenth of the time."""
    paths = [path for path in index.rows if "\n" not in path]
    rows = [index.rows[path] for path in paths]
    return [
        "\n".join(paths),
        [row.first for row in rows],
        [list(row.removed_by) for row in rows],
        "\n".join(" ".join(map(str, commit)) for commit in index.removals),
    ]


def _stored_index(value: Any) -> _Index:  # noqa: ANN401  (any JSON)
    numbers = cached.list_of(cached.whole_number)
    columns = cached.row(cached.text, numbers, cached.list_of(numbers), cached.text)
    paths, first, removed_by, removals = columns(value)
    rows = map(_Row, first, removed_by)
    commits = [line.split(" ") for line in removals.split("\n") if line]
    return _Index(
        dict(zip(paths.split("\n"), rows, strict=True)),
        [_Commit(name, date, int(time), int(size)) for name, date, time, size in commits],
    )


def _new_folder(folder: str, places: Mapping[str, str | None]) -> str | None:
    """Return the folder that files of another one went to, under any name; None if unclear.

    More than half of the files, or several, must be there, and hardly any elsewhere.
    """
    # Files that became one file show no folder.
    origins = {after: file for file, after in places.items() if after}
    moved: Counter[str] = Counter()
    for after, file in origins.items():
        inner, place = dirname(file).removeprefix(folder), dirname(after)
        moved[place.removesuffix(inner) if place.endswith(inner) else ""] += 1
    other, count = next(iter(moved.most_common(1)), ("", 0))
    is_inner = not other or folder.startswith(f"{other}/")  # one file says nothing about it
    is_most = count >= _SEVERAL or (2 * count > len(places) and not (is_inner and count == 1))
    return other if is_most and count >= _SHARE * moved.total() else None


_COMMIT_LINE = lazy_pattern(r"(?m)^([0-9a-f]{40,64})\n")
_EXACT_RENAME = lazy_pattern(rb"(?m)^R100\t(.*)\t(.*)$")
_FILE_LINE = lazy_pattern(r"(?m)^diff --git .*\n")
_SIMILARITY = lazy_pattern(r"(?m)^similarity index (\d+)%$")
_NAME_LINE = lazy_pattern(r"(?m)^(--- a/|\+\+\+ b/|rename from |rename to )(.*?)\t?$")


def _moves(patch: str, paths: Collection[str]) -> dict[str, str | None]:
    """Return the file that each of some removed ones became, by the patch of a commit.

    It is the rename, or the file that received most of the lines, if no other new file has the old
    name; else None. A rename that left many lines to another file is none.
    """
    renamed: dict[str, str] = {}
    kept: dict[str, float] = {}  # how many lines a renamed file kept
    texts = []  # old name, new name and text of each file
    for part in _FILE_LINE.split(patch)[1:]:
        head, _, text = part.partition("\n@@")
        names = dict(_NAME_LINE.findall(head))
        texts.append((names.get("--- a/"), names.get("+++ b/"), text))
        if "rename from " in names:
            renamed[names["rename from "]] = names["rename to "]
            kept[names["rename from "]] = _kept(head, text)
    lost = {
        old: _lines(text, "-")
        for old, new, text in texts
        if old is not None and old in paths and (new is None or old in renamed)
    }
    told = {line for lines in lost.values() for line in lines if _TELLING.match(line)}
    gained: defaultdict[str, set[str]] = defaultdict(set)
    for _, new, text in texts if told else ():
        for line in told & _lines(text, "+"):
            if new:
                gained[line].add(new)
    moves: dict[str, str | None] = {}
    for path in paths:
        name = basename(path)
        doubles = {new for old, new, _ in texts if new and not old and basename(new) == name}
        if path in renamed:
            file = renamed[path]
            _, others = _shares(told & lost.get(path, set()), gained)
            most = max((n for one, n in others.items() if one != file), default=0)
            is_clear = _stem(file) == _stem(path) or 2 * most <= kept[path]
            is_clear = is_clear and (not doubles or basename(file) == name)
            moves[path] = file if is_clear else None
        else:
            after = _receiver(path, told & lost.get(path, set()), gained)
            moves[path] = after if not doubles or after in doubles else None
    return moves


def _lines(text: str, sign: str) -> set[str]:
    return {line[1:].strip() for line in text.split("\n") if line[:1] == sign}


def _kept(head: str, text: str) -> float:
    """Return about how many telling lines a rename kept, by its similarity and its changes."""
    same = int(found[1]) if (found := _SIMILARITY.search(head)) else 100
    changed = max(sum(bool(_TELLING.match(line)) for line in _lines(text, one)) for one in "-+")
    return changed * same / (100 - same) if same < 100 else inf


def _stem(path: str) -> str:
    return splitext(basename(path))[0]


def _shares(lines: set[str], gained: Mapping[str, set[str]]) -> tuple[list[str], Counter[str]]:
    """Return the lines that are not common to many files, and how many of them each file gained."""
    own = [line for line in lines if len(gained.get(line, ())) <= _COMMON]
    return own, Counter(file for line in own for file in gained.get(line, ()))


def _receiver(path: str, lines: set[str], gained: Mapping[str, set[str]]) -> str | None:
    """Return the file that received most lines of a removed one, None if unclear."""
    own, counts = _shares(lines, gained)
    if len(own) < _FEW_LINES or not counts:
        return None
    (after, most), (_, next_most) = (*counts.most_common(2), ("", 0))[:2]
    needed = len(own) * (_WITH_ITS_NAME if _stem(after) == _stem(path) else _RECEIVED)
    return after if most >= max(needed, 2 * next_most) else None


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
    read: Callable[[bytes], Mapping[str, frozenset[str] | None]],
) -> Mapping[str, PastThing]:
    """Return everything that versions of a file up to HEAD contained, by name.

    read() finds the names in a version, each with the lines that tell it under a new name, or None
    for things that are never renamed. kind names the question for the cache. A name in the newest
    version has no removal. Raises UntrustedHistory if a version is missing.
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
        newer: Mapping[str, frozenset[str] | None] = {}
        with BlobReader(repository, AUTO) as blobs:
            for number, ((commit, time, date), blob) in enumerate(versions):
                if number % _AHEAD == 0:
                    ahead = versions[number : number + _AHEAD]
                    blobs.prefetch(blob for _, blob in ahead if blob)
                names = read(blobs.version(blob)) if blob else {}
                for name in names:
                    if name in stored:
                        stored[name] = stored[name]._replace(first=int(time))
                        continue
                    after = _renamed(name, names, newer)
                    later = stored[after] if after is not None else None
                    ends = later.successors if later and later.removal else filter(None, [after])
                    stored[name] = PastThing(int(time), removal, frozenset(ends))
                removal, newer = Removal(commit, date), names
        as_rows = {name: [*thing[:2], [*thing.successors]] for name, thing in stored.items()}
        cache.save("texts", key, as_rows)
    return stored


def _renamed(
    name: str,
    names: Mapping[str, frozenset[str] | None],
    newer: Mapping[str, frozenset[str] | None],
) -> str | None:
    """Return the name that a thing has in the next version, by its lines; None if unclear."""
    lines = names[name]
    added = {one: found for one, found in newer.items() if one not in names and found is not None}
    if lines is None or not added:
        return None
    shared = sorted(((len(lines & own), one) for one, own in added.items()), reverse=True)
    (most, after), (next_most, _) = (*shared, (0, ""))[:2]
    if most and most >= max(len(lines) * _RECEIVED, 2 * next_most):
        return after
    is_only_one = len(added) == sum(one not in newer for one in names) == 1
    words = {word for word in name.split("-") if len(word) > 3} & {*after.split("-")}
    return after if is_only_one and (words or most) else None


_stored_things = cached.mapping_of(
    cached.record(
        lambda first, removal, ends: PastThing(first, removal, frozenset(ends)),
        cached.whole_number,
        cached.optional(cached.record(Removal, cached.object_id, cached.text)),
        cached.list_of(cached.text),
    )
)
