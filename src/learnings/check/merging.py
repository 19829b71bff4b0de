"""Entries that the merge in progress has mixed or doubled in a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from learnings.core.entries.document import Document, ReadOptions, read_older
from learnings.core.entries.merge_damage import MergeDamage, merge_damage
from learnings.core.errors import LearningsError
from learnings.history.git.merge_bases import merge_bases, merge_heads
from learnings.history.git.repository import Repository, open_repository
from learnings.rules.checked_file import CheckedFile
from learnings.workspace.disk import find_root, real_path
from learnings.workspace.git_files import committed_data


def damage_under_way(root: Path, path: str, file: CheckedFile) -> tuple[MergeDamage, ...]:
    """Return the damage in a file, given its path from the root; empty if git cannot tell."""
    options = ReadOptions.of(file.file_settings)
    try:
        repository = open_repository(find_root(real_path(root)))
        heads = merge_heads(repository)
        versions = [_version(root, path, rev, options) for rev in (repository.head, *heads)]
        parents = [version for version in versions if version is not None]
        if len(parents) < 2:
            return ()
        base = partial(_base, repository, heads, root, path, options)
        return tuple(merge_damage(file.document, parents, base))
    except LearningsError:
        return ()  # a check of a file needs no history


def _version(root: Path, path: str, rev: str, options: ReadOptions) -> Document | None:
    data = committed_data(root, [path], rev=rev).get(path)
    return None if data is None else read_older(data, options)


def _base(
    repository: Repository, heads: Sequence[str], root: Path, path: str, options: ReadOptions
) -> Document | None:
    commits = merge_bases(repository, repository.head, heads[0])
    versions = (_version(root, path, commit, options) for commit in commits)
    return next((version for version in versions if version is not None), None)
