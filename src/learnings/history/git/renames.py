"""The renames of files that git detects, in the working tree and in its history."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from learnings.core.errors import UntrustedHistory
from learnings.history.git.repository import output_of

# Each rename as three fields: its status, the former path and the new one.
_RENAMES = ("--relative", "-M", "--diff-filter=R", "--name-status", "-z")


class RenamedFiles:
    """The former names of files below a folder, as far as git detects renames; it reads no others.

    Paths are POSIX, from the folder. Nothing was renamed if git fails.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.since = cache(self._since)
        self._in = cache(self._in_commit)

    def former_names(self, path: str) -> Iterator[str]:
        """Yield the former names of a file, newest first, asking git for each."""
        seen = {path}
        uncommitted = self.since("HEAD").get(path)
        step = ("HEAD", uncommitted) if uncommitted else self._before("HEAD", path)
        while step and step[1] not in seen:
            rev, name = step
            seen.add(name)
            yield name
            step = self._before(rev, name)

    def _since(self, rev: str) -> dict[str, str]:
        """Return what was renamed since a commit: the former paths by those of the working tree."""
        return self._renames("diff", "--no-ext-diff", *_RENAMES, rev, "--")

    def _before(self, rev: str, path: str) -> tuple[str, str] | None:
        """Return a parent of the commit that last added a path, and its name there if renamed."""
        commit = self._git("log", "-1", "--diff-filter=A", "--format=%H", rev, "--", path)
        older = self._in(commit).get(path) if commit else None
        return (f"{commit}^", older) if older else None

    def _in_commit(self, commit: str) -> dict[str, str]:
        return self._renames("diff-tree", "-r", "--no-commit-id", *_RENAMES, commit)

    def _renames(self, *arguments: str) -> dict[str, str]:
        fields = self._git(*arguments).split("\0")
        return dict(zip(fields[2::3], fields[1::3], strict=False))

    def _git(self, *arguments: str) -> str:
        try:
            return output_of(self._folder, *arguments)
        except UntrustedHistory:  # git is not installed
            return ""
