"""The learnings files that a command works on: those it was given, or all of the repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import exists, find_root, is_folder, named_file, real_path
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import LearningsError, MissingFile, UnusableFile


class ChosenFile(NamedTuple):
    """A learnings file, with the workspace of the repository that it lies in."""

    workspace: Workspace
    path: Path


class ChosenFiles(NamedTuple):
    """The files of a command, and the errors that stand for those that cannot be used.

    several is True unless the command is about one file.
    """

    files: tuple[ChosenFile, ...]
    errors: tuple[LearningsError, ...]
    several: bool

    @property
    def is_empty(self) -> bool:
        """True if no file was named and none was found."""
        return not self.files and not self.errors


def chosen_files(
    names: Sequence[str],
    cwd: Path,
    *,
    overrides: Mapping[str, object] | None = None,
    on_disk: bool = True,
) -> ChosenFiles:
    """Return the files named or, where none is, the learnings files of the repository.

    names are relative to cwd, or to the root where cwd has no such file. overrides are settings of
    the command line. on_disk is False where the files of a commit are read. Raises BadSettings.
    """
    if not names:
        return _all_files(Workspace.open(cwd, overrides=overrides))
    files: list[ChosenFile] = []
    errors: list[LearningsError] = []
    for name in names:
        try:
            files.append(chosen_file(name, cwd, overrides=overrides, on_disk=on_disk))
        except (MissingFile, UnusableFile) as error:
            errors.append(error)
    return ChosenFiles(tuple(files), tuple(errors), several=len(names) > 1)


def chosen_file(
    name: str,
    cwd: Path,
    *,
    overrides: Mapping[str, object] | None = None,
    on_disk: bool = True,
) -> ChosenFile:
    """Return the file that is named; the parameters are those of chosen_files().

    Raises MissingFile, UnusableFile or BadSettings.
    """
    path = named_file(name, _base_of(name, cwd)) if on_disk or not name else cwd / name
    return ChosenFile(workspace_for(str(path), cwd, overrides), path)


def _base_of(name: str, cwd: Path) -> Path:
    """Return the folder that a name is relative to: our output names files from the root."""
    root = find_root(cwd)
    return root if exists(root / name) and not exists(cwd / name) else cwd


def workspace_for(name: str, cwd: Path, overrides: Mapping[str, object] | None = None) -> Workspace:
    """Open the workspace of the working directory, or of a file in another repository."""
    folder = real_path(cwd / name).parent
    if is_folder(folder) and find_root(folder) != find_root(real_path(cwd)):
        return Workspace.open(folder, overrides=overrides)
    return Workspace.open(cwd, overrides=overrides)


def _all_files(workspace: Workspace) -> ChosenFiles:
    files = tuple(
        ChosenFile(workspace, workspace.root / file.path)
        for file in workspace.learnings_files()
        if file.included
    )
    errors = tuple(workspace.problems())
    return ChosenFiles(files, errors, several=len(files) + len(errors) != 1)
