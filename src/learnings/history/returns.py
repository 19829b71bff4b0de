"""What took a removal back: entries that are in a file again, and commits that revert another.

An entry came back if a commit has it, no parent has it, and an ancestor removed one with the same
title and nearly the same text. Only a title that was removed from the file is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from learnings.core.entries.document import Entry
from learnings.core.entries.entry_changes import comparable_line, is_alike
from learnings.core.entries.titles import TWIN_NUMBER
from learnings.core.entries.versions import first_line
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode, encode
from learnings.history.activity import all_reachable
from learnings.history.blobs import WORK_TREE, BlobReader
from learnings.history.file_changes import FileChange, removed_since
from learnings.history.file_graph import FileGraph, GraphCommit

# The marks before a title, and the first bytes of invisible characters.
_MARKS = b"#-*+| \xef\xbb\xbf\xe2\x80\x8b\x81\xa0\xc2\xad"
# Words from which two texts under one title are the same although some differ: shorter ones, such
# as "Run make build.", are similar by chance. Chosen, as for the pairs of two versions.
_ENOUGH_WORDS = 12


def title_sum(line: bytes) -> int:
    """Return a number that first lines of one entry share at any level."""
    return crc32(first_line(line).strip(_MARKS).lower())


class Removal(NamedTuple):
    """A commit that removed an entry, and the entry in one of its parents."""

    commit: GraphCommit
    parent: str
    entry: Entry


class Returns:
    """Finds the removals before entries that came back to the file of a graph."""

    def __init__(self, graph: FileGraph) -> None:
        self._graph, blobs = graph, graph.blobs
        self.removed: dict[int, list[GraphCommit]] = {}
        """The commits after which a line was gone, newest first, by title_sum()."""
        changes = [
            (commit, before, graph.blob(commit.commit))
            for commit in graph
            if commit.touches
            for before in filter(None, graph.blobs_before(commit))
        ]
        blobs.prefetch(blob for change in changes for blob in change[1:] if blob)
        for commit, before, blob in changes:
            for line in blobs.version_change(before, blob).gone if before != blob else ():
                commits = self.removed.setdefault(title_sum(line), [])
                if commit not in commits[-1:]:
                    commits.append(commit)

    def before(self, commit: str, entry: Entry) -> list[Removal]:
        """Return the last removals of an entry that a commit, or the working tree, has again."""
        commits = self.removed.get(title_sum(encode(entry.lines[0])), ())
        found = [
            removal
            for removed_by in commits
            if commit == WORK_TREE or commit in self._graph.descendants(removed_by.commit)
            for removal in self._removals(removed_by, entry)
        ]
        last = self._graph.last_of({removal.commit.commit for removal in found})
        return [removal for removal in found if removal.commit.commit in last]

    def _removals(self, commit: GraphCommit, entry: Entry) -> Iterator[Removal]:
        for parent in commit.parents:
            for removed in removed_since(parent, commit, self._graph).values():
                older = removed.entry(self._graph.blobs)
                if _name(older) == _name(entry) and is_same(older, entry):
                    yield Removal(commit, parent, older)


def _name(entry: Entry) -> str:
    return comparable_line(TWIN_NUMBER.sub("", entry.identity)).letters


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
