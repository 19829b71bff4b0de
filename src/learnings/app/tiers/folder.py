"""The folder of learning tiers as it is on disk; what cannot be read is skipped with a reason."""

from __future__ import annotations

import os
from pathlib import Path

from learnings.app.workspace.disk import is_link, read_file, real_path
from learnings.app.workspace.tier_folder import settings_of
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import LearningsError, UnusableFile
from learnings.core.text import printable
from learnings.tiers.index_file import NAME, IndexFile
from learnings.tiers.names import is_name
from learnings.tiers.raw_files import SUFFIX, RawFile, SkippedFile, read_raw_file
from learnings.tiers.store_files import THEMES, TierFiles
from learnings.tiers.theme_file import ThemeFile

_OUTSIDE = "is a link that leads out of its folder"


def read_folder(workspace: Workspace) -> TierFiles:
    """Return the files of the folder, none where there is no folder.

    Raises UnusableFile where the folder, or INDEX in it, leads out of the repository or cannot be
    read: nothing can be said without them.
    """
    name = settings_of(workspace).path
    folder = workspace.root / name
    if not real_path(folder).is_relative_to(real_path(workspace.root)):
        raise UnusableFile(f"{printable(name)} leads out of the repository; configure another path")
    read = [_raw_file(folder, file) for file in _names(folder) if file.endswith(SUFFIX)]
    themes = [
        _theme(folder / THEMES, file) for file in _names(folder / THEMES) if file.endswith(".md")
    ]
    return TierFiles(
        name,
        tuple(file for file in read if isinstance(file, RawFile)),
        tuple(file for file in read if isinstance(file, SkippedFile)),
        tuple(theme for theme in themes if isinstance(theme, ThemeFile)),
        IndexFile(_index(folder / NAME, shown=f"{name}/{NAME}")),
        tuple(theme for theme in themes if isinstance(theme, SkippedFile)),
    )


def _names(folder: Path) -> list[str]:
    """Return the names in a folder, sorted; none where it is no folder or cannot be read."""
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  (names, of which few are read)
    except OSError:
        return []


def _raw_file(folder: Path, name: str) -> RawFile | SkippedFile:
    data = _content(folder, name)
    return data if isinstance(data, SkippedFile) else read_raw_file(name, data)


def _theme(folder: Path, name: str) -> ThemeFile | SkippedFile:
    stem = name.removesuffix(".md")
    if not is_name(stem):
        return SkippedFile(name, "has no name of a theme (a-z, 0-9, and - between words)")
    data = _content(folder, name)
    if not isinstance(data, SkippedFile):
        return ThemeFile(stem, data)
    if data.reason.startswith("cannot be read"):  # what is in it would be written once more
        raise UnusableFile(f"{printable(name)} {data.reason}; correct that and run again")
    return data


def _content(folder: Path, name: str) -> bytes | SkippedFile:
    """Return what a file of a folder holds, or why it is skipped."""
    path = folder / name
    if not real_path(path).is_relative_to(real_path(folder)):
        return SkippedFile(name, _OUTSIDE)
    try:
        return read_file(path, shown=name)
    except LearningsError as error:
        return SkippedFile(name, _reason(name, error))


def _reason(name: str, error: LearningsError) -> str:
    """Return what a sentence about a file says of it, for the middle of another one."""
    return str(error).removeprefix(f"{printable(name)} ").partition(";")[0]


def _index(path: Path, *, shown: str) -> bytes | None:
    if not os.path.lexists(path):
        return None
    if is_link(path) and not real_path(path).is_relative_to(real_path(path.parent)):
        raise UnusableFile(f"{printable(shown)} {_OUTSIDE}; replace it by a file")
    return read_file(path, shown=shown)
