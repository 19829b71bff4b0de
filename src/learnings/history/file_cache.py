"""Origins and the last consolidation of a file, taken from the cache where that is possible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from learnings.core.due.ages import Consolidation, Origin
from learnings.core.entries.document import Document, read
from learnings.history import activity
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Key
from learnings.history.known import KnownOrigins, decoded_consolidation, decoded_origins


class FileHistoryCache:
    """The cached facts on one file, and the search for those that are not cached.

    A value stored for an older HEAD is used where the commits since then cannot have changed it,
    and only there.
    """

    def __init__(self, history: FileHistory) -> None:
        self._history = history
        self._location = history.location
        self._cache = history.cache

    def origins_of(self, document: Document) -> Mapping[str, Origin]:
        """Return when the entries of the file were added, by identity; raises UntrustedHistory."""
        location = self._location
        ignored = self._history.ignored
        key = {**self._history.key, "ignored": ignored.digest}
        known = self._cache.load("origins", key, decoded_origins)
        if known is not None and not self._is_older(known.head):
            known = None
        if known is not None and location.rev and known.head == location.repository.head:
            return known.origins
        from learnings.history.origins import origins_of  # noqa: PLC0415  (where HEAD has moved on)

        head_document = document
        if location.rev is None:
            head_blob = location.head_blob
            head_document = self._history.blobs.document(head_blob) if head_blob else read(b"")
        origins = origins_of(
            document,
            self._history,
            head_document=head_document,
            ignored=ignored.commits,
            known=known,
        )
        if location.rev and location.head_blob:
            value = KnownOrigins(location.repository.head, location.head_blob, origins)
            self._cache.save("origins", key, value)
        return origins

    def consolidation(self) -> Consolidation | None:
        """Return the last consolidation as of the query's date."""
        if self._location.head_blob is None:
            return None
        if self._history.query.as_of is None:
            stored = self._cache.load("removals", self._removals_key, _consolidation)
            if stored is not None and self._nothing_removed_since(stored[0]):
                return stored[1]
        from learnings.history.removals import last_consolidation  # noqa: PLC0415  (as above)

        return last_consolidation(
            self._history,
            min_removed=self._history.query.min_removed,
            until=self._history.query.as_of or self._history.query.tomorrow,
        )

    def save_consolidation(self, consolidation: Consolidation | None) -> None:
        """Cache what consolidation() returned for HEAD."""
        if self._history.query.as_of is None and self._location.head_blob is not None:
            value = {"head": self._location.repository.head, "consolidation": consolidation}
            self._cache.save("removals", self._removals_key, value)

    @property
    def _removals_key(self) -> Key:
        return {**self._history.key, "min_removed": self._history.query.min_removed}

    def _is_older(self, head: str) -> bool:
        """Return True if HEAD has all commits of another head."""
        repository = self._location.repository
        return activity.all_reachable(repository, (head,), (repository.head,))

    def _nothing_removed_since(self, old_head: str) -> bool:
        """Return True if no commit since an older HEAD can be a consolidation."""
        repository = self._location.repository
        if old_head == repository.head:
            return True
        if not self._is_older(old_head):
            return False
        return bool(self._history.unless_renamed(lambda: self._only_keeps_entries(old_head)))

    def _only_keeps_entries(self, since: str) -> bool:
        from learnings.history.removals import removed_by  # noqa: PLC0415  (where HEAD has moved on)
        from learnings.history.versions import file_commits  # noqa: PLC0415  (as above)

        graph = self._history.graph(since=since)
        return not any(
            graph.path_in(file_commit.commit) != graph.path
            or not graph.is_in_parents(file_commit.commit)
            or removed_by(file_commit, graph, self._history.blobs)
            for file_commit in file_commits(graph)
        )


def _consolidation(value: Any) -> tuple[str, Consolidation | None]:  # noqa: ANN401  (any JSON)
    fields = value["consolidation"]
    return cached.object_id(value["head"]), None if fields is None else decoded_consolidation(
        fields
    )
