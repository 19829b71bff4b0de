"""One changed file as a commit on a branch of its own; working tree, index and HEAD stay."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError
from learnings.history.git import process
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository, explained, open_repository

_TRAILER = "Written-by: learnings notify file"
_NOBODY = "learnings <learnings@localhost>"
_REGULAR_FILE = "100644"


class NotCommitted(LearningsError):
    """The branch has commits of somebody else; the sentence says what to do."""


class BranchCommit(NamedTuple):
    """What is to be committed: the content of a file, the branch, the first line of the message.

    Content None stands for a file that does not exist, at HEAD either.
    """

    path: str
    content: bytes | None
    branch: str
    message: str


def commit_to_branch(folder: Path, commit: BranchCommit) -> bool:
    """Commit HEAD with one file changed to a branch; return False where that changes nothing.

    That is where the branch, or HEAD if there is no branch, has the file like that already.
    Raises UntrustedHistory without a repository, NotCommitted for a branch with other commits.
    """
    repository = open_repository(folder)
    ref = f"refs/heads/{commit.branch}"
    tip = _output(repository, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if tip:
        _refuse_others(repository, tip, commit.branch)
    if _content(repository, tip or repository.head, commit.path) == commit.content:
        return False
    _import(repository, ref, commit)
    return True


def _refuse_others(repository: Repository, tip: str, branch: str) -> None:
    if _TRAILER not in _output(repository, "log", "-1", "--format=%B", tip):
        raise NotCommitted(
            f"the branch {branch} holds a commit that somebody else made; rename or delete it"
        )


def _content(repository: Repository, commit: str, path: str) -> bytes | None:
    try:
        return process.run(["cat-file", "blob", f"{commit}:{path}"], repository.top)
    except GitFailed:
        return None


def _output(repository: Repository, *arguments: str) -> str:
    """Return what git prints, without the white space around it; empty where it fails."""
    try:
        output = process.run(arguments, repository.top)
    except GitFailed:
        return ""
    return output.decode("utf-8", "replace").strip()


def _import(repository: Repository, ref: str, commit: BranchCommit) -> None:
    message = f"{commit.message}\n\n{_TRAILER}\n".encode("utf-8", "surrogateescape")
    stream = [
        b"commit %s\n" % os.fsencode(ref),
        b"committer %s now\n" % _identity(repository).encode(),
        b"data %d\n%s\n" % (len(message), message),
        b"from %s\n" % repository.head.encode(),
    ]
    if commit.content is not None:
        entry = _output(repository, "ls-tree", repository.head, "--", commit.path)
        mode = entry.partition(" ")[0] or _REGULAR_FILE
        stream.append(b"M %s inline %s\n" % (mode.encode(), _quoted(commit.path)))
        stream.append(b"data %d\n%s\n" % (len(commit.content), commit.content))
    _feed(repository, b"".join(stream))


def _feed(repository: Repository, stream: bytes) -> None:
    arguments = ["fast-import", "--quiet", "--force", "--date-format=now"]
    run = process.start(arguments, repository.top, interactive=True)
    _, errors = run.communicate(stream)
    if run.returncode:
        raise explained(GitFailed(errors.decode("utf-8", "replace").strip()), repository.top)


def _identity(repository: Repository) -> str:
    """Return who commits here, without the time; where git does not know, the program itself."""
    ident = _output(repository, "var", "GIT_COMMITTER_IDENT")
    return ident[: ident.rindex(">") + 1] if ">" in ident else _NOBODY


def _quoted(path: str) -> bytes:
    """Return a path as fast-import reads it, whatever is in it."""
    inner = b"".join(
        bytes([byte]) if 32 <= byte < 127 and byte not in b'"\\' else b"\\%03o" % byte
        for byte in os.fsencode(path)
    )
    return b'"%s"' % inner
