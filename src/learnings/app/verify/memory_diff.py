"""A change of the memory between two versions, by entry."""

from __future__ import annotations

from typing import NamedTuple

from learnings.app.verify.verification import compared_with, opened
from learnings.consolidation.proof.changes import EntryChange, changes_of
from learnings.history.git.snapshots import CommitSnapshot
from learnings.workspace.workspace import Workspace


class MemoryDiff(NamedTuple):
    """The changes between the commit base and the compared version; see Verification."""

    base: str
    head: str | None
    compared: str
    changes: tuple[EntryChange, ...]


def diff_of(workspace: Workspace, base: str, head: str | None = None) -> MemoryDiff:
    """Compare a commit with another, or with the working tree. Raises as verify()."""
    with opened(workspace.start, base, head=head) as (snapshot, revision):
        compared = compared_with(workspace, snapshot, revision)
        commit = snapshot.commit if isinstance(snapshot, CommitSnapshot) else None
        changes = changes_of(compared.proof, compared.versions.after.archives)
        return MemoryDiff(revision.commit, commit, snapshot.word, changes)
