"""Entries that a consolidation removed and that came back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from learnings.core.due.rule_facts import Resurrected
from learnings.core.entries.changes import is_alike
from learnings.core.entries.document import Document, Entry
from learnings.core.text import encode
from learnings.history.blobs import Blobs
from learnings.history.file_changes import FileChange
from learnings.history.git.graph import Graph, graph_of
from learnings.history.git.repository import Repository
from learnings.history.versions import FileCommit


class _Return(NamedTuple):
    """How an entry came back: the commit, its version of the file, the entry in that.

    commit is None for the working tree. by_merge says that a parent had it still, and had not seen
    the removal.
    """

    commit: str | None
    version: Document
    entry: Entry
    by_merge: bool = False


class Resurrections:
    """Finds out which entries of a file came back after a consolidation, and how.

    takings are all commits that changed it: their paths tell under which names it was known. Those
    that took out at least min_removed entries are its consolidations.
    """

    def __init__(
        self,
        repository: Repository,
        blobs: Blobs,
        file_changes: Sequence[FileChange],
        *,
        min_removed: int,
    ) -> None:
        self._repository = repository
        self._blobs = blobs
        self._names = tuple(dict.fromkeys(each.file_commit.path for each in file_changes))
        self._removals = [each for each in file_changes if len(each.taken) >= max(1, min_removed)]

    @cached_property
    def _graph(self) -> Graph:
        """Asked for only where an entry is in the file again, which is rare."""
        return graph_of(self._repository, self._names)

    def of(self, document: Document) -> Iterator[Resurrected]:
        """Give the entries that came back, in the order of the file as it is now.

        An entry that came back in another text is a new one of the same name. Where the
        consolidation left no entry at all, only a merge brings one back: what others put back into
        an emptied file is a file restored.
        """
        taken: dict[str, list[FileChange]] = {}
        for removal in self._removals:
            for identity in removal.taken:
                if identity in document.by_identity and not self._hides(removal, identity):
                    taken.setdefault(identity, []).append(removal)
        for entry in document.entries:
            if entry.identity in taken:
                removal = self._newest(taken[entry.identity])
                yield from self._judged(entry, removal, document)

    def _judged(
        self, entry: Entry, removal: FileChange, document: Document
    ) -> Iterator[Resurrected]:
        gone = removal.entry(entry.identity, self._blobs)
        for back in self._ways_back(entry, removal.file_commit.commit, document):
            emptied = not self._blobs.document(removal.file_commit.blob or "").entries
            if not is_alike(gone, back.entry) or (emptied and not back.by_merge):
                continue
            if back.by_merge or not self._moved_back(back):
                yield self._resurrected(removal, back)
                return

    def _resurrected(self, removal: FileChange, back: _Return) -> Resurrected:
        written = {entry.identity for entry in self._came_with(removal.file_commit)}
        return Resurrected(
            back.entry.identity,
            removed_by=removal.file_commit.commit,
            removed_on=removal.file_commit.date,
            returned_by=back.commit,
            returned_on=None if back.commit is None else self._date(back.commit),
            by_merge=back.by_merge,
            beside=not written.isdisjoint(back.version.by_identity),
        )

    def _ways_back(self, entry: Entry, removal: str, document: Document) -> Iterator[_Return]:
        """Give how an entry got from its removal into HEAD or the working tree, newest first.

        That is where it is on all of the way from there to here.
        """
        tip = self._graph.tip
        if tip is None or not self._has(tip, entry):
            yield _Return(None, document, entry)
            return
        after = self._graph.after(removal)
        found: dict[str, bool] = {}
        waiting, seen = [tip], {tip}
        while waiting:
            commit = waiting.pop()
            holding = [each for each in self._graph.parents[commit] if self._has(each, entry)]
            since = [each for each in holding if each in after]
            if not since:
                found[commit] = bool(holding)
            waiting += (each for each in since if each not in seen)
            seen.update(since)
        for commit in (each for each in self._graph.parents if each in found):
            version = self._version(commit)
            if version is not None and entry.identity in version.by_identity:
                again = version.by_identity[entry.identity]
                yield _Return(commit, version, again, by_merge=found[commit])

    def _newest(self, removals: Sequence[FileChange]) -> FileChange:
        """Return the removal that no other one came after; of several the one of the last day."""
        if len(removals) == 1:
            return removals[0]
        commits = {each.file_commit.commit for each in removals}
        last = [r for r in removals if commits.isdisjoint(self._graph.after(r.file_commit.commit))]
        return max(last, key=lambda each: (each.file_commit.date, each.file_commit.commit))

    def _hides(self, removal: FileChange, identity: str) -> bool:
        entry = removal.entry(identity, self._blobs)
        return is_hidden(entry, self._blobs.document(removal.file_commit.blob or ""))

    def _has(self, commit: str, entry: Entry) -> bool:
        version = self._version(commit)
        return version is not None and (
            entry.identity in version.by_identity or is_hidden(entry, version)
        )

    def _version(self, commit: str) -> Document | None:
        """Return the file in a commit, under the newest name that it has there."""
        blobs = (self._blobs.find(commit, name) for name in self._names)
        blob = next((each for each in blobs if each is not None), None)
        return None if blob is None else self._blobs.document(blob)

    def _came_with(self, file_commit: FileCommit) -> Sequence[Entry]:
        before = [blob for blob in file_commit.before if blob is not None]
        return self._blobs.changes(before[0], file_commit.blob or "", *before[1:]).added

    def _moved_back(self, back: _Return) -> bool:
        """Say whether the commit took the heading out of another file, such as an archive."""
        if back.commit is None:
            return False
        options = ("-r", "-p", "-U0", "--no-renames", "--no-ext-diff", "--no-textconv")
        lines = self._repository.run("diff-tree", *options, back.commit).split(b"\n")
        known = [_words(encode(text)) for text in (back.entry.lines[0], back.entry.title)]
        return any(line[:1] == b"-" and _words(line[1:]) in known for line in lines)

    def _date(self, commit: str) -> str:
        return self._repository.run("log", "-1", "--format=%as", commit).decode("ascii").strip()


def _words(line: bytes) -> list[bytes]:
    """What a first line says, at whatever level of headings it says it."""
    return line.lstrip(b"#-*+ ").split()


def is_hidden(entry: Entry, version: Document) -> bool:
    """Say whether the first line of an entry stands in a version where it is no entry.

    An open fence or comment, or a conflict, hides entries that nobody removed.
    """
    line = entry.lines[0].rstrip()
    shown = sum(other.lines[0].rstrip() == line for other in version.entries)
    return sum(other.rstrip() == line for other in version.lines) > shown
