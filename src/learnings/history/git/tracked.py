"""Files of the index, files that changed or were renamed, and the content of a commit."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError
from learnings.history.git import commands
from learnings.history.git.commands import RAW, raw_changes
from learnings.history.git.objects import ObjectReader, tree_entries
from learnings.history.git.process import paths_in
from learnings.history.git.repository import missing_object, run_in
from learnings.history.git.work_tree import folders_around

LINK, SUBMODULE = "120000", "160000"
"""Modes of links and submodules."""
UNTRACKED, SKIPPED = "?", ("S", "s")
"""Tags of `git ls-files -v`; any in lower case: assume-unchanged."""

_DIFF = ("--no-literal-pathspecs", "diff", "--name-only", "--no-renames", "-z")
_OTHERS = ("--others", "--exclude-standard")


def tracked_files(folder: Path, patterns: Sequence[str] = ()) -> list[str]:
    """Return the tracked files, or those that match git pathspecs, as POSIX paths from the folder.

    Empty without git or a repository.
    """
    return _listed(folder, commands.listed_files(patterns))


def listed_files(
    folder: Path, patterns: Sequence[str], *, with_untracked: bool = True
) -> list[str]:
    """Like tracked_files(), with untracked files if wanted; raises LearningsError if git fails."""
    options = ["--cached", *_OTHERS] if with_untracked else []
    printed = run_in(folder, *commands.listed_files(patterns, *options))
    # In a conflict git names a file once for each side.
    return [*dict.fromkeys(paths_in(printed))]


def changed_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return changed and untracked files that match git pathspecs, without ignored ones.

    Paths are POSIX, from the top folder. Empty if git fails.
    """
    changed = [*_DIFF, "--diff-filter=d", rev, "--", *patterns]
    return _listed(top, changed, commands.listed_files(patterns, *_OTHERS))


def altered_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return the files of a commit that were changed or removed, on disk or in the index, sorted.

    patterns are git pathspecs; paths are POSIX from the top folder. Empty if git fails.
    """
    options = ["--diff-filter=MDT", rev, "--", *patterns]
    return sorted(_listed(top, [*_DIFF, *options], [*_DIFF, "--cached", *options]))


def rewrites(folder: Path, paths: Sequence[str]) -> dict[str, tuple[int, int]]:
    """Count the commits that changed each path, and those that replaced half of its lines.

    Paths are POSIX, from the folder. Empty if git fails, or would have to fetch the versions.
    """
    counts: dict[str, tuple[int, int]] = {}
    sizes: dict[str, int] = {}
    command = ("log", "--no-merges", "--reverse", "--no-renames", "--relative", "--numstat")
    printed = b""
    with suppress(LearningsError):
        if b".partialclonefilter" not in run_in(folder, "config", "--list", "--name-only"):
            printed = run_in(folder, *command, "--format=", "-z", "--", *paths)
    for row in filter(None, printed.split(b"\0")):
        added, removed, name = row.lstrip(b"\n").split(b"\t", 2)
        path, numbers = os.fsdecode(name), (added, removed)
        new, old = (int(number) if number.isdigit() else 0 for number in numbers)
        size, (changed, rewritten) = sizes.get(path, 0), counts.get(path, (0, 0))
        counts[path] = changed + 1, rewritten + (0 < size <= 2 * old)
        sizes[path] = size + new - old
    return counts


def _listed(folder: Path, *listings: Sequence[str]) -> list[str]:
    try:
        printed = b"".join([run_in(folder, *arguments) for arguments in listings])
    except LearningsError:
        return []
    return [*dict.fromkeys(paths_in(printed))]


def is_unchanged(folder: Path, paths: Sequence[str]) -> bool:
    """Return True if tracked files are the same on disk, in the index and in HEAD.

    paths are POSIX, from the folder. False without git or a repository.
    """
    with suppress(LearningsError):
        if not run_in(folder, "status", "--porcelain", "-z", "--", *paths):
            return {*paths} <= {*paths_in(run_in(folder, "ls-files", "-z", "--", *paths))}
    return False


def index_entries(
    folder: Path, *, index_file: str | None = None, with_untracked: bool = False
) -> dict[str, tuple[str, str]]:
    """Return the tag and the mode of each file of an index, by default the repository's own.

    Paths are POSIX, from the folder; untracked files have no mode. Raises UntrustedHistory.
    """
    options = ["--cached", *_OTHERS] if with_untracked else []
    command = ["ls-files", "-v", "--stage", "-z", *options]
    printed = run_in(folder, *command, index_file=index_file)
    entries = {}
    for row in os.fsdecode(printed).split("\0")[:-1]:
        if row[0] == UNTRACKED:
            entries[row[2:]] = UNTRACKED, ""
        else:
            fields, _, path = row.partition("\t")
            entries[path] = fields[0], fields.split(" ")[1]
    return entries


class IndexedFiles(NamedTuple):
    """The paths in the index of a repository, POSIX and relative to a folder.

    sparse has the files and folders that a sparse checkout keeps off the disk.
    """

    files: frozenset[str] = frozenset()
    sparse: frozenset[str] = frozenset()
    submodules: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()


def indexed_files(folder: Path) -> IndexedFiles:
    """Return the entries of the index below a folder. Raises LearningsError if git fails."""
    entries = index_entries(folder)
    sparse = {path for path, (tag, _) in entries.items() if tag in SKIPPED}
    submodules, links = (
        frozenset(path for path, (_, other) in entries.items() if other == mode)
        for mode in (SUBMODULE, LINK)
    )
    return IndexedFiles(
        frozenset(entries), frozenset(sparse | folders_around(sparse)), submodules, links
    )


def committed_blobs(top: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return the content of the paths that a commit has, each limited by ObjectReader.

    Paths are POSIX, from the top folder. Empty without git, a repository or the commit. Raises
    UntrustedHistory if an object is missing or damaged. With an empty rev, the index is read.
    """
    try:
        with ObjectReader(top) as objects:
            blobs = objects.blobs(rev, paths)
        missing = [path for path in paths if path not in blobs]
        command = ["ls-tree", "-z", "--full-tree", rev, "--", *missing]
        listed = run_in(top, *command) if missing and rev else b""
    except LearningsError:
        try:
            run_in(top, "rev-parse", "--verify", "--quiet", rev)
        except LearningsError:
            return {}
        raise
    for entry in tree_entries(os.fsdecode(listed)):
        if entry.kind == "blob":
            raise missing_object(top, entry.id)
    return {path: blob.content for path, blob in blobs.items()}


class RenamedFiles:
    """The former names of files below a folder, as far as git detects renames.

    Paths are POSIX, from the folder. Nothing was renamed if git fails.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._renames = cache(self._renames_in)

    def since(self, rev: str) -> dict[str, str]:
        """Return what was renamed since a commit: the former paths by those of the working tree."""
        return self._renames("diff", "--no-ext-diff", rev)

    def former_names(self, path: str) -> Iterator[str]:
        """Yield the former names of a file, newest first, asking git for each."""
        rev, name, seen = "HEAD", self.since("HEAD").get(path, ""), {path}
        if not name:
            rev, name = self._before(rev, path)
        while name and name not in seen:
            seen.add(name)
            yield name
            rev, name = self._before(rev, name)

    def _before(self, rev: str, path: str) -> tuple[str, str]:
        """Return a parent of the commit that last added a path, and its name there if renamed.

        A file that replaced a link was added, too.
        """
        last = ("log", "-1", "--diff-filter=AT", "--format=%H", rev, "--", path)
        commit = self._printed(*last).decode("ascii").strip()
        renames = self._renames("diff-tree", "-r", "--no-commit-id", commit) if commit else {}
        return f"{commit}^", renames.get(path, "")

    def _renames_in(self, *command: str) -> dict[str, str]:
        # -B: a link may have taken the place of a file that was renamed (git calls this a copy), or
        # a renamed file that of a link. Git does so, too, if no line of a text is left.
        options = ("--relative", *RAW, "-M", "-B100%", "--diff-filter=RC", "--")
        renamed = raw_changes(self._printed(*command, *options))
        return {path: change.path_before for path, change in renamed.items()}

    def _printed(self, *arguments: str) -> bytes:
        try:
            return run_in(self._folder, *arguments)
        except LearningsError:
            return b""
