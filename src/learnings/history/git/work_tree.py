"""Git through GitPython: files for the index, and a file of an earlier commit.

Only for steps that a person waits for once: importing GitPython takes as long as a whole report.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.core.text import printable
from learnings.history.git import process
from learnings.history.git.objects import entry_at
from learnings.history.git.process import find_program
from learnings.history.git.repository import open_repository

if TYPE_CHECKING:
    from git import Commit, Repo

_REGULAR_FILES = (0o100644, 0o100755)
_UNKNOWN_OPTION = 129  # exit code of git
_SHA1_LENGTH = 40  # hexadecimal digits; a repository made with --object-format=sha256 has 64


class OlderFile(NamedTuple):
    """A file of a commit with its path at that time, POSIX from the top folder."""

    commit: str
    path: str
    data: bytes


def stage(folder: Path, paths: Sequence[str]) -> None:
    """Run `git add` for POSIX paths from the folder, also outside a sparse checkout.

    Raises UntrustedHistory without git or a repository, UsageProblem if git refuses.
    """
    with _opened(folder) as repository:
        from git import GitCommandError  # noqa: PLC0415  (takes 65 ms to import)

        names = ["--", *(str(folder / path) for path in paths)]
        try:
            _add(repository, names)
        except GitCommandError as error:
            lines = str(error.stderr).strip().removeprefix("stderr: ").strip("'").splitlines()
            reason = printable(next(iter(lines), "no reason given").removeprefix("fatal: "))
            raise UsageProblem(
                f"the files are written, but git cannot stage them ({reason}); fix this and "
                "stage them with git add"
            ) from None


def _add(repository: Repo, names: Sequence[str]) -> None:
    """Run `git add`, with --sparse if git has it: else an archive outside would be left out."""
    from git import GitCommandError  # noqa: PLC0415  (as above)

    try:
        repository.git.add("--sparse", *names)
    except GitCommandError as error:
        if error.status != _UNKNOWN_OPTION:  # git before 2.34
            raise
        repository.git.add(*names)


def file_at(folder: Path, rev: str, path: str) -> OlderFile | None:
    """Return a file of a commit, or None, even if it was renamed since.

    path is POSIX, from the folder. Raises UntrustedHistory if git cannot read it, UsageProblem if
    rev is not a commit.
    """
    known = open_repository(folder, rev=rev)  # has sentences for all possible errors
    name = Path(os.path.relpath(os.path.realpath(folder), known.top), path).as_posix()
    if len(known.head) != _SHA1_LENGTH:  # GitPython cannot read it; renames are not seen
        entry = entry_at(known, known.head, name)
        if entry is None or entry.path != name or not entry.is_regular_file:
            return None
        return OlderFile(known.head, name, known.run("cat-file", "blob", entry.id))
    with _opened(known.top) as repository:
        from git.exc import ODBError  # noqa: PLC0415  (as above)

        try:
            commit = repository.commit(known.head)
            return _file_in(commit, name) or _renamed_file(commit, name)
        except (ODBError, ValueError, OSError) as error:
            reason = printable(str(error)) or "no reason given"
            raise UntrustedHistory(
                f"{printable(name)} cannot be read at {printable(rev)} ({reason}); run git fsck "
                "to find out why"
            ) from None


def _file_in(commit: Commit, path: str) -> OlderFile | None:
    try:
        item = commit.tree / path
    except KeyError:
        return None
    if item.type != "blob" or item.mode not in _REGULAR_FILES:
        return None
    return OlderFile(commit.hexsha, path, item.data_stream.read())


def _renamed_file(commit: Commit, path: str) -> OlderFile | None:
    for diff in commit.diff(None):  # with the working tree, as far as git tracks it
        if diff.renamed_file and diff.rename_to == path and diff.rename_from:
            return _file_in(commit, diff.rename_from)
    return None


@contextmanager
def _opened(folder: Path) -> Iterator[Repo]:
    """Yield the repository around a folder; git runs as in process.py.

    GitPython starts git on import and passes the whole environment to it.
    """
    program = find_program("git", folder)
    if program is None:
        raise UntrustedHistory(process.GIT_MISSING)
    own = {
        "GIT_CONFIG_PARAMETERS": " ".join(f"'{setting}'" for setting in process.SETTINGS),
        "GIT_PYTHON_GIT_EXECUTABLE": program,
        "GIT_PYTHON_REFRESH": "quiet",
    }
    before = dict(os.environ)
    _set_environment(process.environment() | own)
    try:
        with _repository(folder, program) as repository:
            yield repository
    finally:
        _set_environment(before)


def _repository(folder: Path, program: str) -> Repo:
    import git  # noqa: PLC0415  (as above)

    git.refresh(program)  # in case it was imported before
    try:
        return git.Repo(folder, search_parent_directories=True, expand_vars=False)
    except (git.InvalidGitRepositoryError, git.NoSuchPathError):
        raise UntrustedHistory(
            f"{folder} is not in a git repository; run this inside a clone"
        ) from None


def _set_environment(variables: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)
