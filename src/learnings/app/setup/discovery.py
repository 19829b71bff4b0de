"""The learnings files of a whole repository, those in its packages too."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from learnings.app.workspace.gitignore import IGNORED_BY_GIT
from learnings.app.workspace.workspace import Workspace
from learnings.core.file_names import COMPANION_NAME, LEARNINGS_FOLDERS, LEARNINGS_NAMES

# Below these lies what a project is tried with, or what others have written.
_NOT_OURS = {"test", "tests", "testdata", "fixtures", "data", "example", "examples", "demo"}
_NOT_OURS |= {"template", "templates", "archive", "node_modules", "vendor", "third_party"}
_FOLDERS = sorted(LEARNINGS_FOLDERS, key=len, reverse=True)


@dataclass(frozen=True, slots=True)
class Memories:
    """The learnings files to configure, by POSIX path from the root; and those git ignores."""

    files: tuple[str, ...]
    ignored: tuple[str, ...]


def memories_in(workspace: Workspace) -> Memories:
    """Find the learnings files at the places of discovery, from the root and from each package.

    A package is a folder with such a place below it. What git ignores is nobody else's, so that
    configured it would fail everywhere but here. Raises LearningsError where git cannot answer.
    """
    listed = _listed(workspace)
    found = _taken(workspace, "")
    inner = [path for package in _packages(listed) for path in _taken(workspace, package)]
    every = dict.fromkeys([*found, *inner])
    return Memories(
        files=tuple(path for path in every if path in listed),
        ignored=tuple(path for path in every if path not in listed),
    )


def _taken(workspace: Workspace, package: str) -> list[str]:
    folder = workspace.root / package
    part = workspace._replace(root=folder, start=folder)
    prefix = f"{package}/" if package else ""
    found = part.learnings_files()
    return [prefix + each.path for each in found if each.included or each.reason == IGNORED_BY_GIT]


def _listed(workspace: Workspace) -> set[str]:
    """The files that git knows or would add, with the names of learnings files."""
    from learnings.history.git import process  # noqa: PLC0415
    from learnings.history.git.repository import explained  # noqa: PLC0415

    asked = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        printed = process.run(asked, workspace.root)
    except process.GitFailed as error:
        raise explained(error, workspace.root) from error
    paths = (os.fsdecode(path) for path in printed.split(b"\0"))
    return {path for path in paths if path.rpartition("/")[2] in _NAMES}


_NAMES = {*LEARNINGS_NAMES, COMPANION_NAME}


def _packages(paths: Iterable[str]) -> list[str]:
    folders = {str(PurePosixPath(path).parent) for path in paths if path.isprintable()}
    packages = {_package_of(folder) for folder in folders if folder != "."}
    return sorted(package for package in packages if package and _is_ours(package))


def _package_of(folder: str) -> str:
    """The folder from which `folder` is a place of discovery, empty for the root."""
    for place in _FOLDERS:
        if folder == place:
            return ""
        if place and folder.endswith(f"/{place}"):
            return folder.removesuffix(f"/{place}")
    return folder


def _is_ours(package: str) -> bool:
    parts = package.split("/")
    return not any(part[0] == "." or part.lower() in _NOT_OURS for part in parts)
