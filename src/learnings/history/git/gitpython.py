"""Staging, a file of an earlier commit, and a commit on another branch, through GitPython.

A person waits once for these steps: importing GitPython takes as long as a whole report. They use
its commands (`git.Git`) alone, since its objects, references and index read neither SHA-256
repositories nor all file names that are not UTF-8.
"""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.errors import LearningsError, UntrustedHistory, UsageProblem
from learnings.core.text import printable
from learnings.history.git import process
from learnings.history.git.objects import REGULAR_FILE, TreeEntry, tree_entries
from learnings.history.git.process import GitFailed, find_program, paths_in
from learnings.history.git.repository import Repository, explaining, open_repository, run_in
from learnings.history.git.tracked import LINK, SKIPPED, RenamedFiles

if TYPE_CHECKING:
    from git import Git

_SPARSE_OPTION = (2, 34)  # the version of git that has `git add --sparse`


@contextmanager
def _commands(folder: Path) -> Iterator[Git]:
    """Yield GitPython's commands in an existing folder, which run git as process.py does.

    GitPython passes on the whole environment, so it is replaced meanwhile. Raises GitFailed, and
    UntrustedHistory without git.
    """
    program = find_program("git", folder)
    if program is None:
        raise UntrustedHistory(process.GIT_MISSING)
    own = {"GIT_PYTHON_GIT_EXECUTABLE": program, "GIT_PYTHON_REFRESH": "quiet"}
    before, variables = dict(os.environ), process.environment() | own
    try:
        os.environ.clear()
        os.environ.update(variables)
        import git  # noqa: PLC0415  (takes 65 ms)

        if program != git.Git.GIT_PYTHON_GIT_EXECUTABLE:  # it was imported before
            git.refresh(program)
        commands = git.Git(folder)
        commands.set_persistent_git_options(c=process.SETTINGS)
        try:
            yield commands
        except git.GitCommandError as error:
            said = str(error.stderr).strip().removeprefix("stderr: '").removesuffix("'")
            raise GitFailed(os.fsencode(said)) from None
        except OSError as error:  # of the folder, or of the file on standard input
            raise GitFailed(os.fsencode(error.strerror or "unknown reason")) from None
    finally:
        os.environ.clear()
        os.environ.update(before)


def _fed(command: Callable[..., str], data: bytes, *words: str) -> str:
    """Return what a command prints for data on standard input, which must be a file."""
    from tempfile import TemporaryFile  # noqa: PLC0415  (only needed here)

    with TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return command(*words, istream=file)


def _reason(error: GitFailed) -> str:
    first, *rest = str(error).splitlines() or ["no reason given"]
    # Git lists ignored paths below its sentence.
    first += f" {rest[0]}" if first.endswith(":") and rest else ""
    return printable(re.sub(r"^(?:fatal|error): ", "", first))


def stage(folder: Path, paths: Sequence[str]) -> list[str]:
    """Stage files, or the removal of missing ones, also outside a sparse checkout.

    Paths are POSIX, from the folder, at least one. Return those of them with staged changes, as
    git lists them. Raises UntrustedHistory without git or a repository, UsageProblem if git
    refuses.
    """
    rows = paths_in(run_in(folder, "ls-files", "-v", "-z", "--", *paths))
    tags = {row[2:]: row[0] for row in rows}
    there = {path for path in (*paths, *tags) if os.path.lexists(folder / path)}
    tracked = [path for path, tag in tags.items() if path in there or tag not in SKIPPED]
    new = [path for path in paths if path in there and path not in tags]
    try:
        with _commands(folder) as git:
            options = ["--sparse"] if git.version_info >= _SPARSE_OPTION else []
            # As an update, git takes a tracked file below an ignored folder, too.
            for option, some in (("--update", tracked), ("--all", new)):
                if some:  # without names git would stage everything
                    git.add(*options, option, "--", *some)
    except GitFailed as error:
        raise UsageProblem(
            f"the files are written, but git cannot stage them ({_reason(error)}); fix this and "
            "stage them with git add"
        ) from None
    diff = ("diff", "--cached", "--name-only", "--no-renames", "--relative", "-z")
    staged = paths_in(run_in(folder, *diff, "--", *paths))
    for path in tracked:
        if (tags[path].islower() or tags[path] in SKIPPED) and path not in staged:
            flag = "assume-unchanged" if tags[path].islower() else "skip-worktree"
            name = printable(path)
            raise UsageProblem(
                f"the files are written, but git was told not to look at {name}; run "
                f"git update-index --no-{flag} -- {name} and stage it with git add"
            )
    return [path for path in paths if path in staged]


class OlderFile(NamedTuple):
    """A file of a commit with its path at that time, POSIX from the top folder."""

    commit: str
    path: str
    data: bytes


def file_at(folder: Path, rev: str, path: str) -> OlderFile | None:
    """Return a file of a commit, or None, even if it was renamed since.

    path is POSIX, from the folder. Raises UntrustedHistory if git cannot read it, UsageProblem if
    rev is not a commit.
    """
    known = open_repository(folder, rev=rev)  # has sentences for all possible errors
    name = Path(os.path.relpath(os.path.realpath(folder), known.top), path).as_posix()
    with explaining(known.top), _commands(known.top) as git:
        entry = _entry_at(git, known.head, name)
        if entry is None or entry.path != name:
            name = RenamedFiles(known.top).since(known.head).get(name, name)
            entry = _entry_at(git, known.head, name)
        if entry is None or entry.path != name or not entry.is_regular_file:
            return None
        return OlderFile(known.head, name, _content(git, "blob", entry.id))


def _entry_at(git: Git, commit: str, path: str) -> TreeEntry | None:
    """Return the entry of a commit at a POSIX path, or the link or file above that is in the way.

    Raises GitFailed if git cannot read a tree.
    """
    names = path.split("/")
    levels = ["/".join(names[:end]) for end in range(1, len(names) + 1)]
    printed = git.ls_tree("-t", "-z", "--full-tree", commit, "--", *levels)
    entries = {entry.path: entry for entry in tree_entries(printed)}
    last = next((entries[level] for level in reversed(levels) if level in entries), None)
    return last if last and (last.path == path or last.kind != "tree") else None


def _content(git: Git, kind: str, name: str) -> bytes:
    content: bytes = git.cat_file(kind, name, stdout_as_string=False, strip_newline_in_stdout=False)
    return content


_WRITTEN_BY = "Written-by: learnings notify file\n"
# The last line of a message: the digest of the commit above it, which an amendment changes.
_DIGEST = b"Written-as: "
_NOBODY = "learnings <learnings@localhost>"


class NotCommitted(LearningsError):
    """The existing branch or file must stay, or git refuses; the sentence says what to do."""


class BranchCommit(NamedTuple):
    """A file to commit; content is None if it does not exist, message is the first line."""

    path: str
    content: bytes | None
    branch: str
    message: str


def content_at_head(folder: Path, path: str, *, limit: int) -> bytes | None:
    """Return a file at HEAD, or None; limit + 1 zero bytes if it is larger.

    Raises UntrustedHistory without a repository, NotCommitted unless it is a regular file.
    """
    repository = open_repository(folder)
    with explaining(repository.top), _commands(repository.top) as git:
        entry = _file_at(git, repository.head, path)
        if entry is None:
            return None
        if int(git.cat_file("-s", entry.id)) > limit:
            return bytes(limit + 1)  # not worth the memory, as it is refused
        return _content(git, "blob", entry.id)


def commit_to_branch(folder: Path, commit: BranchCommit) -> bool:
    """Commit HEAD with one changed file to a branch; return False if the branch has it already.

    Working tree, index and HEAD stay. Raises UntrustedHistory without a repository; NotCommitted
    if the branch has other commits or is checked out, or the path is not a regular file in HEAD.
    """
    repository = open_repository(folder)
    ref = f"refs/heads/{commit.branch}"
    with explaining(repository.top), _commands(repository.top) as git:
        tip = git.rev_parse("--verify", "--quiet", f"{ref}^{{commit}}", with_exceptions=False)
        written = _content(git, "commit", tip) if tip else b""
        if tip and written != _with_digest(written.rpartition(_DIGEST)[0]):
            raise NotCommitted(
                f"the branch {commit.branch} has a commit that somebody else made or changed; "
                "rename or delete the branch"
            )
        file = _file_at(git, repository.head, commit.path)
        present = _file_at(git, tip or repository.head, commit.path)
        if commit.content == (_content(git, "blob", present.id) if present else None):
            return False
        if checkout := git.for_each_ref("--format=%(worktreepath)", ref):
            raise NotCommitted(
                f"the branch {commit.branch} is checked out in {printable(checkout)}, whose files "
                "would then differ; check out another branch there"
            )
    try:
        with _commands(repository.top) as git:
            new = _written(git, repository, commit, file)
            before = tip or "0" * len(new)  # git refuses if the branch has moved in the meantime
            git.update_ref("-m", "learnings notify file", ref, new, before)
    except GitFailed as error:
        raise NotCommitted(_why_not_written(error, commit.branch)) from error
    return True


def _file_at(git: Git, revision: str, path: str) -> TreeEntry | None:
    entry = _entry_at(git, revision, path)
    if entry is not None and not (entry.path == path and entry.is_regular_file):
        kind = "a link" if entry.mode == LINK else "not a regular file"
        raise NotCommitted(
            f"{printable(entry.path)} is {kind} in HEAD, which a commit would replace; name a "
            "regular file"
        )
    return entry


def _written(git: Git, repository: Repository, commit: BranchCommit, file: TreeEntry | None) -> str:
    """Return the id of the new commit, on top of HEAD; no branch points to it yet."""
    tree = git.rev_parse("--verify", f"{repository.head}^{{tree}}")
    if commit.content is not None:
        blob = _fed(git.hash_object, commit.content, "-w", "--stdin")
        mode = file.mode if file else REGULAR_FILE
        tree = _tree_with(git, tree, TreeEntry(commit.path, mode, "blob", blob))
    # Git prints nothing if it knows no identity.
    identity = git.var("GIT_COMMITTER_IDENT", with_exceptions=False)
    identity = identity or f"{_NOBODY} {int(time.time())} +0000"
    lines = [
        f"tree {tree}\nparent {repository.head}\n",
        f"author {identity}\ncommitter {identity}\n\n",
        f"{commit.message}\n\n{_WRITTEN_BY}",
    ]
    content = _with_digest(os.fsencode("".join(lines)))
    return _fed(git.hash_object, content, "-t", "commit", "-w", "--stdin")


def _tree_with(git: Git, tree: str | None, file: TreeEntry) -> str:
    """Write a tree with one file changed and return its id; None is an empty tree.

    All parts of file.path but the last must be folders or absent. An index would lose old modes
    of other files, and refuse trees that only a hostile commit has.
    """
    printed = git.ls_tree("-z", "--full-tree", tree) if tree else ""
    entries = {entry.path: entry for entry in tree_entries(printed)}
    name, _, rest = file.path.partition("/")
    if rest:
        inner = entries[name].id if name in entries else None
        subtree = _tree_with(git, inner, file._replace(path=rest))
        file = TreeEntry(name, "040000", "tree", subtree)
    entries[name] = file
    listing = "".join(f"{e.mode} {e.kind} {e.id}\t{e.path}\0" for e in entries.values())
    # A partial clone lacks objects that the tree names.
    return _fed(git.mktree, os.fsencode(listing), "-z", "--missing")


def _with_digest(content: bytes) -> bytes:
    return b"%s%s%s\n" % (content, _DIGEST, hashlib.sha256(content).hexdigest().encode("ascii"))


def _why_not_written(error: GitFailed, branch: str) -> str:
    # Git's message about a branch in the place of another branch's folder, or vice versa.
    other = re.search(r"'refs/heads/([^']+)' exists; cannot create", str(error))
    if other is None:
        return f"git cannot write to the branch {branch} ({_reason(error)}); fix this and run again"
    name = printable(other[1])
    return f"cannot create the branch {branch} because the branch {name} exists; rename {name}"
