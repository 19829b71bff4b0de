"""The facts from git that rules need on a memory file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.core.due.ages import LATEST, Origin
from learnings.core.due.history_facts import FAR_APART, HistoryFacts, days_late
from learnings.core.entries.document import Document, Entry
from learnings.history.blobs import BlobReader
from learnings.history.file_cache import origins_of
from learnings.history.file_changes import FileChange, all_changes
from learnings.history.file_history import FileHistory
from learnings.history.resurrections import Resurrections

# From so many stated dates in one commit on it is an import; two may be notes of one night.
# Chosen without a measurement.
_DAYS_OF_AN_IMPORT = 3


def history_facts(history: FileHistory) -> HistoryFacts:
    """Return what the history of a file says about its entries as they are in the working tree.

    Raises UntrustedHistory for a history that cannot answer.
    """
    document, origins, changes = history.document, origins_of(history), all_changes(history)
    resurrected = tuple(Resurrections(history, changes).of(document))
    dates = _Dates(document, origins, changes, history.blobs)
    return HistoryFacts(origins, resurrected, dict(dates.rewritten()), frozenset(dates.imports()))


class _Dates(NamedTuple):
    """Finds out why a stated date is not the one in git."""

    document: Document
    origins: Mapping[str, Origin]
    changes: Sequence[FileChange]
    blobs: BlobReader

    def rewritten(self) -> Iterator[tuple[str, str]]:
        """Yield the entries that state a later date than git gives, and when they began to.

        That is their identity, and the date of the first version with their first line.
        """
        for entry, _, late in self._mismatches():
            if late < 0:
                dates = (c.date for c in self.changes if self._has_first_line(c.blob, entry))
                first = min(dates, default=LATEST)
                if first != LATEST:
                    yield entry.identity, first

    def imports(self) -> Iterator[str]:
        """Yield the commits that brought in entries written down elsewhere, days before.

        Those are the commits that created the file, those whose entries state several different
        days, and commits that did not change the file itself.
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
        """Yield the entries whose dates are too far apart, and by how many days git's is later."""
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
