"""Whether everything that the memory held at a commit is there still, and what is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from learnings.app.verify.losing_commits import CommitEntries
from learnings.app.verify.versions import changes_memory, read_versions, unchanged_memory
from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.proof.model import ENTRY, Loss, Notice, Proof
from learnings.history.git.merging import (
    CommitParents,
    is_ancestor,
    merge_bases,
    merge_heads,
    merges_between,
)
from learnings.history.git.repository import Repository
from learnings.history.git.snapshots import CommitSnapshot, Snapshot

_Result = TypeVar("_Result", Loss, Notice)


class Verification(NamedTuple):
    """What a comparison with a commit says.

    base is that commit, head the one that it was compared with: None for what is staged or in the
    working tree, which compared says (`commit`, `index`, `working-tree`). changed is False where no
    file of the memory has changed, is_about_files where none has at all, of any kind. parted is
    where the two commits parted, if base is no ancestor.
    """

    base: str
    head: str | None
    compared: str
    proof: Proof = Proof()
    changed: bool = False
    is_about_files: bool = True
    parted: str = ""


class Revision(NamedTuple):
    """A commit with the name that a user gave it, for commands in messages."""

    commit: str
    name: str


def verify(workspace: Workspace, snapshot: Snapshot, base: Revision) -> Verification:
    """Compare what is in a snapshot with a commit, and with what is being merged into it.

    Between two commits the merges are looked at as well, where an entry can vanish that the base
    did not have. Raises UntrustedHistory, UsageProblem and UnusableFile.
    """
    repository = snapshot.repository
    head = snapshot.commit if isinstance(snapshot, CommitSnapshot) else None
    result = Verification(base.commit, head, snapshot.word)
    last = head or repository.head
    parents = _parents(snapshot, base)
    paths = {path for parent in parents for path in snapshot.changed_paths(parent.commit)}
    merges = merges_between(repository, base.commit, last) if base.commit != last else []
    if not merges and not changes_memory(workspace, [*paths]):
        return result._replace(is_about_files=snapshot.differs(base.commit))
    proof = _Search(workspace, snapshot).proof(parents, merges)
    parted = _parted(repository, base.commit, last)
    return result._replace(proof=proof, changed=True, parted=parted)


def _parents(snapshot: Snapshot, base: Revision) -> list[Revision]:
    """Return the commits to compare with: the base and, if that is HEAD, what is being merged."""
    repository = snapshot.repository
    if isinstance(snapshot, CommitSnapshot) or base.commit != repository.head:
        return [base]
    heads = merge_heads(repository)
    return [base, *(Revision(head, _name(head, heads)) for head in heads)]


def _name(head: str, heads: Sequence[str]) -> str:
    return "MERGE_HEAD" if len(heads) == 1 else head


def _parted(repository: Repository, base: str, head: str) -> str:
    if is_ancestor(repository, base, head):
        return ""
    return next(iter(merge_bases(repository, base, head)), "")


class _Search:
    """The search for losses in one snapshot."""

    def __init__(self, workspace: Workspace, snapshot: Snapshot) -> None:
        self._workspace = workspace
        self._snapshot = snapshot
        self._entries = CommitEntries(workspace, snapshot)

    def proof(self, parents: Sequence[Revision], merges: Sequence[CommitParents]) -> Proof:
        """Compare with each parent; what one removed that another had left alone is removed."""
        commits = [parent.commit for parent in parents]
        proofs = [self._compared(parent) for parent in parents]
        losses, notices = [], []
        for parent, proof in zip(parents, proofs, strict=True):
            others = [commit for commit in commits if commit != parent.commit]
            kept = [r for r in proof.losses if not self._is_removed(r, parent.commit, others)]
            losses += [self._with_commit(loss, parent) for loss in kept]
            notices += [r for r in proof.notices if not self._is_removed(r, parent.commit, others)]
        if merges:
            losses += self._vanished(merges, {(loss.before.path, loss.identity) for loss in losses})
        entries = sum(proof.entries for proof in proofs)
        return Proof(tuple(_once(losses)), tuple(_once(notices)), entries)

    def _compared(self, base: Revision) -> Proof:
        """Return what is lost between a commit and the snapshot."""
        # Most commits change no memory file, and the hook is through before it needs these.
        from learnings.app.verify.indexes import rows_lost  # noqa: PLC0415
        from learnings.app.verify.unstaged import unstaged_archives, with_reason  # noqa: PLC0415
        from learnings.consolidation.proof.proof import prove  # noqa: PLC0415

        snapshot = self._snapshot
        versions = read_versions(self._workspace, snapshot, base.commit)
        proof = prove(
            versions.before,
            versions.after,
            coverage=self._workspace.settings.coverage,
            others=lambda: unchanged_memory(versions, snapshot),
            unstaged=lambda: unstaged_archives(versions, snapshot),
        )
        losses = (with_reason(loss, snapshot) for loss in proof.losses)
        rows = rows_lost(versions, snapshot, snapshot.of_commit(base.commit))
        return proof._replace(losses=(*losses, *rows))

    def _is_removed(self, result: Loss | Notice, parent: str, others: Iterable[str]) -> bool:
        """Return True if another parent removed an entry since the two parted."""
        if result.kind not in (ENTRY, "covered"):
            return False
        path, identity, has = result.before.path, result.identity, self._entries.has
        return any(
            not has(other, path, identity)
            and any(
                has(base, path, identity)
                for base in merge_bases(self._snapshot.repository, parent, other)
            )
            for other in others
        )

    def _with_commit(self, loss: Loss, base: Revision) -> Loss:
        head = self._snapshot.repository.head
        if isinstance(self._snapshot, CommitSnapshot):
            head = self._snapshot.commit
        commit = ""
        if loss.kind == ENTRY and head != base.commit:
            find = self._entries.losing_commit
            commit = find(base.commit, head, loss.before.path, loss.identity)
        return loss._replace(rev=base.name, commit=commit)

    def _vanished(
        self, merges: Sequence[CommitParents], known: set[tuple[str, str]]
    ) -> Iterator[Loss]:
        """Give the entries that a merge lost, and that are nowhere at the end of the range."""
        for merge in merges:
            merged = _Search(self._workspace, self._snapshot.of_commit(merge.commit))
            if not merged.has_changed_learnings(merge.parents):
                continue
            parents = [Revision(parent, parent) for parent in merge.parents]
            for loss in merged.proof(parents, ()).losses:
                key = (loss.before.path, loss.identity)
                if loss.kind == ENTRY and key not in known and self._is_lost(loss):
                    known.add(key)
                    yield loss._replace(commit=merge.commit)

    def has_changed_learnings(self, parents: Sequence[str]) -> bool:
        """Return True if a learnings file differs from what one of these commits has."""
        from learnings.app.verify.memory_paths import MemoryPaths  # noqa: PLC0415  (for ranges)

        changed = [path for parent in parents for path in self._snapshot.changed_paths(parent)]
        paths = MemoryPaths(self._workspace, changed)
        return any(paths.is_learnings(path) or paths.is_companion(path) for path in changed)

    def _is_lost(self, loss: Loss) -> bool:
        proof = self._compared(Revision(loss.rev, loss.rev))
        key = (loss.before.path, loss.identity)
        return key in {(other.before.path, other.identity) for other in proof.losses}


def _once(results: Iterable[_Result]) -> Iterator[_Result]:
    known = set()
    for result in results:
        key = (result.kind, result.before.path, result.identity)
        if key not in known:
            known.add(key)
            yield result
