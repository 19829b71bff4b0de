"""Git facts that rules need about a memory file: origins, resurrected entries, imports, merges.

An entry is resurrected if a consolidation removed it and it came back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

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
from learnings.history.file_changes import FileChange
from learnings.history.file_graph import FileGraph
from learnings.history.file_history import FileHistory
from learnings.history.git.merges import merge_bases
from learnings.history.removals import all_changes, archives_in
from learnings.history.returns import reverts


class _Reappearance(NamedTuple):
    """The way an entry came back; commit is None for the working tree.

    by_merge: a parent still had the entry and had not seen the removal.
    """

    commit: str | None
    version: Document
    entry: Entry
    by_merge: bool = False


class Resurrections:
    """Finds entries of a file that came back after a commit removed them.

    file_changes are all commits that changed the file.
    """

    def __init__(self, history: FileHistory, file_changes: Sequence[FileChange]) -> None:
        self._history = history
        self._blobs = history.blobs
        self._removals = [change for change in file_changes if change.removed]

    @cached_property
    def _graph(self) -> FileGraph:
        """Read only if an entry is in the file again, which is rare."""
        return self._history.graph()

    def of(self, document: Document) -> Iterator[ResurrectedEntry]:
        """Yield the entries that came back, in present file order.

        An entry with different text is a new entry of the same name. If a consolidation emptied the
        file, only a merge brings an entry back: other commits restore the file.
        """
        removals: dict[str, list[FileChange]] = {}
        for removal in self._removals:
            for identity, _ in removal.removed:
                if identity in document.by_identity:
                    removals.setdefault(identity, []).append(removal)
        for entry in document.entries:
            if entry.identity in removals:
                removal = self._newest(removals[entry.identity])
                yield from self._resurrection(entry, removal, document)

    def _resurrection(
        self, entry: Entry, removal: FileChange, document: Document
    ) -> Iterator[ResurrectedEntry]:
        removed = dict(removal.removed)[entry.identity]
        gone = self._blobs.document(removed).by_identity[entry.identity]
        before, after = removal.older_blobs, removal.blob or ""
        for back in self._reappearances(entry, removal.commit, document):
            emptied = not self._blobs.document(after).entries
            if not is_alike(gone, back.entry) or (emptied and not back.by_merge):
                continue
            if back.by_merge or not (
                self._is_revert(back, removal)
                or self._is_from_archive(back)
                or self._moved_back(back)
            ):
                added = self._blobs.changes(before[0], after, *before[1:]).added
                written = {entry.identity for entry in added}
                returning = self._graph.commit(back.commit) if back.commit else None
                yield ResurrectedEntry(
                    back.entry.identity,
                    removed_by=removal.commit,
                    removed_on=_known_day(removal.date),
                    returned_by=back.commit,
                    returned_on=_known_day(returning.date) if returning else None,
                    by_merge=back.by_merge,
                    has_replacement=not written.isdisjoint(back.version.by_identity),
                )
                return

    def _reappearances(
        self, entry: Entry, removal: str, document: Document
    ) -> Iterator[_Reappearance]:
        """Yield how an entry got from its removal into HEAD or the working tree, newest first.

        A commit brought it back if all commits from there to HEAD have it, and no parent after the
        removal does.
        """
        tip = next((commit.commit for commit in self._graph), None)
        if tip is None or not self._has(tip, entry):
            yield _Reappearance(None, document, entry)
            return
        later = self._graph.descendants(removal)
        # Commits that brought the entry back, and whether one of their parents had it.
        returned: dict[str, bool] = {}
        pending, seen = [tip], {tip}
        while pending:
            commit = pending.pop()
            row = self._graph.commit(commit)
            holding = [name for name in (row.parents if row else ()) if self._has(name, entry)]
            holding_since = [name for name in holding if name in later]
            if not holding_since:
                returned[commit] = bool(holding)
            pending += (name for name in holding_since if name not in seen)
            seen.update(holding_since)
        for commit in (row.commit for row in self._graph if row.commit in returned):
            version = self._version(commit)
            if version is not None and entry.identity in version.by_identity:
                again = version.by_identity[entry.identity]
                yield _Reappearance(commit, version, again, by_merge=returned[commit])

    def _newest(self, removals: Sequence[FileChange]) -> FileChange:
        """Return the removal without a later one; of several, the latest by date."""
        if len(removals) == 1:
            return removals[0]  # without reading the graph
        last = self._graph.last_of({removal.commit for removal in removals})
        return max((r for r in removals if r.commit in last), key=lambda r: (r.date, r.commit))

    def _has(self, commit: str, entry: Entry) -> bool:
        version = self._version(commit)
        return version is not None and (
            entry.identity in version.by_identity or _is_hidden(entry, version)
        )

    def _version(self, commit: str) -> Document | None:
        blob = self._graph.blob(commit)
        return None if blob is None else self._blobs.document(blob)

    def _is_revert(self, back: _Reappearance, removal: FileChange) -> bool:
        repository, blobs = self._history.repository, self._blobs
        return back.commit is not None and reverts(back.commit, removal.commit, repository, blobs)

    def _is_from_archive(self, back: _Reappearance) -> bool:
        """Return True if all that came is in an archive of the file, and nothing went for it.

        The squashed merge of an older branch also takes away what it had not seen.
        """
        head, path, blobs = self._history.repository.head, self._history.path, self._blobs
        parent = next(iter(blobs.parents(back.commit)), None) if back.commit else head
        before = self._graph.blob(parent) if parent else None
        if parent is None or before is None:
            return False
        changes = compare_entries(blobs.document(before), back.version)
        name = self._graph.path_in(parent) or path
        texts = [archive.text for archive in archives_in(parent, name, blobs)]
        return not changes.removed and all(
            any(contains(text, entry) for text in texts) for entry in changes.added
        )

    def _moved_back(self, back: _Reappearance) -> bool:
        """Return True if the commit removed the heading from another file, such as an archive."""
        if back.commit is None:
            return False
        options = ("-r", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv")
        lines = self._history.repository.run("diff-tree", *options, back.commit).split(b"\n")
        known = [_words(encode(text)) for text in (back.entry.lines[0], back.entry.title)]
        return any(line[:1] == b"-" and _words(line[1:]) in known for line in lines)


def _known_day(day: str) -> str | None:
    return None if day == LATEST else day


def _words(line: bytes) -> list[bytes]:
    """Return the words of a first line, without its heading or list marker."""
    return line.lstrip(b"#-*+ ").split()


def _is_hidden(entry: Entry, version: Document) -> bool:
    """Return True if an open fence, a comment or a conflict hides an entry in a version."""
    line = entry.lines[0].rstrip()
    shown = sum(version_entry.lines[0].rstrip() == line for version_entry in version.entries)
    return sum(version_line.rstrip() == line for version_line in version.lines) > shown


# Minimum stated dates in one commit that make it an import; two may be notes of one night. Chosen
# without a measurement.
_DAYS_OF_AN_IMPORT = 3


def resurrected_entries(history: FileHistory) -> tuple[ResurrectedEntry, ...]:
    """Return the entries in the working tree that were removed; raises UntrustedHistory."""
    return tuple(Resurrections(history, all_changes(history)).of(history.document))


def history_facts(history: FileHistory) -> HistoryFacts:
    """Return the facts about the entries in the working tree; raises UntrustedHistory."""
    document, origins, changes = history.document, origins_of(history), all_changes(history)
    resurrected = resurrected_entries(history)
    dates = _DateMismatches(document, origins, changes, history.blobs)
    return HistoryFacts(origins, resurrected, dict(dates.rewritten()), frozenset(dates.imports()))


class _DateMismatches(NamedTuple):
    """Finds the reasons why a stated date differs from git's."""

    document: Document
    origins: Mapping[str, Origin]
    changes: Sequence[FileChange]
    blobs: BlobReader

    def rewritten(self) -> Iterator[tuple[str, str]]:
        """Yield the identity of each entry that states a later date than git, and its new date.

        The new date is the date of the first version with its first line.
        """
        for entry, _, late in self._mismatches():
            if late < 0:
                dates = (c.date for c in self.changes if self._has_first_line(c.blob, entry))
                first = min(dates, default=LATEST)
                if first != LATEST:
                    yield entry.identity, first

    def imports(self) -> Iterator[str]:
        """Yield the commits that brought in entries written elsewhere, days before.

        Such a commit created the file, did not change it, or its entries state several days.
        """
        by_commit = {change.commit: change for change in self.changes}
        for commit in {origin.commit for _, origin, late in self._mismatches() if late > 0}:
            change = by_commit.get(commit or "")
            if commit is not None and (change is None or self._is_import(change)):
                yield commit

    def _is_import(self, change: FileChange) -> bool:
        before = change.older_blobs
        if change.blob is None or not before or len(before) < len(change.before):
            return True
        added = self.blobs.changes(before[0], change.blob, *before[1:]).added
        return len({entry.stated[:10] for entry in added if entry.stated}) >= _DAYS_OF_AN_IMPORT

    def _mismatches(self) -> Iterator[tuple[Entry, Origin, int]]:
        for entry in self.document.entries:
            origin = self.origins.get(entry.identity)
            if entry.stated is not None and origin is not None and origin.date is not None:
                late = days_late(entry.stated, origin.date)
                if abs(late) > FAR_APART:
                    yield entry, origin, late

    def _has_first_line(self, blob: str | None, entry: Entry) -> bool:
        line = entry.lines[0].rstrip()
        return blob is not None and any(
            version_line.rstrip() == line for version_line in self.blobs.document(blob).lines
        )


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
