"""What a branch has changed since it left another one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.history.git import process
from learnings.history.git.process import GitFailed


class DiffBase(NamedTuple):
    """The commit that two histories have in common, and the files that changed after it."""

    top: Path
    commit: str
    paths: tuple[str, ...]

    def content(self, path: str) -> bytes | None:
        """The content that a file had then; None where it did not exist."""
        try:
            return process.run(["cat-file", "blob", f"{self.commit}:{path}"], self.top)
        except GitFailed:
            return None


def since(folder: Path, base: str) -> DiffBase | None:
    """Return what HEAD has changed since it left a commit; None where git does not know that.

    Files that were deleted are left out; what is not committed counts too.
    """
    if not base or base.startswith("-"):
        return None
    try:
        top = _line(["rev-parse", "--show-toplevel"], folder)
        common = _line(["merge-base", base, "HEAD"], folder)
        changed = ["diff", "--name-only", "--no-renames", "--diff-filter=d", "-z", common]
        printed = process.run(changed, Path(top))
    except GitFailed:
        return None
    paths = tuple(os.fsdecode(path) for path in printed.split(b"\0") if path)
    return DiffBase(Path(top), common, paths)


def _line(arguments: list[str], folder: Path) -> str:
    return os.fsdecode(process.run(arguments, folder)).removesuffix("\n")
