"""The commits, index or working tree that a verification compares."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from learnings.app.verify.verification import Revision, Verification, verify
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.history.git.merge_bases import merge_bases
from learnings.history.git.repository import Repository, head_commit, open_repository
from learnings.history.git.snapshots import snapshot_of
from learnings.workspace.workspace import Workspace

# What pre-commit and prek set for a range: `--from-ref A --to-ref B`, and before a push.
_FROM, _TO = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"
# Set before a push only: then the remote has what the range starts from, and would lose it.
_PUSHED = "PRE_COMMIT_LOCAL_BRANCH"

NO_COMMIT = "there is no commit yet, so there is nothing to lose"
NOTHING_STAGED = "nothing is staged and no range is given, so there is nothing to compare"


def verification_of(
    workspace: Workspace, base: str, *, head: str | None = None, staged: bool = False
) -> Verification:
    """Compare a commit with another one, with what is staged, or with the working tree.

    Raises UntrustedHistory, UsageProblem, UnusableFile and BadSettings.
    """
    folder = workspace.start
    revision = Revision(commit_named(folder, base).head, base)
    if head is not None:
        repository = commit_named(folder, head)
    else:  # HEAD may lead to no commit yet
        repository = open_repository(folder, rev="HEAD" if head_commit(folder) else revision.commit)
    commit = repository.head if head is not None else ""
    with snapshot_of(repository, commit=commit, staged=staged) as snapshot:
        return verify(workspace, snapshot, revision)


def verification_for_hook(workspace: Workspace, environ: Mapping[str, str]) -> Verification | str:
    """Compare the range that a framework names, else the commit being made.

    Returns a sentence if there is nothing to compare. Raises as verification_of().
    """
    base, head = environ.get(_FROM, ""), environ.get(_TO, "")
    if base and head:
        if not environ.get(_PUSHED):
            base = diverged_at(workspace.start, base, head)
        return verification_of(workspace, base, head=head)
    if not head_commit(workspace.start):
        return NO_COMMIT
    result = verification_of(workspace, "HEAD", staged=True)
    return result if result.is_about_files else NOTHING_STAGED


def diverged_at(folder: Path, base: str, head: str) -> str:
    """Return where head left another commit, else that one. Raises as commit_named()."""
    repository = commit_named(folder, head)
    other = commit_named(folder, base).head
    bases = merge_bases(repository, other, repository.head)
    return base if not bases or other in bases else bases[0]


def commit_named(folder: Path, rev: str) -> Repository:
    """Open the repository at a commit. Raises UntrustedHistory; UsageProblem for no commit."""
    try:
        return open_repository(folder, rev=rev)
    except UsageProblem:
        is_shallow = bool(head_commit(folder)) and open_repository(folder).shallow
        if not is_shallow or rev.startswith("-"):
            raise
        raise UsageProblem(
            f"{printable(rev)} is not in this shallow clone; run git fetch --unshallow, or check "
            "out with fetch-depth: 0"
        ) from None
