"""The base of a diff: the commit at which a branch left another, and what has changed since."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.history.git import process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import explained
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
    """Return what HEAD has changed since it left the commit `base`; None as for merge_base().

    Deleted files are left out; uncommitted changes count too. Raises UntrustedHistory where git
    cannot read what it needs.
    """
    commit = merge_base(folder, base)
    if commit is None:
        return None
    try:
        top = _line(["rev-parse", "--show-toplevel"], folder)
        arguments = ["diff", "--name-only", "--no-renames", "--diff-filter=d", "-z", commit]
        printed = process.run(arguments, Path(top))
    except GitFailed as error:
        raise explained(error, folder) from error
    paths = tuple(os.fsdecode(path) for path in printed.split(b"\0") if path)
    return DiffBase(Path(top), commit, paths)


def merge_base(folder: Path, base: str) -> str | None:
    """Return the commit at which HEAD left another one.

    None where that one is not here, or is not related to HEAD. Raises UntrustedHistory where git
    cannot read the history between them.
    """
    if not base or base.startswith("-") or not _is_commit(folder, base):
        return None
    try:
        return _line(["merge-base", base, "HEAD"], folder)
    except GitFailed as error:
        if not str(error):  # what git says of histories that are not related
            return None
        raise explained(error, folder) from error


def _is_commit(folder: Path, name: str) -> bool:
    try:
        process.run(["rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], folder)
        process.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], folder)
    except GitFailed:
        return False
    return True


def _line(arguments: list[str], folder: Path) -> str:
    return os.fsdecode(process.run(arguments, folder)).removesuffix("\n")
