"""The learnings files of a whole repository, those of its packages too."""

from __future__ import annotations

from typing import NamedTuple

from learnings.app.workspace.gitignore import IGNORED_BY_GIT
from learnings.app.workspace.learnings_files import learnings_files
from learnings.app.workspace.workspace import Workspace
from learnings.core.file_names import COMPANION_NAME, LEARNINGS_NAMES
from learnings.core.roles import packages_around
from learnings.core.text import not_text

_NAMES = (*LEARNINGS_NAMES, COMPANION_NAME)


class RepositoryFiles(NamedTuple):
    """The learnings files to configure; POSIX paths from the root.

    ignored are those that git ignores, unnamable those whose names no configuration can hold, since
    they are not UTF-8. untracked are those to configure that nobody has added to git yet.
    """

    files: tuple[str, ...]
    ignored: tuple[str, ...]
    unnamable: tuple[str, ...]
    untracked: tuple[str, ...]


def find_learnings_files(workspace: Workspace) -> RepositoryFiles:
    """Find the learnings files in the folders of discovery, from the root and from each package.

    A folder needs no manifest to be a package here, where its learnings file is configured. Files
    that git ignores are in this clone only, so that a configuration that names them fails
    everywhere else. Raises LearningsError where git fails.
    """
    from learnings.history.git.tracked import listed_files, tracked_files  # noqa: PLC0415  (starts git)

    patterns = [
        f"*{name}" for name in _NAMES
    ]  # longer names too, which packages_around() leaves out
    paths = listed_files(workspace.root, patterns)
    packages = {package for path in paths for package in packages_around(path, _NAMES)}
    candidates = learnings_files(workspace.root, workspace.settings, packages=sorted(packages))
    for candidate in candidates:
        problem = workspace.problem_of(candidate)
        if problem is not None:
            raise problem
    included = [file.path for file in candidates if file.included]
    files = tuple(path for path in included if not not_text(path))
    literally = [f":(literal){path}" for path in files]
    tracked = tracked_files(workspace.root, literally) if files else []
    return RepositoryFiles(
        files=files,
        untracked=tuple(path for path in files if path not in tracked),
        unnamable=tuple(path for path in included if not_text(path)),
        ignored=tuple(file.path for file in candidates if file.reason == IGNORED_BY_GIT),
    )
