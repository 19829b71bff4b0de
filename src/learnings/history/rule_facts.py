"""What the rules that need git are told of a memory file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.due.ages import Origin
from learnings.core.due.rule_facts import FAR_APART, HistoryFacts, days_late
from learnings.core.entries.document import Document, Entry
from learnings.history.blobs import Blobs
from learnings.history.facts import cache_of, locate, open_for
from learnings.history.file_cache import FileHistoryCache
from learnings.history.file_changes import file_changes
from learnings.history.git import process
from learnings.history.query import HistoryQuery, Place
from learnings.history.resurrections import Resurrections
from learnings.history.versions import FileCommit

_DAYS_OF_AN_IMPORT = 3


def history_facts(query: HistoryQuery) -> HistoryFacts:
    """Return what the history of a file says about its entries as they are in the working tree.

    Raises MissingFile for a file that is not there, UntrustedHistory for a history that cannot
    answer.
    """
    repository = open_for(query)
    with Blobs(repository, query.reading) as blobs:
        place = locate(query, repository, blobs)
        try:
            return _past(query, place, blobs)
        finally:
            process.end_begun()


def _past(query: HistoryQuery, place: Place, blobs: Blobs) -> HistoryFacts:
    """Walk through the versions while git blames the newest one."""
    document = query.reading.read(place.data)
    cache = cache_of(place.repository)
    added = FileHistoryCache(query, place, blobs, cache).origins_of(document)
    found = file_changes(query, place, blobs, cache)
    returns = Resurrections(place.repository, blobs, found, min_removed=query.min_removed)
    resurrected = tuple(returns.of(document))
    origins = added.finish()
    dates = _Dates(document, origins, [each.file_commit for each in found], blobs)
    return HistoryFacts(origins, resurrected, dict(dates.rewritten()), frozenset(dates.imports()))


class _Dates(NamedTuple):
    """Looks into why a stated date is not the one that git knows."""

    document: Document
    origins: Mapping[str, Origin]
    touched: Sequence[FileCommit]
    blobs: Blobs

    def rewritten(self) -> Iterator[tuple[str, str]]:
        """Give when the first lines were written that state a date after the entry was added."""
        for entry, _, late in self._apart():
            if late < 0:
                dates = (t.date for t in self.touched if t.blob and self._stands_in(entry, t.blob))
                first = min(dates, default=None)
                if first is not None:
                    yield entry.identity, first

    def imports(self) -> Iterator[str]:
        """Give the commits that brought in what was written down elsewhere, days before.

        Those are the commits with which the file began, and those whose entries state so many
        different days. What the file does not have from a commit of its own is taken for such.
        """
        touched = {file_commit.commit: file_commit for file_commit in self.touched}
        for commit in {origin.commit for _, origin, late in self._apart() if late > 0}:
            file_commit = touched.get(commit or "")
            if commit is not None and (file_commit is None or self._is_import(file_commit)):
                yield commit

    def _is_import(self, file_commit: FileCommit) -> bool:
        before = [blob for blob in file_commit.before if blob is not None]
        if file_commit.blob is None or not before or len(before) < len(file_commit.before):
            return True
        added = self.blobs.changes(before[0], file_commit.blob, *before[1:]).added
        return len({entry.stated[:10] for entry in added if entry.stated}) >= _DAYS_OF_AN_IMPORT

    def _apart(self) -> Iterator[tuple[Entry, Origin, int]]:
        """Give the entries whose dates are too far apart, and how many days late git's is."""
        for entry in self.document.entries:
            origin = self.origins.get(entry.identity)
            if entry.stated is not None and origin is not None and origin.date is not None:
                late = days_late(entry.stated, origin.date)
                if abs(late) > FAR_APART:
                    yield entry, origin, late

    def _stands_in(self, entry: Entry, blob: str) -> bool:
        line = entry.lines[0].rstrip()
        return any(other.rstrip() == line for other in self.blobs.document(blob).lines)
