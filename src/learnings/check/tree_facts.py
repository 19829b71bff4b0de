"""Which files there are in a repository, for what instructions say of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from learnings.core.errors import LearningsError
from learnings.history.git.tracked import ignoring_rule, listed_files
from learnings.rules.rule import TreeFacts
from learnings.workspace.disk import exists


def tree_facts(root: Path, path: str) -> TreeFacts:
    """Return what is there around the instructions at a POSIX path from the root."""

    def has(other: str) -> bool:
        return exists(root / other) or (_is_repository(root) and _is_ignored(root, other))

    def matches(globs: Sequence[str]) -> bool:
        return not _is_repository(root) or _is_any_listed(root, globs)

    return TreeFacts(path, has, matches)


def _is_repository(root: Path) -> bool:
    return os.path.lexists(root / ".git")


def _is_ignored(root: Path, path: str) -> bool:
    try:
        return ignoring_rule(root, path) is not None
    except LearningsError:
        return True


def _is_any_listed(root: Path, globs: Sequence[str]) -> bool:
    try:
        return bool(listed_files(root, [p for glob in globs for p in _pathspecs(glob)]))
    except LearningsError:
        return True


def _pathspecs(glob: str) -> Sequence[str]:
    inner = glob.removeprefix("./").lstrip("/")
    inner = f"{inner}**" if inner.endswith("/") else inner
    return (f":(glob){inner}", f":(glob)**/{inner}") if inner else (".",)
