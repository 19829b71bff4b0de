"""Git facts that rules need about a memory file: origins, resurrected entries, imports, merges.

An entry is resurrected if a consolidation removed it and it came back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from learnings.core.due.ages import LATEST, Origin
from learnings.core.due.history_facts import FAR_APART, HistoryFacts, ResurrectedEntry, days_late
from learnings.core.entries.archives import contains
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.entry_changes import compare_entries, is_alike
from learnings.core.entries.merge_damage import Merge, MergeDamage
from learnings.core.entries.pairing import text_of
from learnings.core.text import encode
from learnings.history.blobs import BlobReader
from learnings.history.cached_history import origins_of
from learnings.history.file_history import FileHistory
from learnings.history.git.merges import merge_bases
from learnings.history.removals import FileChange, all_changes, archives_in, reverts


def _resurrections(
    history: FileHistory, changes: Sequence[FileChange]
) -> Iterator[ResurrectedEntry]:
    """Yield the entries of the text that came back after a commit removed them, in its order.

    changes are all commits that changed the file.
    """
    removals: dict[str, list[FileChange]] = {}
    for change in changes:
        for identity, _ in change.removed:
            removals.setdefault(identity, []).append(change)
    again = [entry for entry in history.document.entries if entry.identity in removals]
    if again:  # few files have one
        search = _Returns(history)
        for entry in again:
            yield from search.resurrection(entry, removals[entry.identity])


class _Returns:
    """Finds out how entries came back to a file."""

    def __init__(self, history: FileHistory) -> None:
        self._history = history
        self._blobs = history.blobs
        self._graph = history.graph()

    def resurrection(
        self, entry: Entry, removals: Sequence[FileChange]
    ) -> Iterator[ResurrectedEntry]:
        """Yield how an entry came back after its last removal, if it did.

        An entry with different text is a new entry of the same name. If a consolidation emptied the
        file, only a merge brings an entry back: other commits restore the file.
        """
        last = self._graph.last_of({removal.commit for removal in removals})
        removal = max((r for r in removals if r.commit in last), key=lambda r: (r.date, r.commit))
        gone = dict(removal.removed)[entry.identity]
        removed = self._blobs.document(gone).by_identity[entry.identity]
        before, after = removal.older_blobs, removal.blob or ""
        is_emptied = not self._blobs.document(after).entries
        for commit, by_merge in self._returns(entry, removal.commit):
            version = self._version(commit)
            again = version.by_identity.get(entry.identity) if version else None
            if version is None or again is None or not is_alike(removed, again):
                continue
            if by_merge or not (
                is_emptied
                or (commit and reverts(commit, removal.commit, self._blobs))
                or self._is_from_archive(commit, version)
                or self._moved_back(commit, again)
            ):
                added = self._blobs.changes(before[0], after, *before[1:]).added
                written = {entry.identity for entry in added}
                returning = self._graph.commits.get(commit) if commit else None
                yield ResurrectedEntry(
                    entry.identity,
                    removed_by=removal.commit,
                    removed_on=_known_day(removal.date),
                    returned_by=commit,
                    returned_on=_known_day(returning.date) if returning else None,
                    by_merge=by_merge,
                    has_replacement=not written.isdisjoint(version.by_identity),
                )
                return

    def _returns(self, entry: Entry, removal: str) -> list[tuple[str | None, bool]]:
        """Return the commits that brought an entry back, newest first; None: the working tree.

        All commits from there to HEAD have it, and no parent after the removal does. The flag is
        True if a parent still had the entry and had not seen the removal.
        """
        tip = next(iter(self._graph.commits), None)
        if tip is None or not self._has(tip, entry):
            return [(None, False)]
        later = self._graph.descendants(removal)
        returned: dict[str, bool] = {}
        pending, seen = [tip], {tip}
        while pending:
            commit = pending.pop()
            row = self._graph.commits.get(commit)
            holding = [name for name in (row.parents if row else ()) if self._has(name, entry)]
            holding_since = [name for name in holding if name in later]
            if not holding_since:
                returned[commit] = bool(holding)
            pending += (name for name in holding_since if name not in seen)
            seen.update(holding_since)
        return [(name, returned[name]) for name in self._graph.commits if name in returned]

    def _has(self, commit: str, entry: Entry) -> bool:
        """Return True for an entry in a commit, perhaps hidden by a fence, comment or conflict."""
        version = self._version(commit)
        if version is None or entry.identity in version.by_identity:
            return version is not None
        line = entry.lines[0].rstrip()
        shown = sum(other.lines[0].rstrip() == line for other in version.entries)
        return sum(other.rstrip() == line for other in version.lines) > shown

    def _version(self, commit: str | None) -> Document | None:
        blob = self._graph.blob(commit) if commit else None
        document = self._blobs.document(blob) if blob else None
        return document if commit else self._history.document

    def _is_from_archive(self, commit: str | None, version: Document) -> bool:
        """Return True if all that came is in an archive of the file, and nothing went for it.

        The squashed merge of an older branch also takes away what it had not seen.
        """
        head, path, blobs = self._history.repository.head, self._history.path, self._blobs
        parent = next(iter(blobs.parents(commit)), None) if commit else head
        before = self._graph.blob(parent) if parent else None
        if parent is None or before is None:
            return False
        changes = compare_entries(blobs.document(before), version)
        name = self._graph.file_in(parent)[0] or path
        texts = [archive.text for archive in archives_in(parent, name, blobs)]
        return not changes.removed and all(
            any(contains(text, entry) for text in texts) for entry in changes.added
        )

    def _moved_back(self, commit: str | None, entry: Entry) -> bool:
        """Return True if the commit removed the heading from another file, such as an archive."""
        if commit is None:
            return False
        options = ("-r", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv")
        lines = self._history.repository.run("diff-tree", *options, commit).split(b"\n")
        known = [_words(encode(text)) for text in (entry.lines[0], entry.title)]
        return any(line[:1] == b"-" and _words(line[1:]) in known for line in lines)


def _known_day(day: str) -> str | None:
    return None if day == LATEST else day


def _words(line: bytes) -> list[bytes]:
    """Return the words of a first line, without its heading or list marker."""
    return line.lstrip(b"#-*+ ").split()


# Minimum stated dates in one commit that make it an import; two may be notes of one night. Chosen
# without a measurement.
_DAYS_OF_AN_IMPORT = 3


def resurrected_entries(history: FileHistory) -> tuple[ResurrectedEntry, ...]:
    """Return the entries in the working tree that were removed; raises UntrustedHistory."""
    return tuple(_resurrections(history, all_changes(history)))


def history_facts(history: FileHistory) -> HistoryFacts:
    """Return the facts about the entries in the working tree; raises UntrustedHistory."""
    origins, changes = origins_of(history), all_changes(history)
    late = [*_mismatches(history.document, origins)]
    return HistoryFacts(
        origins,
        tuple(_resurrections(history, changes)),
        dict(_rewritten([entry for entry, _, days in late if days < 0], changes, history.blobs)),
        frozenset(
            _imports([origin for _, origin, days in late if days > 0], changes, history.blobs)
        ),
    )


def _mismatches(
    document: Document, origins: Mapping[str, Origin]
) -> Iterator[tuple[Entry, Origin, int]]:
    """Yield the entries whose stated date is far from git's, and how many days git is late."""
    for entry in document.entries:
        origin = origins.get(entry.identity)
        if entry.stated is not None and origin is not None and origin.date is not None:
            late = days_late(entry.stated, origin.date)
            if abs(late) > FAR_APART:
                yield entry, origin, late


def _rewritten(
    entries: Sequence[Entry], changes: Sequence[FileChange], blobs: BlobReader
) -> Iterator[tuple[str, str]]:
    """Yield the identities of entries that state a later date than git, and their new dates.

    The new date is the date of the first version with the first line of the entry.
    """
    for entry in entries:
        line = entry.lines[0].rstrip()
        days = [
            change.date
            for change in changes
            if change.blob is not None
            and any(line == other.rstrip() for other in blobs.document(change.blob).lines)
        ]
        first = min(days, default=LATEST)
        if first != LATEST:
            yield entry.identity, first


def _imports(
    origins: Sequence[Origin], changes: Sequence[FileChange], blobs: BlobReader
) -> Iterator[str]:
    """Yield the commits that brought in entries written elsewhere, days before.

    Such a commit created the file, did not change it, or its entries state several days.
    """
    by_commit = {change.commit: change for change in changes}
    for commit in {origin.commit for origin in origins if origin.commit}:
        change = by_commit.get(commit)
        before = change.older_blobs if change else []
        if change is None or change.blob is None or not 0 < len(before) == len(change.before):
            yield commit
            continue
        added = blobs.changes(before[0], change.blob, *before[1:]).added
        if len({entry.stated[:10] for entry in added if entry.stated}) >= _DAYS_OF_AN_IMPORT:
            yield commit


def damage_by_merges(history: FileHistory) -> tuple[MergeDamage, ...]:
    """Return the damage by all merges, each as the last one left it. Raises UntrustedHistory."""
    found: dict[object, MergeDamage] = {}
    for change in all_changes(history):
        before = [*dict.fromkeys(change.older_blobs)]
        if change.blob is None or len(before) < 2:
            continue
        merged = history.blobs.document(change.blob)
        parents = [history.blobs.document(blob) for blob in before]
        for damage in Merge(merged, parents, partial(_base, history, change)).damage():
            key = (damage.kind, *map(text_of, damage.entries))
            found[key] = damage._replace(commit=change.commit)
    return tuple(found.values())


def _base(history: FileHistory, change: FileChange) -> Document | None:
    """Return the version from which the first two parents of a merge come, or None."""
    one, other, *_ = history.blobs.parents(change.commit)
    for commit in merge_bases(history.repository, one, other):
        blob = history.blobs.find(commit, change.path)
        if blob is not None:
            return history.blobs.document(blob)
    return None
