"""Files that discovery leaves out because git ignores them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from learnings.app.workspace.disk import find_root, real_path
from learnings.history.git.ignored import GitignoreRules

IGNORED_BY_GIT = "ignored by git"


class GitignoreFilter:
    """What git ignores below a folder; git answers for all expected paths at once.

    Outside a repository nothing is ignored, and neither below a folder that is itself ignored:
    it can only be reached by its name.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, bool] = {}
        self._expected: list[str] = []

    def expect(self, paths: Iterable[str]) -> None:
        """Add paths that reason() will be called with, POSIX and relative to the folder."""
        self._expected += paths

    def reason(self, path: str) -> str | None:
        """Return why a path is left out, None for one that is not."""
        if path not in self._known:
            paths = [*dict.fromkeys((path, *self._expected))]
            ignored = self._ignored(paths)
            self._known |= {path: path in ignored for path in paths}
            self._expected.clear()
        return IGNORED_BY_GIT if self._known[path] else None

    def _ignored(self, paths: list[str]) -> frozenset[str]:
        root = real_path(self._root)
        top = find_root(root)
        if not os.path.lexists(top / ".git"):
            return frozenset()
        if root == top:
            return GitignoreRules(top).ignored(paths)
        inner = root.relative_to(top).as_posix()
        ignored = GitignoreRules(top).ignored([inner, *(f"{inner}/{path}" for path in paths)])
        if inner in ignored:
            return frozenset()
        return frozenset(path for path in paths if f"{inner}/{path}" in ignored)
