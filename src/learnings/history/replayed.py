"""What reports at the ends of days rest on, from one reading of the history of their file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from learnings.core.due.ages import Activity, Consolidation, History, Origin
from learnings.core.due.forecast import Version
from learnings.core.due.replay import DailyVerdict
from learnings.core.entries.document import Document, excess_of, read
from learnings.history.daily_snapshots import DailySnapshot
from learnings.history.facts import notes_of, origins_until
from learnings.history.file_history import FileHistory
from learnings.history.git import cached
from learnings.history.git.cache import Key
from learnings.history.git.repository import synthetic_merge
from learnings.history.origins import origins_at


class ReplayedDays(NamedTuple):
    """The verdicts at the ends of days, ascending, and notes on the history that they rest on."""

    verdicts: tuple[DailyVerdict, ...]
    notes: tuple[str, ...] = ()


class ReplayedHistory:
    """The reports on one file as they were, each version followed back to the one before it.

    consolidations are those of the file, in git's default order.
    """

    def __init__(self, history: FileHistory, consolidations: Sequence[Consolidation]) -> None:
        self._query = history.query
        self._history = history
        self._consolidations = consolidations
        self._ignored = history.ignored
        self._cache = history.cache
        self._known: dict[str, Mapping[str, Origin]] = {}

    def load_days(self, judged_by: Sequence[object]) -> ReplayedDays | None:
        """Return what save_days() stored for the same history and settings, None for nothing."""
        return self._cache.load("replay", self._key(judged_by), _decoded)

    def save_days(self, judged_by: Sequence[object], days: ReplayedDays) -> None:
        """Store the verdicts of the days; judged_by are settings that they depend on."""
        self._cache.save("replay", self._key(judged_by), days)

    def _key(self, judged_by: Sequence[object]) -> Key:
        query = self._query
        return {
            **self._history.key,
            "head": self._history.repository.head,
            "min_removed": query.min_removed,
            "until": [query.as_of, query.tomorrow],
            "ignored": [self._ignored.digest, *query.ignore_authors],
            "judged_by": list(judged_by),
        }

    def at(
        self, version: Version, snapshot: DailySnapshot, *, as_of: str | None = None
    ) -> tuple[Document, History] | None:
        """Return the text of a version and its history; None where the branch had deleted the file.

        Versions have to be asked for in the order in which the branch got them. as_of leaves out
        what was authored later.
        """
        repository, blobs = self._history.repository, self._history.blobs
        blob = blobs.find(version.commit, version.path)
        data = b"" if blob is None else blobs.data(blob)
        if blob is None or excess_of(data):
            return None
        document = read(data, self._query.read_options, version=True)
        if version.commit not in self._known:
            commits = self._ignored.commits
            self._known[version.commit] = origins_at(
                document, self._history, version.commit, ignored=commits, known=self._known
            )
        active = Activity(snapshot.days)
        origins = self._known[version.commit]
        synthetic = synthetic_merge(repository) if snapshot.head == repository.head else False
        notes = notes_of(self._history, active, synthetic=synthetic)
        return document, History(
            head=snapshot.head,
            shallow=repository.shallow,
            activity=active,
            origins=origins_until(origins, as_of) if as_of else origins,
            consolidation=self._last_consolidation(snapshot, as_of or self._query.tomorrow),
            notes=(*notes, *self._ignored.notes),
        )

    def _last_consolidation(self, snapshot: DailySnapshot, until: str) -> Consolidation | None:
        reached = snapshot.reached
        last = (c for c in self._consolidations if c.commit in reached and c.date <= until)
        return next(last, None)


def _decoded(value: Any) -> ReplayedDays:  # noqa: ANN401  (any JSON)
    notes = partial(cached.list_of, cached.text)
    return ReplayedDays(*cached.row(value, partial(cached.list_of, _daily_verdict), notes))


def _daily_verdict(value: Any) -> DailyVerdict:  # noqa: ANN401  (any JSON)
    number = cached.whole_number
    words = cached.text, cached.object_id, cached.text, cached.truth
    return DailyVerdict(*cached.row(value, *words, number, cached.optional(number), number, number))
