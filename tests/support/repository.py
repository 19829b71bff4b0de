"""Real git repositories for tests, built in a few milliseconds per commit."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from struct import pack
from typing import TYPE_CHECKING, NamedTuple

from tests.support.surroundings import EMAIL, GIT_CONFIG, NAME

if TYPE_CHECKING:
    from git import Repo
    from git.index.typ import IndexEntry

# Variables that the session sets on purpose; any other GIT_* is a trap for the product.
KEPT = {
    "GIT_CEILING_DIRECTORIES",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_TEMPLATE_DIR",
}


# The files of a plain `.git`. Any other means hooks, ignore rules, a merge in progress or packed
# references, so git decides what the commit is.
PLAIN = {"HEAD", "config", "objects", "refs", "index", "logs", "COMMIT_EDITMSG", "ORIG_HEAD"}
# What git would change in a message or a person, and dates in another form.
UNPLAIN_MESSAGE = re.compile(r"\A\s|\s\Z|\A\Z|[ \t\r]\n|\n\n\n|\0")
PERSON = re.compile(r"(\w(?:[\w .'\[\]-]*[\w\]])?) <([\w.+@\[\]-]+)>")
STAMP = re.compile(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d [+-]\d{4}")


class NotPlainError(Exception):
    """A commit that git itself must make."""


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
        """Commit everything with GitPython alone, which takes a sixth of the time of two processes.

        Raises NotPlainError where git could make another commit.
        """
        from git import Actor, Commit, Repo  # noqa: PLC0415  (as in _skeleton)
        from gitdb import LooseObjectDB  # noqa: PLC0415  (comes with GitPython)

        by = PERSON.fullmatch(author or f"{NAME} <{EMAIL}>")
        are_stamps = all(map(STAMP.fullmatch, moments.values()))
        if not by or not are_stamps or UNPLAIN_MESSAGE.search(message) or not _is_plain(self.path):
            raise NotPlainError
        branch = self.path / ".git" / self._branch()
        parent = branch.read_text(encoding="utf-8").strip() if branch.exists() else ""
        if parent.startswith("ref: "):
            raise NotPlainError
        # GitPython's own database would start git for each object.
        with Repo(self.path, odbt=LooseObjectDB, expand_vars=False) as repo:
            try:
                entries = [_index_entry(repo, file) for file in _plain_files(self.path)]
                message.encode()
            except (OSError, UnicodeError) as error:
                raise NotPlainError from error
            index = repo.index
            index.entries = {(entry.path, 0): entry for entry in entries}
            index.write(ignore_extension_data=True)
            commit = Commit.create_from_tree(
                repo,
                index.write_tree(),
                f"{message}\n",
                [Commit(repo, bytes.fromhex(parent))] if parent else [],
                author=Actor(*by.groups()),
                committer=Actor(NAME, EMAIL),
                author_date=_moment(moments["GIT_AUTHOR_DATE"]),
                commit_date=_moment(moments["GIT_COMMITTER_DATE"]),
            )
            branch.parent.mkdir(parents=True, exist_ok=True)
            branch.write_text(f"{commit.hexsha}\n", encoding="utf-8")
            return commit.hexsha

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


def _is_plain(tree: Path) -> bool:
    """Return True if neither a clone nor the configuration asks for anything unusual."""
    folder = tree / ".git"
    try:
        names = {entry.name for entry in os.scandir(folder)}
        head = (folder / "HEAD").read_text(encoding="utf-8")
        return (
            sys.platform == "linux"
            and names <= PLAIN
            and head.startswith("ref: refs/heads/")
            # Later versions of the index can have files that must not be touched.
            and ("index" not in names or (folder / "index").read_bytes()[:8] == b"DIRC\0\0\0\2")
            and (folder / "config").read_bytes() == _skeleton(bare=False).files["config"]
            and Path(os.environ["GIT_CONFIG_GLOBAL"]).read_text(encoding="utf-8") == GIT_CONFIG
            and not Path(os.environ["GIT_CONFIG_SYSTEM"]).stat().st_size
            and not Path(os.environ["XDG_CONFIG_HOME"], "git").exists()
        )
    except (OSError, KeyError, UnicodeError):
        return False


def _moment(date: str) -> str:
    """Return a date as git stores it: GitPython takes the hours of any other form for UTC."""
    return f"{int(datetime.strptime(date, '%Y-%m-%dT%H:%M:%S %z').timestamp())} {date[-5:]}"


def _plain_files(folder: Path, *, inside: bool = False) -> Iterator[os.DirEntry[str]]:
    """Yield the files of a work tree; raises NotPlainError for links, ignore rules and the like."""
    for entry in [*os.scandir(folder)]:
        if entry.name == ".git" and not inside:
            continue
        if entry.is_dir(follow_symlinks=False) and entry.name != ".git":
            yield from _plain_files(Path(entry), inside=True)
        elif entry.is_file(follow_symlinks=False) and not entry.name.startswith((".git", "git~")):
            yield entry
        else:
            raise NotPlainError


def _index_entry(repo: Repo, file: os.DirEntry[str]) -> IndexEntry:
    """Store a file and return its entry, with which git sees that the file has not changed."""
    from git.index.typ import IndexEntry  # noqa: PLC0415  (as there)
    from gitdb import IStream  # noqa: PLC0415  (as there)

    data, status = Path(file).read_bytes(), file.stat(follow_symlinks=False)
    path = os.path.relpath(file, repo.working_dir)
    path.encode()
    return IndexEntry(
        (
            0o100755 if status.st_mode & stat.S_IXUSR else 0o100644,
            repo.odb.store(IStream(b"blob", len(data), BytesIO(data))).binsha,
            0,
            path,
            *(pack(">LL", *divmod(ns, 10**9)) for ns in (status.st_ctime_ns, status.st_mtime_ns)),
            *(number & 0xFFFFFFFF for number in (status.st_dev, status.st_ino)),
            *(status.st_uid, status.st_gid, status.st_size),
        )
    )


class _Skeleton(NamedTuple):
    """The files of `git init`; paths relative to the folder `.git`."""

    folders: tuple[str, ...]
    files: Mapping[str, bytes]


@cache
def _skeleton(*, bare: bool) -> _Skeleton:
    # GitPython starts git when it is imported: not in the checkout, and before a test hides git.
    import git  # noqa: F401, PLC0415  (only loaded here)

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
