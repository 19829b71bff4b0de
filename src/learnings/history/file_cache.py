"""Origins and the last consolidation of a file, searched only where no earlier run did."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from typing import Any, NamedTuple

from learnings.core.due.ages import UNCOMMITTED, Consolidation, Origin
from learnings.core.entries.document import Document
from learnings.history import activity, blame
from learnings.history.blobs import Blobs
from learnings.history.git.cache import Cache, Key
from learnings.history.git.commands import IGNORED_REVISIONS
from learnings.history.git.repository import first_parent_of
from learnings.history.origins import Sources, origins
from learnings.history.query import HistoryQuery, Place
from learnings.history.removals import last_consolidation, removed_by
from learnings.history.versions import file_commits


class FileHistoryCache:
    """What is known of one file, and what has to be asked anew.

    An answer stored for an older HEAD is used where the commits since then cannot have changed
    it, and only there.
    """

    def __init__(self, query: HistoryQuery, place: Place, blobs: Blobs, cache: Cache) -> None:
        self._question = query
        self._place = place
        self._blobs = blobs
        self._cache = cache
        reading = query.reading
        self._key: Key = {
            "path": place.path,
            "reading": [reading.dialect, reading.entry_level, reading.preamble_lines],
        }

    def origins_of(self, document: Document) -> Origins:
        """Start asking when the entries were added; the answer's finish() waits for it."""
        place = self._place
        if place.head_blob is None:
            return Origins({entry.identity: Origin(UNCOMMITTED) for entry in document.entries})
        ignored = self._ignored_revisions()
        key = {**self._key, "blob": place.head_blob, "ignored": ignored.digest}
        stored = self._cache.load("origins", key, _origins) if place.rev else None
        if stored is not None and self._same_first_parent(stored[0]):
            return Origins(stored[1])
        sources = Sources(place.repository, self._blobs, self._cache, ignored, {})
        running = sources.blame(place.path, document, place.rev)
        return Origins({}, _Search(document, running, sources, place, key))

    def consolidation(self) -> Consolidation | None:
        """Return the last consolidation as of the date asked for."""
        if self._place.head_blob is None:
            return None
        if self._question.as_of is None:
            stored = self._cache.load("removals", self._removals_key, _consolidation)
            if stored is not None and self._nothing_removed_since(stored[0]):
                return stored[1]
        return last_consolidation(
            self._place.repository,
            self._place.path,
            self._blobs,
            min_removed=self._question.min_removed,
            until=self._question.as_of or self._question.tomorrow,
        )

    def save_consolidation(self, found: Consolidation | None) -> None:
        """Remember what consolidation() found for HEAD."""
        if self._question.as_of is None and self._place.head_blob is not None:
            value = {
                "head": self._place.repository.head,
                "found": found,
            }
            self._cache.save("removals", self._removals_key, value)

    def _ignored_revisions(self) -> blame.IgnoredRevisions:
        repository, configured = self._place.repository, self._question.ignore_revs_file
        tracked = configured is None and self._blobs.find(repository.head, IGNORED_REVISIONS)
        return blame.ignored_revisions(repository.top, configured, usual_is_tracked=bool(tracked))

    @property
    def _removals_key(self) -> Key:
        return {**self._key, "min_removed": self._question.min_removed}

    def _same_first_parent(self, old_head: str) -> bool:
        """Say whether the file is untouched on the first parents from HEAD to an older HEAD.

        Blame hands every line of an unchanged file to the first parent, so its answer is the same.
        """
        repository = self._place.repository
        if old_head == repository.head:
            return True
        since = f"{old_head}..{repository.head}"
        arguments = ["rev-list", "--first-parent", "-1", since, "--", self._place.path]
        return first_parent_of(repository, old_head) and not repository.run(*arguments)

    def _nothing_removed_since(self, old_head: str) -> bool:
        """Say whether no commit since then can be another last consolidation."""
        repository, path = self._place.repository, self._place.path
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


def _origins(value: Any) -> tuple[str, dict[str, Origin]]:  # noqa: ANN401  (a file's content)
    return str(value["head"]), {name: Origin(*o) for name, o in value["origins"].items()}


def _consolidation(value: Any) -> tuple[str, Consolidation | None]:  # noqa: ANN401  (the same)
    found = value["found"]
    return str(value["head"]), None if found is None else Consolidation(*found)


class _Search(NamedTuple):
    """A running blame with what it takes to make origins of it."""

    document: Document
    running: blame.Blame
    sources: Sources
    place: Place
    key: Key

    def finish(self) -> dict[str, Origin]:
        blobs, place = self.sources.blobs, self.place
        head_document = None
        if place.rev is None and place.head_blob is not None:
            head_document = blobs.document(place.head_blob)
        lines = self.running.finish(self.sources.cache, self.sources.look_ahead)
        found = origins(
            self.document, lines, self.sources, head_document=head_document, path=place.path
        )
        if place.rev:
            value = {
                "head": place.repository.head,
                "origins": found,
            }
            self.sources.cache.save("origins", self.key, value)
        return found


class Origins(NamedTuple):
    """The origins of entries by identity: known already, or being searched."""

    known: Mapping[str, Origin]
    search: _Search | None = None

    def finish(self) -> Mapping[str, Origin]:
        """Wait for the answer; raises UntrustedHistory."""
        return self.known if self.search is None else self.search.finish()
