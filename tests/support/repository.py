"""Real git repositories for tests, built in a few milliseconds per commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.plain_commits import NotPlainError, write_commit
from tests.support.surroundings import EMAIL, NAME

FIRST_DAY = date(2026, 1, 1)
# Variables that the session sets on purpose; any other GIT_* is a trap for the product.
KEPT = {
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_TEMPLATE_DIR",
}


class GitError(Exception):
    """A git command failed while a test prepared its repository."""


class GitRepository:
    """A repository with a work tree at `path`, created there if it does not exist."""

    def __init__(self, path: Path, *, bare: bool = False) -> None:
        self.path = path
        if not (path / ".git").exists() and not (path / "HEAD").exists():
            _write_skeleton(path if bare else path / ".git", bare=bare)

    def git(self, *arguments: str, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> str:
        """Run git in the repository; return its output without the last newline."""
        run = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env=environment() | dict(env or {}),
            input=stdin,
            capture_output=True,
            check=False,
        )
        if run.returncode != 0:
            said = (run.stderr + run.stdout).decode(errors="replace").strip()
            message = f"git {' '.join(arguments)}: exit {run.returncode}: {said}"
            raise GitError(message)
        return run.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file of the work tree and its folders; text as UTF-8, newlines as given."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode("utf-8", "surrogateescape")
        target.write_bytes(data)
        return target

    def read(self, path: str) -> bytes:
        """Return the bytes of a file of the work tree."""
        return (self.path / path).read_bytes()

    def commit(
        self,
        message: str = "Change",
        *,
        date: str = "2026-03-01",
        committer_date: str | None = None,
        author: str | None = None,
        all: bool = True,  # noqa: A002
    ) -> str:
        """Commit and return the hash, even for an empty commit.

        `date` is a day, which means noon UTC, or a full `2026-03-01T23:30:00 -0800`; it is also the
        committer's date unless that is given. `author` is `Name <mail>`. With `all` everything in
        the work tree is staged first; otherwise only the staged files are committed.
        """
        if all:
            try:
                return self._write_commit(message, author, dates(date, committer_date))
            except NotPlainError:
                self.git("add", "--all")
        by = [f"--author={author}"] if author else []
        self.git(
            *("commit", "--quiet", "--allow-empty", "--no-verify", f"--message={message}", *by),
            env=dates(date, committer_date),
        )
        return self.head()

    def _write_commit(self, message: str, author: str | None, moments: Mapping[str, str]) -> str:
        """Commit everything without a process; raises NotPlainError if that needs git."""
        person = f"{NAME} <{EMAIL}>"
        return write_commit(
            self.path,
            message,
            config=_skeleton(bare=False).files["config"],
            author=author or person,
            committer=person,
            dates=(moments["GIT_AUTHOR_DATE"], moments["GIT_COMMITTER_DATE"]),
        )

    def work(self, first: str, days: int, message: str = "Work") -> None:
        """Make an empty commit at noon on each of several days from `first` on.

        It takes one process for any number of days; HEAD must be a branch with a commit.
        """
        branch = self._branch()
        noon = datetime.combine(date.fromisoformat(first), time(12), UTC)
        stream = [f"reset {branch}\nfrom {self.head()}\n"]
        for number in range(days):
            stamp = int((noon + timedelta(days=number)).timestamp())
            stream.append(f"commit {branch}\ncommitter {NAME} <{EMAIL}> {stamp} +0000\n")
            stream.append(f"data {len(message.encode())}\n{message}\n")
        self.git("fast-import", "--quiet", stdin="".join(stream).encode())

    def _branch(self) -> str:
        """Return the full name of the checked-out branch."""
        try:
            head = (self.path / ".git" / "HEAD").read_text(encoding="utf-8")
        except OSError:  # a linked worktree or a bare repository
            return self.git("symbolic-ref", "HEAD")
        return head.removeprefix("ref: ").strip()

    def head(self, revision: str = "HEAD") -> str:
        """Return the full hash of a revision."""
        known = self._head_on_disk() if revision == "HEAD" else ""
        return known or self.git("rev-parse", "--verify", f"{revision}^{{commit}}")

    def _head_on_disk(self) -> str:
        """Return the hash of HEAD from its files, or "" if only git knows it."""
        folder = self.path / ".git"
        try:
            head = (folder / "HEAD").read_text(encoding="utf-8").strip()
            if not head.startswith("ref: "):
                return head
            return (folder / head.removeprefix("ref: ")).read_text(encoding="utf-8").strip()
        except OSError:  # a linked worktree, a bare repository, packed references
            return ""

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Create a branch and check it out."""
        self.git("checkout", "--quiet", "-b", name, start)

    def checkout(self, revision: str) -> None:
        """Check out a revision."""
        self.git("checkout", "--quiet", revision)

    def merge(
        self,
        branch: str,
        *,
        date: str = "2026-03-01",
        resolve: Mapping[str, str | bytes | None] | None = None,
        no_ff: bool = True,
        message: str = "Merge",
        strategy: str | None = None,
    ) -> str:
        """Merge `branch` into the current one; return the hash of HEAD.

        `resolve` gives the content of paths in the merge, conflicting or not (None: removed). A
        conflict without a resolution raises GitError.
        """
        how = [f"--strategy={strategy}"] if strategy else []
        if not no_ff:
            self.git("merge", "--quiet", "--ff", *how, branch, env=dates(date, None))
            return self.head()
        try:
            self.git("merge", "--quiet", "--no-ff", "--no-commit", *how, branch)
        except GitError:
            if not self.git("ls-files", "--unmerged"):
                raise
        for path, content in (resolve or {}).items():
            if content is None:
                self.git("rm", "--quiet", "--force", "--ignore-unmatch", "--", path)
            else:
                self.write(path, content)
                self.git("add", "--", path)
        self.git("rev-parse", "--verify", "--quiet", "MERGE_HEAD")
        return self.commit(message, date=date, all=False)

    def rename(self, old: str, new: str) -> None:
        """Rename a tracked file and stage the change."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        self.git("mv", "--", old, new)

    def remove(self, path: str) -> None:
        """Remove a tracked file and stage the change."""
        self.git("rm", "--quiet", "--", path)

    def clone(self, depth: int | None = None, *, path: Path | None = None) -> GitRepository:
        """Clone to `path`, by default next to the repository; with `depth` the clone is shallow."""
        target = path or self.path.with_name(f"{self.path.name}-clone-{depth or 'full'}")
        # Git would hard-link the files of a path, and ignore --depth.
        limit = [f"--depth={depth}"] if depth else []
        self.git("clone", "--quiet", *limit, self.path.resolve().as_uri(), str(target))
        return GitRepository(target)

    def worktree(self, path: Path, *, branch: str | None = None) -> GitRepository:
        """Add a linked worktree at `path`, detached unless it gets a new `branch`."""
        where = ["-b", branch] if branch else ["--detach"]
        self.git("worktree", "add", "--quiet", *where, str(path))
        return GitRepository(path)


class _Skeleton(NamedTuple):
    """The files of `git init`; paths relative to the folder `.git`."""

    folders: tuple[str, ...]
    files: Mapping[str, bytes]


@cache
def _skeleton(*, bare: bool) -> _Skeleton:
    with tempfile.TemporaryDirectory() as folder:
        how = ["--bare"] if bare else []
        command = ["git", "init", "--quiet", "--initial-branch=main", *how, folder]
        subprocess.run(command, cwd=folder, env=environment(), check=True)
        root = Path(folder) if bare else Path(folder, ".git")
        paths = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*"))}
        return _Skeleton(
            tuple(name for name, path in paths.items() if path.is_dir()),
            {name: path.read_bytes() for name, path in paths.items() if path.is_file()},
        )


def _write_skeleton(target: Path, *, bare: bool) -> None:
    """Do the work of `git init` without its process: most tests start with an empty repository."""
    target.mkdir(parents=True, exist_ok=True)
    skeleton = _skeleton(bare=bare)
    for name in skeleton.folders:
        (target / name).mkdir(exist_ok=True)
    for name, data in skeleton.files.items():
        (target / name).write_bytes(data)


def environment() -> dict[str, str]:
    """Return the environment for git: the session's, without the traps of the running test."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    own |= {key: os.environ[key] for key in KEPT if key in os.environ}
    own |= {"GIT_AUTHOR_NAME": NAME, "GIT_AUTHOR_EMAIL": EMAIL}
    own |= {"GIT_COMMITTER_NAME": NAME, "GIT_COMMITTER_EMAIL": EMAIL}
    return own | {"GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}


def dates(author: str, committer: str | None) -> dict[str, str]:
    """Return the variables that set the two dates of a commit."""
    stamps = {"GIT_AUTHOR_DATE": author, "GIT_COMMITTER_DATE": committer or author}
    return {
        key: f"{stamp}T12:00:00 +0000" if len(stamp) == len("2026-03-01") else stamp
        for key, stamp in stamps.items()
    }


def history_from(case: Path, target: Path) -> GitRepository:
    """Build a repository at `target` from the folders v1, v2, … of `case`, one commit each.

    A folder is the whole tree of its commit. It may hold `.date` (as for `commit`) and `.message`.
    Without a date, the n-th folder is committed on the n-th of January 2026.
    """
    repository = GitRepository(target)
    versions = sorted(case.glob("v*"), key=lambda folder: int(folder.name.removeprefix("v")))
    if not versions:
        message = f"{case} holds no folder v1"
        raise FileNotFoundError(message)
    for number, folder in enumerate(versions):
        _replace_tree(repository.path, folder)
        repository.commit(
            _note(folder / ".message", folder.name),
            date=_note(folder / ".date", str(FIRST_DAY + timedelta(days=number))),
        )
    return repository


def _replace_tree(tree: Path, folder: Path) -> None:
    for old in tree.iterdir():
        if old.name == ".git":
            continue
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink()
    shutil.copytree(
        folder,
        tree,
        symlinks=True,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns(".date", ".message"),
    )


def _note(path: Path, default: str) -> str:
    return path.read_text(encoding="utf-8").strip() if path.exists() else default
