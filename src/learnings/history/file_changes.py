"""The commits that changed a file, with the entries that each of them removed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.entries.entry_changes import (
    ComparableLine,
    comparable_line,
    hidden_entries,
    hidden_starts,
)
from learnings.history.blobs import BlobReader
from learnings.history.file_graph import FileGraph, GraphCommit


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
    for commit in (commit for commit in graph if commit.touches):
        blob, before = graph.blob(commit.commit), graph.blobs_before(commit)
        if blob not in before:
            path = graph.path_in(commit.commit) or graph.path
            removed = _removed(commit, graph)
            yield FileChange(commit.commit, commit.date, path, blob, before, removed)


def _removed(commit: GraphCommit, graph: FileGraph) -> tuple[Removed, ...]:
    if graph.blob(commit.commit) is None:
        return ()
    parts = [
        removed_since(parent, commit, graph)
        for parent in commit.parents
        if graph.blob(parent) is not None
    ]
    first = parts[0] if parts else {}
    removed = tuple(first[name] for name in first if all(name in part for part in parts))
    return removed if removed and graph.is_in_parents(commit) else ()


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
    """Return the entry that an ancestor with a line hid, seen from a version that has the line."""
    blobs, names, known, read = graph.blobs, [commit], {commit}, 0
    for name in names:  # it grows by the parents that hide the line, too
        row, newer = graph.commit(name), graph.blob(name)
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
