"""What git tracks of a repository that discovery goes by: its packages, and names of memories."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import find_root, real_path
from learnings.core.file_names import (
    LEARNINGS_NAMES,
    LOADED_NAME,
    MANIFESTS,
    SIMILAR_NAME,
    TRACKED_PATTERNS,
)
from learnings.core.roles import is_package_path, packages_around


class TrackedNames(NamedTuple):
    """The tracked files below a root that matter to discovery; POSIX paths from it, sorted.

    packages are the folders below the root that hold a manifest. memories are the files that are
    named like a learnings file, or nearly, and each MEMORY.md.
    """

    packages: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()


def tracked_names(root: Path) -> TrackedNames:
    """Return what git tracks below a root; nothing outside of a repository."""
    if not os.path.lexists(find_root(real_path(root)) / ".git"):
        return TrackedNames()
    from learnings.history.git.tracked import tracked_files  # noqa: PLC0415  (starts git)

    packages: set[str] = set()
    memories = []
    for path in tracked_files(root, TRACKED_PATTERNS):
        folder, _, name = path.rpartition("/")
        if name in MANIFESTS:
            packages.add(folder)
        elif name in (LOADED_NAME, *LEARNINGS_NAMES) or SIMILAR_NAME.fullmatch(name):
            memories.append(path)
    own = sorted(folder for folder in packages if folder and is_package_path(folder))
    return TrackedNames(tuple(own), tuple(sorted(memories)))


def is_in_package(root: Path, path: str, names: tuple[str, ...] = LEARNINGS_NAMES) -> bool:
    """Return True if a path is that of a learnings file of a package that is on disk."""
    return any(
        os.path.isfile(root / package / manifest)  # noqa: PTH113  (never raises)
        for package in packages_around(path, names)
        for manifest in MANIFESTS
    )
