"""A commit of one changed file on a separate branch; working tree, index and HEAD stay."""

from __future__ import annotations

import hashlib
import re
import time
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError
from learnings.core.text import printable
from learnings.history.git import process
from learnings.history.git.objects import REGULAR_FILE, TreeEntry, entry_at, feed, tree_with
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import Repository, open_repository, output_of

_WRITTEN_BY = b"Written-by: learnings notify file\n"
# The last line of a message: the digest of the commit above it, which an amendment changes.
_DIGEST = b"Written-as: "
_NOBODY = b"learnings <learnings@localhost>"


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
    entry = _file_at(repository, repository.head, path)
    if entry is None:
        return None
    if int(repository.run("cat-file", "-s", entry.id)) > limit:
        return bytes(limit + 1)  # not worth the memory, as it is refused
    return repository.run("cat-file", "blob", entry.id)


def commit_to_branch(folder: Path, commit: BranchCommit) -> bool:
    """Commit HEAD with one changed file to a branch; return False if the branch has it already.

    Raises UntrustedHistory without a repository; NotCommitted if the branch has other commits or is
    checked out, or the path is not a regular file in HEAD.
    """
    repository = open_repository(folder)
    ref = f"refs/heads/{commit.branch}"
    tip = output_of(repository.top, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    if tip:
        written = repository.run("cat-file", "commit", tip)
        if written != _with_digest(written.rpartition(_DIGEST)[0]):
            raise NotCommitted(
                f"the branch {commit.branch} has a commit that somebody else made or changed; "
                "rename or delete the branch"
            )
    file = _file_at(repository, repository.head, commit.path)
    present = _file_at(repository, tip or repository.head, commit.path)
    content = repository.run("cat-file", "blob", present.id) if present else None
    if content == commit.content:
        return False
    checkout = output_of(repository.top, "for-each-ref", "--format=%(worktreepath)", ref)
    if checkout:
        raise NotCommitted(
            f"the branch {commit.branch} is checked out in {printable(checkout)}, whose files "
            "would then differ; check out another branch there"
        )
    try:
        new = _written(repository, commit, file)
        before = tip or "0" * len(new)  # git refuses if the branch has moved in the meantime
        update = ["update-ref", "-m", "learnings notify file", ref, new, before]
        process.run(update, repository.top)
    except GitFailed as error:
        raise NotCommitted(_why_not_written(str(error), commit.branch)) from error
    return True


def _file_at(repository: Repository, revision: str, path: str) -> TreeEntry | None:
    entry = entry_at(repository, revision, path)
    if entry is not None and not (entry.path == path and entry.is_regular_file):
        kind = "a link" if entry.mode == "120000" else "not a regular file"
        raise NotCommitted(
            f"{printable(entry.path)} is {kind} in HEAD, which a commit would replace; name a "
            "regular file"
        )
    return entry


def _written(repository: Repository, commit: BranchCommit, file: TreeEntry | None) -> str:
    """Return the id of the new commit, on top of HEAD; no branch points to it yet."""
    tree = f"{repository.head}^{{tree}}"
    if commit.content is None:
        tree = output_of(repository.top, "rev-parse", "--verify", tree)
    else:
        blob = feed(repository, commit.content, "hash-object", "-w", "--stdin")
        mode = file.mode if file else REGULAR_FILE
        changed = TreeEntry(commit.path, mode, "blob", blob)
        tree = tree_with(repository, repository.head, changed)
    try:
        identity = process.run(["var", "GIT_COMMITTER_IDENT"], repository.top).rstrip(b"\n")
    except GitFailed:  # git knows none
        identity = b"%s %d +0000" % (_NOBODY, time.time())
    lines = [
        b"tree %s\nparent %s\n" % (tree.encode("ascii"), repository.head.encode("ascii")),
        b"author %s\ncommitter %s\n\n" % (identity, identity),
        b"%s\n\n%s" % (commit.message.encode("utf-8"), _WRITTEN_BY),
    ]
    content = _with_digest(b"".join(lines))
    return feed(repository, content, "hash-object", "-t", "commit", "-w", "--stdin")


def _with_digest(content: bytes) -> bytes:
    return b"%s%s%s\n" % (content, _DIGEST, hashlib.sha256(content).hexdigest().encode("ascii"))


def _why_not_written(text: str, branch: str) -> str:
    # Git's message about a branch in the place of another branch's folder, or vice versa.
    other = re.search(r"'refs/heads/([^']+)' exists; cannot create", text)
    if other is not None:
        name = printable(other[1])
        return f"cannot create the branch {branch} because the branch {name} exists; rename {name}"
    lines = text.splitlines() or ["no reason given"]
    reason = printable(re.sub(r"^(?:fatal|error): ", "", lines[0]))
    return f"git cannot write to the branch {branch} ({reason}); fix this and run again"
