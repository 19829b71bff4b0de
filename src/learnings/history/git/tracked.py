"""Tracked files, and their last committed content."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError, UntrustedHistory
from learnings.history.git import commands, process
from learnings.history.git.objects import ObjectReader, tree_entries
from learnings.history.git.process import GitFailed, paths_in
from learnings.history.git.repository import run_in

_DIFF = ("--no-literal-pathspecs", "diff", "--name-only", "--no-renames", "-z")


def tracked_files(folder: Path, patterns: Sequence[str] = ()) -> list[str]:
    """Return the tracked files, or those that match git pathspecs, as POSIX paths from the folder.

    Empty without git or a repository.
    """
    # In a conflict git names a file once for each side.
    return [*dict.fromkeys(_printed_paths(folder, commands.tracked_files(patterns)))]


def _printed_paths(folder: Path, *listings: Sequence[str]) -> list[str]:
    """Return the paths that git prints for some arguments, empty if it fails for any."""
    try:
        return paths_in(b"".join([process.run(arguments, folder) for arguments in listings]))
    except (GitFailed, UntrustedHistory):
        return []


def listed_files(
    folder: Path, patterns: Sequence[str], *, with_untracked: bool = True
) -> list[str]:
    """Like tracked_files(), with untracked files if wanted; raises LearningsError if git fails."""
    command = ["--no-literal-pathspecs", "ls-files", "-z", "--cached"]
    untracked = ["--others", "--exclude-standard"] if with_untracked else []
    printed = run_in(folder, *command, *untracked, "--", *patterns)
    return [*dict.fromkeys(paths_in(printed))]


class IndexedFiles(NamedTuple):
    """The index of a repository, as POSIX paths from a folder.

    sparse has the files and folders that a sparse checkout keeps off the disk.
    """

    files: frozenset[str]
    sparse: frozenset[str]
    submodules: frozenset[str]
    links: frozenset[str]


NO_INDEX = IndexedFiles(*[frozenset[str]()] * 4)


def indexed_files(folder: Path) -> IndexedFiles:
    """Return the entries of the index below a folder. Raises LearningsError if git fails."""
    printed = run_in(folder, "ls-files", "-z", "-t", "--stage")
    rows = [row.partition(b"\t") for row in printed.split(b"\0") if row]
    paths = {os.fsdecode(path): fields.split(b" ") for fields, _, path in rows}
    sparse = {path for path, fields in paths.items() if fields[0] == b"S"}
    modes = {path: fields[1] for path, fields in paths.items()}
    return IndexedFiles(
        frozenset(paths),
        frozenset(sparse | folders_around(sparse)),
        frozenset(path for path, mode in modes.items() if mode == b"160000"),
        frozenset(path for path, mode in modes.items() if mode == b"120000"),
    )


def common_folder(top: Path) -> Path:
    """Return git's own folder, which is elsewhere for a linked worktree or a submodule."""
    own = top / ".git"
    try:
        if own.is_file():
            own = top / own.read_text("utf-8").removeprefix("gitdir: ").strip()
            own /= (own / "commondir").read_text("utf-8").strip()
    except (OSError, ValueError):
        pass  # a submodule has only one folder
    return own


def folders_around(files: Iterable[str]) -> set[str]:
    """Return the folders that files are in, at any depth, without the root."""
    folders: set[str] = set()
    for file in files:
        folder = file.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def is_unchanged(folder: Path, paths: Sequence[str]) -> bool:
    """Return True if tracked files are the same on disk, in the index and in HEAD.

    paths are POSIX, from the folder. False without git or a repository.
    """
    names = [f":(literal){path}" for path in paths]
    try:
        changes = process.run(
            ["--no-literal-pathspecs", "status", "--porcelain", "-z", "--", *names], folder
        )
    except (GitFailed, UntrustedHistory):
        return False
    return not changes and {*paths} <= {*tracked_files(folder, names)}


def changed_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return changed and untracked files that match git pathspecs, without ignored ones.

    Paths are POSIX, from the top folder. Empty if git fails.
    """
    changed = [*_DIFF, "--diff-filter=d", rev, "--", *patterns]
    others = ["--no-literal-pathspecs", "ls-files", "--others", "--exclude-standard", "-z"]
    return _printed_paths(top, changed, [*others, "--", *patterns])


def altered_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return the files of a commit that were changed or removed, on disk or in the index, sorted.

    patterns are git pathspecs; paths are POSIX from the top folder. Empty if git fails.
    """
    options = ["--diff-filter=MDT", rev, "--", *patterns]
    return sorted({*_printed_paths(top, [*_DIFF, *options], [*_DIFF, "--cached", *options])})


def committed_blobs(top: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return the content of the paths that a commit has, each limited by ObjectReader.

    Paths are POSIX, from the top folder. Empty without git, a repository or the commit. Raises
    UntrustedHistory if an object is missing or damaged.
    """
    # A name with a newline cannot be requested, and no memory file has one.
    asked = [path for path in paths if "\n" not in path]
    blobs: dict[str, bytes] = {}
    with closing(ObjectReader(top)) as objects:
        try:
            for path in asked:
                git_object = objects.get(f"{rev}:{path}")
                if git_object is not None and git_object.kind == "blob":
                    blobs[path] = git_object.content
        except LearningsError:
            if not _leads_to_commit(top, rev):
                return {}
            raise
    _refuse_missing(top, [path for path in asked if path not in blobs], rev)
    return blobs


def _refuse_missing(top: Path, paths: Sequence[str], rev: str) -> None:
    if not paths or not _leads_to_commit(top, rev):
        return
    listed = run_in(top, "ls-tree", "-z", "--full-tree", rev, "--", *paths)
    for entry in tree_entries(listed):
        if entry.kind == "blob":
            raise UntrustedHistory(
                f"the object {entry.id} is missing from this repository; run git fsck to list all "
                "missing objects, and clone it again"
            )


def _leads_to_commit(top: Path, rev: str) -> bool:
    """Return True if a name stands for a commit, present or lost; HEAD may stand for none."""
    try:
        process.run(["rev-parse", "--verify", "--quiet", rev], top)
    except (GitFailed, UntrustedHistory):
        return False
    return True
