"""Files that discovery leaves out because git ignores them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from learnings.history.git.ignored import GitignoreRules

IGNORED_BY_GIT = "ignored by git"


class GitignoreFilter:
    """What git ignores below a folder, asked for all expected paths at once.

    Outside a repository nothing is ignored, and neither below a folder that is itself ignored:
    whoever looks there has named it.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, bool] = {}
        self._expected: list[str] = []

    def expect(self, paths: Iterable[str]) -> None:
        """Note paths that will be asked for, POSIX and relative to the folder."""
        self._expected += paths

    def reason(self, path: str) -> str | None:
        """Why a path is left out, None for one that is not."""
        if path not in self._known:
            asked = [*dict.fromkeys((path, *self._expected))]
            ignored = self._ignored(asked)
            self._known |= {each: each in ignored for each in asked}
            self._expected.clear()
        return IGNORED_BY_GIT if self._known[path] else None

    def _ignored(self, paths: list[str]) -> frozenset[str]:
        here = Path(os.path.realpath(self._root))
        top = next((each for each in (here, *here.parents) if os.path.lexists(each / ".git")), None)
        if top is None:
            return frozenset()
        if here == top:
            return GitignoreRules(top).ignored(paths)
        inner = here.relative_to(top).as_posix()
        ignored = GitignoreRules(top).ignored([inner, *(f"{inner}/{path}" for path in paths)])
        if inner in ignored:
            return frozenset()
        return frozenset(path for path in paths if f"{inner}/{path}" in ignored)
