"""The tracked names of a workspace, and the contents of its files in a commit."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.document import excess_of
from learnings.core.file_names import (
    LEARNINGS_NAMES,
    LOADED_NAME,
    MANIFESTS,
    SIMILAR_NAME,
    TRACKED_PATTERNS,
)
from learnings.core.roles import is_nested_instructions, is_package_path, packages_around
from learnings.history.git.tracked import committed_blobs, tracked_files
from learnings.workspace.disk import find_root, real_path


class TrackedNames(NamedTuple):
    """Tracked paths below a root, sorted: packages, files with memory names, instructions."""

    packages: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()


def tracked_names(root: Path) -> TrackedNames:
    """Return the tracked names below a root; empty outside a repository."""
    if not os.path.lexists(find_root(real_path(root)) / ".git"):
        return TrackedNames()

    packages: set[str] = set()
    memories, instructions = [], []
    for path in tracked_files(root, TRACKED_PATTERNS):
        folder, _, name = path.rpartition("/")
        if name in MANIFESTS:
            packages.add(folder)
        elif is_nested_instructions(path):
            instructions.append(path)
        elif name in (LOADED_NAME, *LEARNINGS_NAMES) or SIMILAR_NAME.fullmatch(name):
            memories.append(path)
    own = sorted(folder for folder in packages if folder and is_package_path(folder))
    return TrackedNames(tuple(own), tuple(sorted(memories)), tuple(sorted(instructions)))


def is_in_package(root: Path, path: str, names: tuple[str, ...] = LEARNINGS_NAMES) -> bool:
    """Return True if a path is a learnings file of a package that is on disk."""
    return any(
        os.path.isfile(root / package / manifest)  # noqa: PTH113  (never raises)
        for package in packages_around(path, names)
        for manifest in MANIFESTS
    )


def committed_data(root: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return the contents of paths from the root in a commit, unless missing or too large."""
    top = find_root(real_path(root))
    if not os.path.lexists(top / ".git"):
        return {}
    inner = real_path(root).relative_to(top).as_posix()
    names = {path: path if inner == "." else f"{inner}/{path}" for path in paths}
    blobs = committed_blobs(top, [*names.values()], rev=rev)
    return {
        path: blobs[name]
        for path, name in names.items()
        if name in blobs and excess_of(blobs[name]) is None
    }
