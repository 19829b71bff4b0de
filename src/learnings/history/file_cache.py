"""Origins and the last consolidation of a file, taken from the cache where that is possible."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from functools import cached_property
from typing import Any, NamedTuple

from learnings.core.due.ages import UNCOMMITTED, Consolidation, Origin
from learnings.core.entries.document import Document
from learnings.history import activity, blame
from learnings.history.blobs import BlobReader
from learnings.history.git import cached
from learnings.history.git.cache import Cache, Key
from learnings.history.git.commands import IGNORED_REVISIONS
from learnings.history.git.repository import first_parent_of
from learnings.history.ignored_revisions import IgnoredRevisions, ignored_revisions
from learnings.history.origins import Sources, origins
from learnings.history.query import FileLocation, HistoryQuery
from learnings.history.removals import decoded_consolidation, last_consolidation, removed_by
from learnings.history.versions import file_commits


class FileHistoryCache:
    """The cached facts on one file, and the search for those that are not cached.

    A value stored for an older HEAD is used where the commits since then cannot have changed it,
    and only there.
    """

    def __init__(
        self, query: HistoryQuery, location: FileLocation, blobs: BlobReader, cache: Cache
    ) -> None:
        self._query = query
        self._location = location
        self._blobs = blobs
        self._cache = cache
        self._key: Key = {
            "path": location.path,
            "reading": list(query.read_options),
        }

    def origins_of(self, document: Document) -> Origins:
        """Start finding when the entries were added; finish() of the value waits for it."""
        location = self._location
        if location.head_blob is None:
            return Origins({entry.identity: Origin(UNCOMMITTED) for entry in document.entries})
        ignored = self.ignored
        key = {**self._key, "blob": location.head_blob, "ignored": ignored.digest}
        stored = self._cache.load("origins", key, _origins) if location.rev else None
        if stored is not None and self._same_first_parent(stored[0]):
            return Origins(stored[1])
        sources = Sources(location.repository, self._blobs, self._cache, ignored, {})
        running = sources.blame(location.path, document, location.rev)
        return Origins({}, _Search(document, running, sources, location, key))

    def consolidation(self) -> Consolidation | None:
        """Return the last consolidation as of the query's date."""
        if self._location.head_blob is None:
            return None
        if self._query.as_of is None:
            stored = self._cache.load("removals", self._removals_key, _consolidation)
            if stored is not None and self._nothing_removed_since(stored[0]):
                return stored[1]
        return last_consolidation(
            self._location.repository,
            self._location.path,
            self._blobs,
            min_removed=self._query.min_removed,
            until=self._query.as_of or self._query.tomorrow,
        )

    def save_consolidation(self, consolidation: Consolidation | None) -> None:
        """Cache what consolidation() returned for HEAD."""
        if self._query.as_of is None and self._location.head_blob is not None:
            value = {"head": self._location.repository.head, "consolidation": consolidation}
            self._cache.save("removals", self._removals_key, value)

    @cached_property
    def ignored(self) -> IgnoredRevisions:
        """The commits that blame skips; raises UsageProblem for a list that cannot be read."""
        repository, configured = self._location.repository, self._query.ignore_revs_file
        tracked = configured is None and self._blobs.find(repository.head, IGNORED_REVISIONS)
        return ignored_revisions(
            repository.top, configured, self._blobs, usual_is_tracked=bool(tracked)
        )

    @property
    def _removals_key(self) -> Key:
        return {**self._key, "min_removed": self._query.min_removed}

    def _same_first_parent(self, old_head: str) -> bool:
        """Return True if no commit along the first parents since an older HEAD changed the file.

        Blame passes every line of an unchanged file on to the first parent, so it names the same
        commits.
        """
        repository = self._location.repository
        if old_head == repository.head:
            return True
        since = f"{old_head}..{repository.head}"
        arguments = ["rev-list", "--first-parent", "-1", since, "--", self._location.path]
        return first_parent_of(repository, old_head) and not repository.run(*arguments)

    def _nothing_removed_since(self, old_head: str) -> bool:
        """Return True if no commit since an older HEAD can be a consolidation."""
        repository, path = self._location.repository, self._location.path
        if old_head == repository.head:
            return True
        if not activity.all_reachable(repository, (old_head,), (repository.head,)):
            return False
        since = f"{old_head}..{repository.head}"
        with closing(file_commits(repository, path, self._blobs, rev=since)) as walk:
            return not any(
                file_commit.path != path
                or None in file_commit.before
                or removed_by(file_commit, self._blobs)
                for file_commit in walk
            )


def _origins(value: Any) -> tuple[str, dict[str, Origin]]:  # noqa: ANN401  (any JSON)
    return cached.object_id(value["head"]), cached.mapping_of(_origin, value["origins"])


def _origin(value: Any) -> Origin:  # noqa: ANN401  (any JSON)
    words = cached.optional(cached.text)
    return Origin(*cached.row(value, cached.text, words, cached.optional(cached.object_id), words))


def _consolidation(value: Any) -> tuple[str, Consolidation | None]:  # noqa: ANN401  (any JSON)
    fields = value["consolidation"]
    return cached.object_id(value["head"]), None if fields is None else decoded_consolidation(
        fields
    )


class _Search(NamedTuple):
    """A running blame with what is needed to make origins of it."""

    document: Document
    running: blame.Blame
    sources: Sources
    location: FileLocation
    key: Key

    def finish(self) -> dict[str, Origin]:
        blobs, location = self.sources.blobs, self.location
        head_document = None
        if location.rev is None and location.head_blob is not None:
            head_document = blobs.document(location.head_blob)
        lines = self.running.finish(self.sources.cache, self.sources.look_ahead)
        entry_origins = origins(
            self.document, lines, self.sources, head_document=head_document, path=location.path
        )
        if location.rev:
            value = {"head": location.repository.head, "origins": entry_origins}
            self.sources.cache.save("origins", self.key, value)
        return entry_origins


class Origins(NamedTuple):
    """The origins of entries by identity: known already, or being searched for."""

    known: Mapping[str, Origin]
    search: _Search | None = None

    def finish(self) -> Mapping[str, Origin]:
        """Wait for the origins and return them; raises UntrustedHistory."""
        return self.known if self.search is None else self.search.finish()
