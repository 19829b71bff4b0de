"""The existing files of a repository, for the statements of instructions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from learnings.core.errors import LearningsError
from learnings.history.git.tracked import ignoring_rule, listed_files
from learnings.rules.rule import TreeFacts
from learnings.workspace.disk import exists


def tree_facts(root: Path, path: str) -> TreeFacts:
    """Return the existing files around the instructions at a POSIX path from the root."""
    is_repository = os.path.lexists(root / ".git")

    def has(other: str) -> bool:
        if exists(root / other) or not is_repository:
            return exists(root / other)
        try:  # a file that git ignores may exist for others
            return ignoring_rule(root, other) is not None
        except LearningsError:
            return True

    def matches(globs: Sequence[str]) -> bool:
        try:
            pathspecs = [pathspec for glob in globs for pathspec in _pathspecs(glob)]
            return not is_repository or bool(listed_files(root, pathspecs))
        except LearningsError:
            return True

    return TreeFacts(path, has, matches)


def _pathspecs(glob: str) -> Sequence[str]:
    inner = glob.removeprefix("./").lstrip("/")
    inner = f"{inner}**" if inner.endswith("/") else inner
    return (f":(glob){inner}", f":(glob)**/{inner}") if inner else (".",)
