"""Compare two versions of the memory and collect the losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.app.verify.versions import MemoryVersions, VersionedPlaces, changes_memory
from learnings.consolidation.proof.results import DISPLACED, LOSSES, FilePlace, Kind, Proof, Result
from learnings.core.entries.archives import comparable
from learnings.core.entries.document import ReadOptions, read_older, within_limits
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.progress import step
from learnings.core.text import printable
from learnings.history.git import merges
from learnings.history.git.repository import Repository, head_commit, open_at, open_repository
from learnings.history.git.snapshots import Snapshot, Watched, is_relevant, snapshot_of
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.consolidation.proof.changes import EntryChange
    from learnings.core.entries.document import Document


class UnseenFile(NamedTuple):
    """A memory on disk that is not compared, with the flag by which git does not look at it.

    The flag of one that belongs to a repository inside this one is SUBMODULE.
    """

    path: str
    flag: str
    repository: str | None = None


SUBMODULE = "submodule"


class Verification(NamedTuple):
    """The result of a comparison with the commit base; head is None unless it is a commit.

    changed is False if no memory file changed, is_about_files if no file at all changed. diverged
    is the commit where the two diverged; is_related is False if they share no commit, perhaps
    because is_shallow. documents are the compared memories as they are now, by their found names.
    changes are those of entries, which only diff_of() tells.
    """

    base: str
    head: str | None
    compared: str
    proof: Proof = Proof()
    changed: bool = False
    is_about_files: bool = True
    diverged: str = ""
    is_related: bool = True
    is_shallow: bool = False
    unseen: tuple[UnseenFile, ...] = ()
    documents: Mapping[str, Document] = {}
    changes: tuple[EntryChange, ...] = ()


class Revision(NamedTuple):
    """A commit with the name the user gave it, for commands in messages."""

    commit: str
    name: str


def compared_with(
    workspace: Workspace, snapshot: Snapshot, base: str
) -> tuple[MemoryVersions, Proof]:
    """Compare a snapshot with a commit, without those between them; raises as MemoryVersions."""
    from learnings.app.verify import other_losses  # noqa: PLC0415  (most commits change no memory)
    from learnings.consolidation.proof.proof import prove  # noqa: PLC0415  (as above)

    versions = MemoryVersions(workspace, snapshot, base)
    proof = prove(
        versions.before,
        versions.after,
        coverage=versions.settings.coverage,
        unchanged=versions.unchanged_texts,
        unstaged=partial(other_losses.unstaged_archives, versions),
    )
    losses = other_losses.with_reasons(proof.losses, snapshot)
    return versions, proof._replace(
        losses=(*losses, *other_losses.rows_lost(versions)),
        notices=(*proof.notices, *other_losses.lost_decisions(versions)),
    )


def diff_of(workspace: Workspace, base: str, head: str | None = None) -> Verification:
    """Compare a commit with another, or the working tree, by entry. Raises as verification_of()."""
    from learnings.consolidation.proof.changes import changes_of  # noqa: PLC0415  (the hook does without)

    with opened(workspace, base, head=head) as (snapshot, revision):
        versions, proof = compared_with(workspace, snapshot, revision.commit)
        found = partial(_found, versions.places)
        changes = tuple(
            change._replace(
                before=change.before and found(change.before),
                after=change.after and found(change.after),
            )
            for change in changes_of(proof, versions.after.archives)
        )
        return _result_of(workspace, snapshot, revision)._replace(changes=changes)


class _LossSearch:
    """The losses of a snapshot against several commits; each file of a commit is read once."""

    def __init__(self, workspace: Workspace, snapshot: Snapshot) -> None:
        self._workspace = workspace
        self._snapshot = snapshot
        self.compared = lru_cache(maxsize=64)(partial(compared_with, workspace, snapshot))
        """Return the memory in a commit and in the snapshot, with the proof."""
        self._texts = lru_cache(maxsize=4096)(self._texts_in)
        self._changes = lru_cache(maxsize=64)(partial(merges.changes_between, snapshot.repository))
        self._lost_before = lru_cache(maxsize=64)(self._lost_since)

    def proof(self, parents: Sequence[Revision], steps: Sequence[merges.CommitParents]) -> Proof:
        """Compare with each parent; a removal by one that another left alone is no loss.

        An entry lost in a step counts as lost if it is also missing at the end.
        """
        commits = [parent.commit for parent in parents]
        losses, notices, entries = list[Result](), list[Result](), 0
        for parent in parents:
            _, proof = self.compared(parent.commit)
            others = [commit for commit in commits if commit != parent.commit]
            results = (*proof.losses, *proof.notices)
            left = [
                self._displaced(r, parent.commit, others)
                for r in results
                if not self._is_removed(r, parent.commit, others)
            ]
            losses += (self._traced(r, parent) for r in left if r.kind in LOSSES)
            notices += (r for r in left if r.kind not in LOSSES)
            entries += proof.entries
        if steps:
            older = self._snapshot.before(commits[0])
            # Between two versions without links, none are looked for: that would list each commit.
            has_links = bool(self._snapshot.links or older.links)
            losses += self._vanished(steps, set(map(_result_key, losses)), has_links=has_links)
        lost = set(map(_result_key, losses))
        notices = [notice for notice in notices if _result_key(notice) not in lost]
        return Proof(_once(losses), _once(notices), entries)

    def _traced(self, loss: Result, base: Revision) -> Result:
        """Return a loss with the newest commit that lost the entry of a parent, if known."""
        loss = loss._replace(rev=base.name)
        repository = self._snapshot.repository
        head = self._snapshot.commit or repository.head
        if loss.kind != Kind.ENTRY or head == base.commit:
            return loss
        if self._snapshot.commit and _is_child(repository, base.commit):
            return loss._replace(commit=head)
        path, identity = loss.before.path, loss.identity
        changes = self._changes(base.commit, head, path)
        merged: Result | None = None
        sides: list[str] = []
        for commit, parents in changes if identity not in self._texts(head, path) else ():
            having = [parent for parent in parents if identity in self._texts(parent, path)]
            if not having or identity in self._texts(commit, path):
                continue
            found = loss._replace(commit=commit, parent=having[0] if len(parents) > 1 else "")
            lacking = [parent for parent in parents if parent not in having]
            if lacking:  # one of these sides may have lost it before the merge
                merged, sides = merged or found, sides + lacking
            elif not sides or any(merges.is_ancestor(repository, commit, side) for side in sides):
                return found
        return merged or loss

    def _texts_in(self, commit: str, path: str) -> Mapping[str, str]:
        """Return the texts of the entries in a commit, normalised as for archives."""
        data = self._snapshot.of_commit(commit, has_links=False).read(path)
        if data is None:
            return {}
        options = ReadOptions.of(self._workspace.file_settings(path))
        entries = read_older(within_limits(data), options).by_identity
        return {identity: comparable(entry.lines) for identity, entry in entries.items()}

    def _is_removed(self, result: Result, parent: str, others: Iterable[str]) -> bool:
        """Return True if another parent lost the same unedited entry since the two diverged."""
        key = kind, path, identity = _result_key(result)
        repository = self._snapshot.repository
        bases = ((o, base) for o in others for base in merges.merge_bases(repository, parent, o))
        for other, base in bases:
            if kind == Kind.ENTRY:
                before = self._texts(base, path).get(identity)
                is_edited = before != self._texts(parent, path).get(identity)
                if before is None or (is_edited and result.kind in LOSSES):
                    continue
                if identity not in self._texts(other, path):
                    return True
            if key in self._lost_before(base, other):
                return True
        return False

    def _displaced(self, result: Result, parent: str, others: Iterable[str]) -> Result:
        """Return a rewording as a loss if its new text is a similar entry that another parent has.

        Each side has added its entry, and the merge kept one of them.
        """
        if not result.matters or result.entry is None:
            return result
        after, (_, path, identity) = result.after, _result_key(result)
        document = self.compared(parent)[0].after.learnings.get(after.path)
        new = document.by_first_line.get(after.line) if document else None
        if new is None or new.identity == identity:
            return result
        for other in others:
            if self._texts(other, after.path).get(new.identity) != comparable(new.lines):
                continue
            bases = merges.merge_bases(self._snapshot.repository, parent, other)
            if not any(identity in self._texts(base, path) for base in bases):
                detail = f'{DISPLACED} "{new.title}" of another side in its place'
                return result._replace(kind=Kind.ENTRY, detail=detail, changes=(), matters=False)
        return result

    def _lost_since(self, base: str, commit: str) -> frozenset[_Key]:
        _, proof = compared_with(self._workspace, self._snapshot.of_commit(commit), base)
        return frozenset(map(_result_key, (*proof.losses, *proof.notices)))

    def _vanished(
        self, steps: Sequence[merges.CommitParents], known: set[_Key], *, has_links: bool
    ) -> Iterator[Result]:
        for number, each in enumerate(steps, 1):
            step(f"comparing commit {number} of {len(steps)}")
            snapshot = self._snapshot.of_commit(each.commit, has_links=has_links)
            versions = (snapshot, *map(snapshot.before, each.parents))
            places = VersionedPlaces({v: {} for v in versions}, [self._workspace.settings])
            changed = chain.from_iterable(map(snapshot.changed_paths, each.parents))
            if not any(map(places.is_kept, changed)):
                continue
            parents = [Revision(parent, parent) for parent in each.parents]
            for loss in _LossSearch(self._workspace, snapshot).proof(parents, ()).losses:
                key, proof = _result_key(loss), self.compared(loss.rev)[1]
                is_displaced = loss.detail.startswith(DISPLACED)
                left = (*proof.losses, *(n for n in proof.notices if is_displaced and n.matters))
                if key not in known and key in map(_result_key, left):
                    known.add(key)
                    parent = loss.rev if len(each.parents) > 1 else ""
                    yield loss._replace(commit=each.commit, parent=parent)


_Key = tuple[Kind, str, str]


def _result_key(result: Result) -> _Key:
    """Return the subject of a result; that of most notices is an entry."""
    is_subject = result.kind in (*LOSSES, Kind.DECISION)
    return result.kind if is_subject else Kind.ENTRY, result.before.path, result.identity


def _once(results: Iterable[Result]) -> tuple[Result, ...]:
    unique: dict[_Key, Result] = {}
    for result in results:
        unique.setdefault((result.kind, result.before.path, result.identity), result)
    return tuple(unique.values())


# Set by pre-commit and prek for a range: `--from-ref A --to-ref B`, and before a push.
_FROM, _TO = "PRE_COMMIT_FROM_REF", "PRE_COMMIT_TO_REF"
# Set only before a push: the remote has the start of the range and would lose entries.
_PUSHED = "PRE_COMMIT_LOCAL_BRANCH"

NO_COMMIT = "no commit yet, so nothing to lose"
NOTHING_STAGED = "nothing is staged and no range is given, so there is nothing to compare"


def verification_of(
    workspace: Workspace,
    base: str,
    head: str | None = None,
    *,
    staged: bool = False,
    each: bool = False,
) -> Verification:
    """Compare a commit with another, the staged changes or the working tree.

    The commits being merged into a version count as well. An entry that the base did not have can
    vanish in a merge between two commits; each checks every commit between them. Raises
    UntrustedHistory, UsageProblem and UnusableFile.
    """
    with opened(workspace, base, head=head, staged=staged) as (snapshot, revision):
        repository = snapshot.repository
        commit = snapshot.commit
        result = _result_of(workspace, snapshot, revision)
        last = commit or repository.head
        parents = [revision]
        if not commit and revision.commit == repository.head:
            heads = merges.merge_heads(repository)
            names = ["MERGE_HEAD"] if len(heads) == 1 else heads
            parents += map(Revision, heads, names)
        paths = {path for parent in parents for path in snapshot.changed_paths(parent.commit)}
        steps = []
        if revision.commit != last and each:
            ends = [path for path in paths if not is_relevant(path)]
            steps = merges.commits_between(repository, revision.commit, last, ends)
        elif revision.commit != last and not _is_child(repository, revision.commit):
            steps = merges.merges_between(repository, revision.commit, last)
        versions = [snapshot, *(snapshot.before(parent.commit) for parent in parents)]
        known = {name for path in paths for version in versions for name in version.names_of(path)}
        if not steps and not changes_memory(workspace, known):
            return result._replace(is_about_files=bool(snapshot.changes(revision.commit)))
        search = _LossSearch(workspace, snapshot)
        proof, (memory, _) = search.proof(parents, steps), search.compared(revision.commit)
        documents = memory.after.learnings.items()
        result = result._replace(
            proof=_with_found_names(proof, memory.places),
            changed=True,
            is_shallow=repository.shallow,
            documents={memory.places.of(path).name: document for path, document in documents},
        )
        # Without a loss, the point of divergence does not matter.
        is_child = _is_child(repository, revision.commit)
        if not proof.losses or is_child or merges.is_ancestor(repository, revision.commit, last):
            return result
        diverged = next(iter(merges.merge_bases(repository, revision.commit, last)), "")
        return result._replace(diverged=diverged, is_related=bool(diverged))


def _result_of(workspace: Workspace, snapshot: Snapshot, base: Revision) -> Verification:
    unseen = _unseen_memory(workspace, snapshot)
    return Verification(base.commit, snapshot.commit or None, snapshot.kind, unseen=unseen)


def _is_child(repository: Repository, base: str) -> bool:
    """Return True if one commit is the whole range, as in most cases, so git need not be asked."""
    return repository.parents == (base,)


def _with_found_names(proof: Proof, places: VersionedPlaces) -> Proof:
    found = partial(_found, places)

    def named(result: Result) -> Result:
        return result._replace(
            before=found(result.before),
            after=found(result.after),
            copy=result.copy and found(result.copy),
            cover=result.cover and result.cover._replace(place=found(result.cover.place)),
            real="" if found(result.before) == result.before else result.before.path,
        )

    losses, notices = (tuple(map(named, results)) for results in (proof.losses, proof.notices))
    return proof._replace(losses=losses, notices=notices)


def _found(places: VersionedPlaces, place: FilePlace) -> FilePlace:
    """Return a place under the name by which discovery finds its file."""
    return place._replace(path=places.of(place.path).name)


def _unseen_memory(workspace: Workspace, snapshot: Snapshot) -> tuple[UnseenFile, ...]:
    files = [UnseenFile(*row) for row in snapshot.unseen()]
    places = VersionedPlaces({snapshot: {}}, [workspace.settings])
    kept = [file for file in files if places.is_kept(file.path)]
    return (
        *(f for f in kept if places.of(f.path).name.lower().endswith(MEMORY_ENDINGS)),
        *(UnseenFile(path, SUBMODULE, inner) for path, inner in workspace.found.nested.items()),
    )


@contextmanager
def opened(
    workspace: Workspace, base: str, *, head: str | None = None, staged: bool = False
) -> Iterator[tuple[Snapshot, Revision]]:
    """Yield the compared snapshot and the base commit. Raises as commit_named()."""
    at_base, repository = _at_both(workspace.start, base, head)
    revision = Revision(at_base.head, base)
    step(f"comparing with {printable(base)}")
    commit = repository.head if head is not None else ""
    configured = frozenset(str(file.path) for file in workspace.settings.files)

    @cache
    def untracked_links() -> Mapping[str, str]:
        from learnings.workspace.discovery import untracked_links  # noqa: PLC0415  (where a memory may have changed)

        return untracked_links(workspace.tree, workspace.places, snapshot.files)

    watched = Watched(untracked_links, configured)
    with snapshot_of(repository, commit=commit, staged=staged, watched=watched) as snapshot:
        yield snapshot, revision


def _at_both(folder: Path, base: str, head: str | None) -> Sequence[Repository]:
    """Open the repository at a base and a head: the checked-out commit, if there is one yet."""
    with suppress(LearningsError):
        return open_at(folder, base, "HEAD" if head is None else head)
    at_base = commit_named(folder, base)
    return at_base, at_base if head is None else commit_named(folder, head)


def verification_for_hook(workspace: Workspace, environ: Mapping[str, str]) -> Verification | str:
    """Compare a framework's range, else the commit being made; or return the reason why not."""
    base, head = environ.get(_FROM, ""), environ.get(_TO, "")
    if base and head:
        if not environ.get(_PUSHED):
            repository, other = (commit_named(workspace.start, rev) for rev in (head, base))
            bases = merges.merge_bases(repository, other.head, repository.head)
            base = bases[0] if bases and other.head not in bases else base
        return verification_of(workspace, base, head=head)
    if not head_commit(workspace.start):
        return NO_COMMIT
    result = verification_of(workspace, "HEAD", staged=True)
    return result if result.is_about_files else NOTHING_STAGED


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
