"""The learnings files of a whole repository, those of its packages too."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.app.workspace.gitignore import IGNORED_BY_GIT
from learnings.app.workspace.workspace import Workspace
from learnings.core.file_names import COMPANION_NAME, LEARNINGS_FOLDERS, LEARNINGS_NAMES
from learnings.core.roles import is_package_path

_LONGEST_FIRST = sorted(LEARNINGS_FOLDERS, key=len, reverse=True)
_NAMES = {*LEARNINGS_NAMES, COMPANION_NAME}


class RepositoryFiles(NamedTuple):
    """The learnings files to configure, and those that git ignores; POSIX paths from the root."""

    files: tuple[str, ...]
    ignored: tuple[str, ...]


def find_learnings_files(workspace: Workspace) -> RepositoryFiles:
    """Find the learnings files in the folders of discovery, from the root and from each package.

    A package is a folder with such a folder below it. Files that git ignores are in this clone
    only, so that a configuration that names them fails everywhere else. Raises LearningsError
    where git fails.
    """
    listed = _listed(workspace)
    at_root = _learnings_files(workspace, "")
    below = [path for package in _packages(listed) for path in _learnings_files(workspace, package)]
    paths = dict.fromkeys([*at_root, *below])
    return RepositoryFiles(
        files=tuple(path for path in paths if path in listed),
        ignored=tuple(path for path in paths if path not in listed),
    )


def _learnings_files(workspace: Workspace, package: str) -> list[str]:
    """Return the learnings files of a package, those that git ignores too."""
    folder = workspace.root / package
    part = workspace.below(folder)
    prefix = f"{package}/" if package else ""
    for problem in part.problems():
        raise problem
    return [
        prefix + file.path
        for file in part.learnings_files()
        if file.included or file.reason == IGNORED_BY_GIT
    ]


def _listed(workspace: Workspace) -> set[str]:
    """Return the files with the names of learnings files that git tracks or would add."""
    from learnings.history.git import process  # noqa: PLC0415  (starts git)
    from learnings.history.git.repository import explained  # noqa: PLC0415  (as above)

    command = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        output = process.run(command, workspace.root)
    except process.GitFailed as error:
        raise explained(error, workspace.root) from error
    paths = (os.fsdecode(path) for path in output.split(b"\0"))
    return {path for path in paths if path.rpartition("/")[2] in _NAMES}


def _packages(paths: Iterable[str]) -> list[str]:
    folders = {str(PurePosixPath(path).parent) for path in paths if path.isprintable()}
    packages = {_package_of(folder) for folder in folders if folder != "."}
    return sorted(package for package in packages if package and is_package_path(package))


def _package_of(folder: str) -> str:
    """Return the folder from which `folder` is one of discovery, empty for the root."""
    for suffix in _LONGEST_FIRST:
        if folder == suffix:
            return ""
        if suffix and folder.endswith(f"/{suffix}"):
            return folder.removesuffix(f"/{suffix}")
    return folder
