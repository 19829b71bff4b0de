"""Entries that left a file: the commits that removed them, consolidations, and what came back.

An entry came back if a commit has it, no parent has it, and an ancestor removed one with the same
title and nearly the same text. Only a title that was removed from the file is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from learnings.core import file_names
from learnings.core.due.ages import LATEST, Consolidation
from learnings.core.entries import archives
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.entry_changes import (
    ComparableLine,
    comparable_line,
    compare_entries,
    hidden_entries,
    hidden_starts,
    is_alike,
)
from learnings.core.entries.titles import TWIN_NUMBER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode
from learnings.history.blobs import WORK_TREE, BlobReader
from learnings.history.file_graph import FileGraph, GraphCommit, title_sum
from learnings.history.file_history import FileHistory
from learnings.history.git.repository import all_reachable
from learnings.history.git.work_tree import readable_files


class Removed(NamedTuple):
    """An entry that a commit removed, and the version (blob) that last showed it as an entry."""

    identity: str
    blob: str

    def entry(self, blobs: BlobReader) -> Entry:
        """Return the entry as it was."""
        return blobs.document(self.blob).by_identity[self.identity]


class FileChange(NamedTuple):
    """A commit that changed a file; a merge counts if it differs from every parent.

    date is the author's ISO day or LATEST. blob is the file after the commit, `before` the file in
    each parent in the graph; None means no file. removed has the entries that every parent has and
    the commit lacks.
    """

    commit: str
    date: str
    path: str
    blob: str | None
    before: tuple[str | None, ...]
    removed: tuple[Removed, ...] = ()

    @property
    def older_blobs(self) -> list[str]:
        """The blobs of the file in the parents that have it."""
        return [blob for blob in self.before if blob is not None]

    def entries(self, blobs: BlobReader) -> tuple[Entry, ...]:
        """Return the removed entries as they were before the commit."""
        return tuple(removed.entry(blobs) for removed in self.removed)


def changes_in(graph: FileGraph) -> Iterator[FileChange]:
    """Yield the commits of a graph that changed its file, in git's default order.

    Rewording, moving or hiding entries removes nothing, and neither does deleting or renaming the
    file. A removal on a branch counts once, not again in the merge.
    """
    for commit in graph.commits.values():
        path, blob = graph.file_in(commit.commit)
        before = graph.blobs_before(commit)
        if not commit.touches or blob in before:
            continue
        removed: tuple[Removed, ...] = ()
        if blob is not None and any(before):
            holding = [parent for parent in commit.parents if graph.blob(parent)]
            first, *others = (removed_since(parent, commit, graph) for parent in holding)
            removed = tuple(first[name] for name in first if all(name in part for part in others))
            removed = removed if removed and graph.is_in_parents(commit) else ()
        yield FileChange(commit.commit, commit.date, path or graph.path, blob, before, removed)


def all_changes(history: FileHistory) -> tuple[FileChange, ...]:
    """Return all commits that changed a file, the newest first; empty if HEAD has no such file.

    Raises UntrustedHistory.
    """
    if history.head_blob is None:
        return ()

    def decode_changes(value: list[Any]) -> tuple[FileChange, ...]:
        return tuple(
            FileChange(name, day, path, blob, tuple(before), tuple(Removed(*r) for r in removed))
            for name, day, path, blob, before, removed in value
        )

    def read(graph: FileGraph, known: tuple[FileChange, ...] | None) -> tuple[FileChange, ...]:
        return (*changes_in(graph), *(known or ()))

    return history.answer("file-changes", decode_changes, read)


def removed_since(parent: str, commit: GraphCommit, graph: FileGraph) -> dict[str, Removed]:
    """Return the entries, by identity, that a commit removed relative to a parent with the file.

    An entry that was hidden before is removed when its line goes.
    """
    blobs, older, blob = graph.blobs, graph.blob(parent), graph.blob(commit.commit)
    if older is None or older == blob or blobs.version_change(older, blob).keeps_entries:
        return {}
    removed, later = blobs.document(older).entries, None
    if blob is not None:
        others = [b for name in commit.parents if name != parent and (b := graph.blob(name))]
        removed, later = blobs.changes(older, blob, *others).removed, blobs.document(blob)
    found = {entry.identity: Removed(entry.identity, older) for entry in removed}
    gone = blobs.version_change(older, blob).gone
    for line in hidden_starts(gone, blobs.document(older), later):
        hidden = _hidden_entry(line, parent, graph.whole)
        if hidden is not None:
            found.setdefault(hidden.identity, hidden)
    return found


# Versions in which a line is a heading or an item to read for one in which it was an entry. Chosen:
# most such lines are subheadings and were never an entry.
_MOST_READ = 64


def _hidden_entry(line: ComparableLine, commit: str, graph: FileGraph) -> Removed | None:
    """Return the entry that a line began before an ancestor of a commit hid it."""
    blobs, names, known, read = graph.blobs, [commit], {commit}, 0
    for name in names:  # it grows by the parents that hide the line, too
        row, newer = graph.commits.get(name), graph.blob(name)
        for parent in row.parents if row else ():
            blob = graph.blob(parent)
            if blob is None or newer is None or parent in known:
                continue
            version = blobs.counted(blob)
            if blob != newer and version.may_show(line):
                older, read = blobs.document(blob), read + 1
                shown = [e for e in older.entries if comparable_line(e.lines[0]) == line]
                if shown:
                    hidden = next(hidden_entries(shown, older, blobs.document(newer)), None)
                    if hidden is not None:
                        return Removed(hidden.identity, blob)
                    continue
            if read < _MOST_READ and version.has(line):
                known.add(parent)
                names.append(parent)
    return None


def find_last_consolidation(history: FileHistory, latest: str) -> tuple[str, Consolidation | None]:
    """Return the first day of a change after `latest`, and the newest consolidation until then.

    The day is LATEST if there is no such change. Raises UntrustedHistory.
    """
    in_force = (one for _, one in judged(history, latest) if one and one.ended is None)
    days = (commit.date for commit in history.graph().commits.values())
    return min((day for day in days if day > latest), default=LATEST), next(in_force, None)


def judged(
    history: FileHistory, latest: str = LATEST
) -> Iterator[tuple[FileChange, Consolidation | None]]:
    """Yield the changes up to a day, newest first, with what they are if they consolidate.

    A commit consolidates if it removed enough entries or archived a group. Raises UntrustedHistory.
    """
    newer: list[FileChange] = []
    for change in changes_in(history.graph()):
        if change.date > latest:
            continue
        count, consolidation = len(change.removed), None
        is_large = count >= history.query.min_removed
        if count and (is_large or _archives_group(change, history.blobs)):
            ended = reverted_on(change, newer, history.blobs)
            consolidation = Consolidation(change.commit, change.date, count, ended)
        yield change, consolidation
        newer.append(change)


def _archives_group(change: FileChange, blobs: BlobReader) -> bool:
    after = _archive_blobs(change.commit, change.path, blobs)
    parents = blobs.parents(change.commit)
    before = set().union(*(_archive_blobs(parent, change.path, blobs) for parent in parents))
    if after <= before:
        return False
    _, grouped = archives.put_into(
        change.entries(blobs),
        after=[archives.read_archive(blobs.version(blob)) for blob in after - before],
        before=[archives.read_archive(blobs.version(blob)) for blob in before],
    )
    return bool(grouped)


def _archive_blobs(commit: str, path: str, blobs: BlobReader) -> set[str]:
    files = blobs.files_in(commit, file_names.archive_folder(path))
    return {blob for name, blob in files.items() if file_names.is_archive_name(name, path)}


def archives_in(commit: str, path: str, blobs: BlobReader) -> list[archives.Archive]:
    """Return the archives of a file in a commit."""
    found = sorted(_archive_blobs(commit, path, blobs))
    return [archives.read_archive(blobs.version(blob)) for blob in found]


def uncommitted_consolidation(
    history: FileHistory, document: Document, *, as_of: str | None
) -> Consolidation | None:
    """Return the consolidation in the working tree, dated today, or None.

    Only entries moved to an archive count: somebody may still be writing the rest.
    """
    query, blobs = history.query, history.blobs
    if history.rev is not None or history.head_blob is None or query.today is None:
        return None
    removed = compare_entries(blobs.document(history.head_blob), document).removed
    folder = file_names.archive_folder(history.path)
    is_own = partial(file_names.is_archive_name, learnings_file=history.path)
    on_disk = readable_files(history.repository.top, folder, is_own) if removed else {}
    if not on_disk:
        return None
    archived, grouped = archives.put_into(
        removed,
        after=[archives.read_archive(data) for data in on_disk.values()],
        before=archives_in(history.repository.head, history.path, blobs),
    )
    if grouped or len(archived) >= query.min_removed:
        return Consolidation(None, max(query.today, as_of or ""), len(archived))
    return None


def removals_of(
    history: FileHistory, *, since_beginning: bool
) -> tuple[list[FileChange], list[Consolidation]]:
    """Return the commits that removed entries, and the consolidations among them, newest first.

    They are those after the last consolidation in force, or all; raises UntrustedHistory.
    """
    changes: list[FileChange] = []
    consolidations: list[Consolidation] = []
    for change, consolidation in judged(history):
        if consolidation is not None:
            if not since_beginning and consolidation.ended is None:
                break
            consolidations.append(consolidation)
        if change.removed:
            changes.append(change)
    return changes, consolidations


class Removal(NamedTuple):
    """A commit that removed an entry, and the entry in one of its parents."""

    commit: GraphCommit
    parent: str
    entry: Entry


def last_removals(graph: FileGraph, commit: str, entry: Entry) -> list[Removal]:
    """Return the last removals of an entry that a commit, or the working tree, has again."""
    name = _name(entry)
    found = [
        Removal(removing, parent, older)
        for removing in graph.gone.get(title_sum(entry.lines[0]), ())
        if commit == WORK_TREE or commit in graph.descendants(removing.commit)
        for parent in removing.parents
        for removed in removed_since(parent, removing, graph).values()
        for older in [removed.entry(graph.blobs)]
        if _name(older) == name and is_same(older, entry)
    ]
    last = graph.last_of({removal.commit.commit for removal in found})
    return [removal for removal in found if removal.commit.commit in last]


def _name(entry: Entry) -> str:
    return comparable_line(TWIN_NUMBER.sub("", entry.identity)).letters


# Words from which two texts under one title are the same although some differ: shorter ones, such
# as "Run make build.", are similar by chance. Chosen, as for the pairs of two versions.
_ENOUGH_WORDS = 12


def is_same(old: Entry, new: Entry) -> bool:
    """Return True if the texts of two entries with one title are the same, or nearly so."""
    words, others = (comparable_line(entry.body).letters for entry in (old, new))
    return words == others or (
        min(len(old.body.split()), len(new.body.split())) >= _ENOUGH_WORDS and is_alike(old, new)
    )


# `This reverts commit 1a2b3c4…` of `git revert`, and shorter forms of other tools.
_REVERTED = lazy_pattern(r"\brevert(?:s|ed)?\s+(?:commit\s+)?([0-9a-f]{7,64})\b")
# The subject of `git revert`, to which a server may append the number of a pull request.
_REVERT = lazy_pattern(r'Revert "(.*)"(?: \(#\d+\))?')


def reverts(commit: str, reverted: str, blobs: BlobReader) -> bool:
    """Return True if the message of a commit says that it reverts another, or the merge of it.

    What the commit changed does not say so: the squashed merge of an older branch can bring back
    the same entries.
    """
    message = _message(commit, blobs)
    named = [*filter(None, map(blobs.commit_of, _REVERTED.findall(message.casefold())))]
    if not named:  # the commit was rebased since, or a server named a pull request
        subject = _REVERT.fullmatch(message.partition("\n")[0])
        return subject is not None and subject[1] == _message(reverted, blobs).partition("\n")[0]
    return reverted in named or any(
        len(parents) > 1
        and all_reachable(blobs.repository, (reverted,), (merge,))
        and not all_reachable(blobs.repository, (reverted,), parents[:1])
        for merge in named
        for parents in [blobs.parents(merge)]
    )


def reverted_on(change: FileChange, newer: Sequence[FileChange], blobs: BlobReader) -> str | None:
    """Return the day of a later commit that reverted a change, unless that was reverted in turn.

    newer are the later changes of the file, the newest first.
    """
    blobs.prefetch(later.commit for later in newer)
    standing: list[FileChange] = []
    for later in newer:
        if may_revert(later, blobs) and not any(
            reverts(other.commit, later.commit, blobs) for other in standing
        ):
            standing.append(later)
    days = (
        later.date
        for later in standing
        if later.blob is not None
        and reverts(later.commit, change.commit, blobs)
        and any(name in blobs.document(later.blob).by_identity for name, _ in change.removed)
    )
    return min(days, default=None)


def may_revert(change: FileChange, blobs: BlobReader) -> bool:
    """Return True if the message of a commit speaks of a revert."""
    return "revert" in _message(change.commit, blobs).casefold()


def _message(commit: str, blobs: BlobReader) -> str:
    return decode(blobs.data(commit)).partition("\n\n")[2]
