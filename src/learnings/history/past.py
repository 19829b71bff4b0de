"""The past of a repository: every path of its history and what became of it, and earlier texts.

One `git log` lists additions and removals of paths without content, so it also works in a clone
that lacks blobs. Only the few commits that removed a path in question are asked where it went: to
the path that git renamed it to, or to the file that received most of its lines.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice, takewhile
from math import inf
from posixpath import basename, dirname, splitext
from typing import Any, NamedTuple

from learnings.core.entries.document import AUTO
from learnings.core.past import PastThing, Removal
from learnings.core.patterns import lazy_pattern
from learnings.history.blobs import BlobReader
from learnings.history.git import commands, process
from learnings.history.git.cached import Cache
from learnings.history.git.commands import all_commits
from learnings.history.git.objects import entries_below
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository
from learnings.history.git.work_tree import folders_around

_WITH_TIMES = "--format=%x01%H%x02%ct%x02%as"
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


# Newest versions of a file to read. Chosen: an older mention is no evidence that somebody means it.
_MOST_VERSIONS = 400
# The names in a version, each with the lines that tell it under a new name; None if none can.
_Names = Mapping[str, frozenset[str] | None]


class _Commit(NamedTuple):
    """A commit: its author date, its committer time, and how many paths it added and removed."""

    id: str
    date: str
    time: int
    size: int


_Row = tuple[_Commit, list[str], list[str]]


class Past:
    """Answers questions about the history of a repository up to its head.

    Raises UntrustedHistory if git cannot list it.
    """

    def __init__(self, repository: Repository, stored: Cache) -> None:
        self.repository = repository
        self.stored = stored
        self.lacks_content = False
        """True after a request for moves without all blobs: only exact renames are known."""

    @cached_property
    def _paths(self) -> tuple[dict[str, int], dict[str, list[_Commit]]]:
        """When each path was first added, and the commits that last removed it, newest first.

        There are several if parallel branches removed it, and none if it is in HEAD or a merge
        dropped it.
        """
        key = {"head": self.repository.head}
        rows: Iterable[_Row] | None = self.stored.load("paths", key, list)
        if rows is None:
            # Of a merge only files that no parent has, or that all parents had.
            rows = [*self._log("-c", "--diff-filter=AD", "--")]
            self.stored.save("paths", key, rows)
        first: dict[str, int] = {}
        removed_by: defaultdict[str, list[_Commit]] = defaultdict(list)
        restored: set[str] = set()
        for fields, added, removed in rows:
            commit = _Commit(*fields)
            first.update(dict.fromkeys([*added, *removed], commit.time))
            restored.update(added)
            for path in removed:
                if path not in restored:
                    removed_by[path].append(commit)
        return first, removed_by

    def _log(self, *options: str) -> Iterator[_Row]:
        """Yield the commits of a log, newest first, with the paths that each added and removed."""
        arguments = (*commands.RAW, "--ignore-submodules=all", _WITH_TIMES, self.repository.head)
        printed = self.repository.run("log", *arguments, *options)
        for (name, time, date), diffs in all_commits(printed):
            changes = [change for diff in diffs for change in diff.values()]
            added = [change.path for change in changes if change.status == "A"]
            removed = [change.path for change in changes if change.status == "D"]
            if changes:
                yield _Commit(name, date, int(time), len(changes)), added, removed

    @cached_property
    def beginning(self) -> int:
        """The time at which the first commit added a path, in seconds since 1970."""
        return min(self._paths[0].values(), default=0)

    @cached_property
    def ending_in(self) -> Callable[[str], list[str]]:
        """Return the files and folders of the history whose path ends with the given path."""
        return by_end(self._paths[0])

    def has_file(self, path: str) -> bool:
        """Return True if a commit of the history has this file."""
        return path in self._paths[0]

    def find(self, path: str) -> PastThing | None:
        """Return the known history of a file or folder, or None if it never existed.

        A folder went with the last file below it.
        """
        left = self._left(path)
        if not left:
            return None
        first = min(self._paths[0][file] for file in left)
        if not all(left.values()):
            return PastThing(first, None)
        newest = max((by[0] for by in left.values()), key=lambda one: one.time)
        return PastThing(first, Removal(newest.id, newest.date), until=newest.time)

    def _left(self, path: str) -> dict[str, list[_Commit]]:
        """Return the commits that last removed a file, or each of the files below a folder."""
        files: Iterable[str] = [path]
        if not self.has_file(path):
            start = f"{path.rstrip('/')}/"
            below = self._sorted[bisect_left(self._sorted, start) :]
            files = takewhile(lambda file: file.startswith(start), below)
        return {file: self._removed_by(file) for file in files}

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._paths[0])

    def _removed_by(self, path: str) -> list[_Commit]:
        """Return the commits that last removed a path, empty if it is in HEAD."""
        removed_by = self._paths[1].get(path, [])
        if removed_by or path in self._in_head:
            return removed_by
        # The newest merge that lacks a path that one of its parents had.
        log = self._log("--full-history", "-m", "--diff-filter=D", "--", path)
        return [commit for commit, *_ in log][:1]

    @cached_property
    def _in_head(self) -> frozenset[str]:
        entries = entries_below(self.repository, self.repository.head)
        return frozenset(entry.path for entry in entries)

    def successors(self, paths: Iterable[str]) -> Mapping[str, frozenset[str]]:
        """Return where removed files and folders went, through all moves: what is in HEAD."""
        ends: dict[str, set[str]] = {path: set() for path in paths}
        files = {path for path in ends if self.has_file(path)}
        seen = {(file, end) for file in files for end in (file, "")}
        steps = [(file, file, commit) for file in files for commit in self._removed_by(file)]
        while steps:
            places = self._next_places({(before, commit) for _, before, commit in steps})
            reached = {(file, places[before, commit] or "") for file, before, commit in steps}
            steps = []
            for file, after in reached - seen:
                later = self._removed_by(after) if self.has_file(after) else ()
                steps += [(file, after, commit) for commit in later]
                ends[file].update([] if later else [after])
            seen |= reached
        for folder in ends.keys() - files:
            ends[folder].update(filter(None, [self._folder_end(folder)]))
        return {path: frozenset(found) for path, found in ends.items()}

    def _folder_end(self, folder: str | None) -> str | None:
        """Return where a folder went by the few files that left it last."""
        seen = set()
        while folder and folder not in seen:
            seen.add(folder)
            removed_by = self._left(folder)
            if not all(removed_by.values()):
                return folder
            left = [(file, by[0]) for file, by in removed_by.items()]
            times = sorted((commit.time for _, commit in left), reverse=True)
            places = self._next_places([s for s in left if s[1].time >= times[:_SEVERAL][-1]])
            # Files that became one file show no folder.
            origins = {after: file for (file, _), after in places.items() if after}
            moved: Counter[str] = Counter()
            for after, file in origins.items():
                inner, place = dirname(file).removeprefix(folder), dirname(after)
                moved[place.removesuffix(inner) if place.endswith(inner) else ""] += 1
            other, count = next(iter(moved.most_common(1)), ("", 0))
            # Several files, or most, went there; one says nothing about a folder above.
            is_inner = count == 1 and folder.startswith(f"{other}/")
            is_most = count >= _SEVERAL or (2 * count > len(places) and not is_inner)
            folder = other if is_most and count >= _SHARE * moved.total() else None
        return None

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
        for is_huge, option in ((False, "--diff-filter=ADMR"), (True, "--diff-filter=R")):
            asked = {one.id: wanted[one] for one in wanted if (one.size > _MOST_FILES) is is_huge}
            for name, patch in self._patches(asked, option) if asked else ():
                known.setdefault(name, {}).update(_moves(patch, asked[name]))
        if wanted and not self.lacks_content:
            self.stored.save("moves", {}, known)
        return {(path, one): known[one.id][path] for path, one in steps}

    @cached_property
    def _known_moves(self) -> dict[str, dict[str, str | None]]:
        return self.stored.load("moves", {}, dict) or {}

    def _patches(self, commits: Iterable[str], option: str) -> Iterator[tuple[str, str]]:
        """Yield the commits with their patches, which are empty for merges."""
        diff = ("-c", "core.quotePath=false", "diff-tree", "--stdin", "-r", "--root", "--always")
        patch = ("-p", "-U0", "--no-ext-diff", "--no-textconv", "-M", option)
        data = "".join(f"{commit}\n" for commit in commits).encode()
        try:
            printed = process.run((*diff, *patch), self.repository.top, data=data)
        except GitFailed:
            # Renames with the same content still show, for which git reads no blob.
            self.lacks_content = True
            exact = ("-M100%", "--diff-filter=R", "--name-status")
            printed = self.repository.run(*diff, *exact, data=data)
            printed = _EXACT_RENAME.sub(rb"diff --git \nrename from \1\nrename to \2", printed)
        parts = _COMMIT_LINE.split(os.fsdecode(printed))
        yield from zip(parts[1::2], parts[2::2], strict=True)

    def parts(
        self, path: str, kind: str, read: Callable[[bytes], _Names]
    ) -> Mapping[str, PastThing]:
        """Return everything that versions of a file contained, by name.

        read() finds the names in a version; kind tells this question from others in the cache. A
        name in the newest version has no removal.
        """
        key = {"head": self.repository.head, "path": path, "of": kind}
        stored = self.stored.load("texts", key, _stored_things)
        if stored is not None:
            return stored
        log = ("log", *commands.RAW, _WITH_TIMES, self.repository.head, "--", path)
        commits = all_commits(self.repository.run(*log))
        versions = [
            (fields, changes[path].regular[1])  # no blob if the commit removed the file
            for fields, diffs in islice(commits, _MOST_VERSIONS)
            for changes in diffs
            if path in changes
        ]
        things: dict[str, PastThing] = {}
        removal: Removal | None = None
        newer: _Names = {}
        with BlobReader(self.repository, AUTO) as blobs:
            blobs.prefetch(blob for _, blob in versions if blob)
            for (commit, time, date), blob in versions:
                names = read(blobs.version(blob)) if blob else {}
                for name in names:
                    if name in things:
                        things[name] = things[name]._replace(first=int(time))
                        continue
                    after = _renamed(name, names, newer)
                    later = things[after] if after is not None else None
                    ends = later.successors if later and later.removal else filter(None, [after])
                    things[name] = PastThing(int(time), removal, frozenset(ends))
                removal, newer = Removal(commit, date), names
        rows = {name: [*thing[:2], [*thing.successors]] for name, thing in things.items()}
        self.stored.save("texts", key, rows)
        return things


def by_end(files: Collection[str]) -> Callable[[str], list[str]]:
    """Return a function that finds files, and folders around them, by the end of their path."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for path in chain(files, folders_around(files)):
        names[path.rpartition("/")[2]].append(path)
    return lambda end: [p for p in names.get(end.rpartition("/")[2], ()) if p.endswith(f"/{end}")]


_COMMIT_LINE = lazy_pattern(r"(?m)^([0-9a-f]{40,64})\n")
_EXACT_RENAME = lazy_pattern(rb"(?m)^R100\t(.*)\t(.*)$")
_FILE_LINE = lazy_pattern(r"(?m)^diff --git .*\n")
_SIMILARITY = lazy_pattern(r"(?m)^similarity index (\d+)%$")
_NAME_LINE = lazy_pattern(r"(?m)^(--- a/|\+\+\+ b/|rename from |rename to )(.*?)\t?$")


def _moves(patch: str, paths: Collection[str]) -> dict[str, str | None]:
    """Return the file that each of some removed ones became, by the patch of a commit.

    It is the rename, or the file that received most of the lines; None if another new file has the
    old name, or another file received many of the lines.
    """
    renamed: dict[str, tuple[str, float]] = {}  # the new name, and how many lines it kept
    lost: dict[str, set[str]] = {}  # the telling lines that a removed or renamed file had
    texts: list[tuple[str, str]] = []  # a file that is there, and what changed in it
    created: set[str] = set()
    for part in _FILE_LINE.split(patch)[1:]:
        head, _, text = part.partition("\n@@")
        names: dict[str, str] = dict(_NAME_LINE.findall(head))
        old, new = names.get("--- a/"), names.get("+++ b/")
        origin = names.get("rename from ") or (old if new is None else None)
        if origin and origin in paths:
            lost[origin] = _telling(text, "-")
            if "rename to " in names:
                same = int(found[1]) if (found := _SIMILARITY.search(head)) else 100
                changed = max(len(lost[origin]), len(_telling(text, "+")))
                kept = changed * same / (100 - same) if same < 100 else inf
                renamed[origin] = names["rename to "], kept
        if new is not None:
            texts.append((new, text))
            created |= {new} if old is None else set()
    gained: defaultdict[str, set[str]] = defaultdict(set)
    told = set().union(*lost.values())
    for file, text in texts if told else ():
        for line in told & _lines(text, "+"):
            gained[line].add(file)
    moves: dict[str, str | None] = {}
    for path in paths:
        # A line that many files gained says nothing.
        own = [line for line in lost.get(path, ()) if len(gained[line]) <= _COMMON]
        shares = Counter(file for line in own for file in gained[line])
        top = shares.most_common(1)[0] if shares and len(own) >= _FEW_LINES else None
        after, most = renamed.get(path) or top or ("", 0)
        next_most = max((count for file, count in shares.items() if file != after), default=0)
        has_its_name = splitext(basename(after))[0] == splitext(basename(path))[0]
        if path in renamed:
            is_clear = has_its_name or most >= 2 * next_most
        else:
            needed = len(own) * (_WITH_ITS_NAME if has_its_name else _RECEIVED)
            is_clear = most >= max(needed, 2 * next_most)
        has_double = any(basename(file) == basename(path) for file in created)
        is_clear = is_clear and (not has_double or basename(after) == basename(path))
        moves[path] = after if after and is_clear else None
    return moves


def _lines(text: str, sign: str) -> set[str]:
    return {line[1:].strip() for line in text.split("\n") if line[:1] == sign}


def _telling(text: str, sign: str) -> set[str]:
    return {*filter(_TELLING.match, _lines(text, sign))}


def _stored_things(value: dict[str, Any]) -> dict[str, PastThing]:
    return {
        name: PastThing(first, removal and Removal(*removal), frozenset(ends))
        for name, (first, removal, ends) in value.items()
    }


def _renamed(name: str, names: _Names, newer: _Names) -> str | None:
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
