"""The base of a diff: the commit at which a branch left another, and what has changed since."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.history.git import process
from learnings.history.git.process import GitFailed
from learnings.history.git.tracked import committed_blobs


class DiffBase(NamedTuple):
    """The commit that two histories have in common, and the files that changed after it.

    paths are relative to top, the top folder of the working tree.
    """

    top: Path
    commit: str
    paths: tuple[str, ...]

    def content(self, path: str) -> bytes | None:
        """Return the content of a file at the base; None where it did not exist.

        What is larger than any memory file ends behind the limit for that. Raises UntrustedHistory
        where git cannot read it.
        """
        return committed_blobs(self.top, [path], rev=self.commit).get(path)


def find_diff_base(folder: Path, base: str) -> DiffBase | None:
    """Return what HEAD has changed since it left the commit `base`; None where git does not know.

    Deleted files are left out; uncommitted changes count too.
    """
    commit = merge_base(folder, base)
    if commit is None:
        return None
    try:
        top = _line(["rev-parse", "--show-toplevel"], folder)
        arguments = ["diff", "--name-only", "--no-renames", "--diff-filter=d", "-z", commit]
        printed = process.run(arguments, Path(top))
    except GitFailed:
        return None
    paths = tuple(os.fsdecode(path) for path in printed.split(b"\0") if path)
    return DiffBase(Path(top), commit, paths)


def merge_base(folder: Path, base: str) -> str | None:
    """Return the commit at which HEAD left another one; None where git does not know."""
    if not base or base.startswith("-"):
        return None
    try:
        return _line(["merge-base", base, "HEAD"], folder)
    except GitFailed:
        return None


def _line(arguments: list[str], folder: Path) -> str:
    return os.fsdecode(process.run(arguments, folder)).removesuffix("\n")
