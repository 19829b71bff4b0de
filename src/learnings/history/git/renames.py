"""The renames of files that git detects, in the working tree and in its history."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from learnings.core.errors import LearningsError
from learnings.history.git.commands import RAW, raw_changes
from learnings.history.git.repository import run_in


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
