"""Staging through GitPython, and a file of an earlier commit.

Only for steps that a person waits for once: importing GitPython takes as long as a whole report.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.errors import UntrustedHistory, UsageProblem
from learnings.core.text import printable
from learnings.history.git import process
from learnings.history.git.objects import entry_at
from learnings.history.git.process import find_program, paths_in
from learnings.history.git.renames import RenamedFiles
from learnings.history.git.repository import open_repository, run_in

if TYPE_CHECKING:
    from git import Repo

_UNKNOWN_OPTION = 129  # exit code of git


class OlderFile(NamedTuple):
    """A file of a commit with its path at that time, POSIX from the top folder."""

    commit: str
    path: str
    data: bytes


def stage(folder: Path, paths: Sequence[str]) -> list[str]:
    """Stage files, or the removal of missing ones, also outside a sparse checkout.

    Paths are POSIX, from the folder. Return those of them with staged changes, as git lists them.
    Raises UntrustedHistory without git or a repository, UsageProblem if git refuses.
    """
    with _environment(folder):
        import git  # noqa: PLC0415  (takes 65 ms)

        git.refresh(os.environ["GIT_PYTHON_GIT_EXECUTABLE"])  # in case it was imported before
        try:
            repository = git.Repo(folder, search_parent_directories=True, expand_vars=False)
        except git.InvalidGitRepositoryError:
            raise UntrustedHistory(
                f"{folder} is not in a git repository; run this inside a clone"
            ) from None
        deleted = paths_in(run_in(folder, "ls-files", "--deleted", "-z", "--", *paths))
        names = [path for path in paths if path in deleted or os.path.lexists(folder / path)]
        # As an update, git takes a tracked file below an ignored folder, too.
        listed = paths_in(run_in(folder, "ls-files", "-v", "-z", "--", *names)) if names else []
        tracked = [row[2:] for row in listed]
        new = [path for path in names if path not in tracked]
        try:
            for option, some in (("--update", tracked), ("--all", new)):
                if some:  # without names git would stage everything
                    _add(repository, option, "--", *(str(folder / name) for name in some))
        except git.GitCommandError as error:
            lines = str(error.stderr).strip().removeprefix("stderr: ").strip("'").splitlines()
            reason, *rest = lines or ["no reason given"]
            # Git lists ignored paths below its sentence.
            reason += f" {rest[0]}" if reason.endswith(":") and rest else ""
            reason = printable(reason.removeprefix("fatal: "))
            raise UsageProblem(
                f"the files are written, but git cannot stage them ({reason}); fix this and "
                "stage them with git add"
            ) from None
    diff = ("diff", "--cached", "--name-only", "--no-renames", "--relative", "-z")
    staged = paths_in(run_in(folder, *diff, "--", *paths))
    for row in listed:
        tag, path = row[0], printable(row[2:])
        if (tag.islower() or tag == "S") and row[2:] not in staged:
            flag = "assume-unchanged" if tag.islower() else "skip-worktree"
            raise UsageProblem(
                f"the files are written, but git was told not to look at {path}; run "
                f"git update-index --no-{flag} -- {path} and stage it with git add"
            )
    return [path for path in paths if path in staged]


def _add(repository: Repo, *words: str) -> None:
    """Run `git add`, with --sparse if git has it: else an archive outside would be left out."""
    from git import GitCommandError  # noqa: PLC0415  (as above)

    try:
        repository.git.add("--sparse", *words)
    except GitCommandError as error:
        if error.status != _UNKNOWN_OPTION:  # git before 2.34
            raise
        repository.git.add(*words)


def file_at(folder: Path, rev: str, path: str) -> OlderFile | None:
    """Return a file of a commit, or None, even if it was renamed since.

    path is POSIX, from the folder. Raises UntrustedHistory if git cannot read it, UsageProblem if
    rev is not a commit.
    """
    known = open_repository(folder, rev=rev)  # has sentences for all possible errors
    name = Path(os.path.relpath(os.path.realpath(folder), known.top), path).as_posix()
    entry = entry_at(known, known.head, name)
    if entry is None or entry.path != name:
        name = RenamedFiles(known.top).since(known.head).get(name, name)
        entry = entry_at(known, known.head, name)
    if entry is None or entry.path != name or not entry.is_regular_file:
        return None
    return OlderFile(known.head, name, known.run("cat-file", "blob", entry.id))


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Let GitPython run git as process.py does: it passes on the whole environment."""
    program = find_program("git", folder)
    if program is None:
        raise UntrustedHistory(process.GIT_MISSING)
    own = {
        "GIT_CONFIG_PARAMETERS": " ".join(f"'{setting}'" for setting in process.SETTINGS),
        "GIT_PYTHON_GIT_EXECUTABLE": program,
        "GIT_PYTHON_REFRESH": "quiet",
    }
    before, variables = dict(os.environ), process.environment() | own
    try:
        os.environ.clear()
        os.environ.update(variables)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
