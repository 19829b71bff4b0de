"""Merges: the commits that are being merged, those of a range, and where two of them parted."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.history.git import process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository

# `git merge` names what it merges in variables before it writes MERGE_HEAD, which it does only
# after the hook pre-merge-commit: GITHEAD_<id>=<name>.
_MERGED = lazy_pattern(r"GITHEAD_([0-9a-f]{40,64})")


class CommitParents(NamedTuple):
    """A commit with its parents."""

    commit: str
    parents: tuple[str, ...]


def merge_heads(repository: Repository) -> tuple[str, ...]:
    """Return the commits that are being merged into HEAD, none where no merge is under way."""
    folder = os.fsdecode(repository.run("rev-parse", "--absolute-git-dir")).rstrip("\n")
    try:
        heads = (Path(folder) / "MERGE_HEAD").read_text("ascii").split()
    except (OSError, ValueError):
        matches = (_MERGED.fullmatch(name) for name in os.environ)
        heads = sorted(match[1] for match in matches if match)
    return tuple(head for head in heads if head != repository.head and _is_here(repository, head))


def _is_here(repository: Repository, commit: str) -> bool:
    try:
        process.run(["cat-file", "-e", f"{commit}^{{commit}}"], repository.top)
    except GitFailed:
        return False
    return True


def merge_bases(repository: Repository, one: str, other: str) -> tuple[str, ...]:
    """Return the commits at which two parted; several after they were merged crosswise."""
    try:
        printed = process.run(["merge-base", "--all", one, other], repository.top)
    except GitFailed:
        return ()
    return tuple(printed.decode("ascii").split())


def is_ancestor(repository: Repository, older: str, newer: str) -> bool:
    """Return True if a commit is another one, or belongs to its history."""
    try:
        process.run(["merge-base", "--is-ancestor", older, newer], repository.top)
    except GitFailed:
        return False
    return True


def merges_between(repository: Repository, base: str, head: str) -> list[CommitParents]:
    """Return the merges that head has and base does not, the newest first."""
    return _commits(repository, "--merges", f"{base}..{head}", "--")


def changes_between(repository: Repository, base: str, head: str, path: str) -> list[CommitParents]:
    """Return the commits between two that change a file, and all merges, the newest first."""
    own = _commits(repository, "--full-history", f"{base}..{head}", "--", path)
    known = {row.commit for row in own}
    return own + [row for row in merges_between(repository, base, head) if row.commit not in known]


def _commits(repository: Repository, *arguments: str) -> list[CommitParents]:
    printed = repository.run("log", "--topo-order", "--format=%H %P", *arguments)
    rows = (line.split() for line in printed.decode("ascii").splitlines())
    return [CommitParents(row[0], tuple(row[1:])) for row in rows if row]
