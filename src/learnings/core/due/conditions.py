"""The situation of a file, and the conditions of a verdict, each beside its threshold."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.due.ages import (
    LATEST,
    Activity,
    AgeReport,
    Consolidation,
    Dated,
    EntryAge,
    newest_first,
)
from learnings.core.settings.setting_values import FileSettings


class FileContents(NamedTuple):
    """The lines of a text, the identities of its entries, and the dates on which they were added.

    added and recent are ISO text, ascending; entries whose date is unknown are left out, and those
    that are not committed have LATEST. recent belongs to the newest `keep-recent` entries.
    """

    lines: int
    identities: frozenset[str]
    added: tuple[str, ...]
    recent: tuple[str, ...]

    @property
    def committed(self) -> tuple[str, ...]:
        """The dates of the entries that are committed."""
        return self.added[: bisect_left(self.added, LATEST)]


def contents_of(lines: int, entries: Sequence[Dated], *, keep_recent: int) -> FileContents:
    """Return what counts of a text with a number of lines and these entries, in file order."""
    identities = frozenset(dated.entry.identity for dated in entries)
    recent = newest_first(entries)[:keep_recent]
    return FileContents(lines, identities, _ascending_dates(entries), _ascending_dates(recent))


def _ascending_dates(entries: Sequence[Dated]) -> tuple[str, ...]:
    return tuple(sorted(dated.origin.moment for dated in entries if dated.origin.moment))


class Situation(NamedTuple):
    """The contents of a file at the end of the newest active day, and its last consolidation."""

    contents: FileContents
    activity: Activity
    consolidation: Consolidation | None

    @property
    def counting_from(self) -> str | None:
        """The day staleness counts from: the last consolidation, else the oldest entry."""
        last = self.consolidation
        return last.date if last is not None else next(iter(self.contents.added), None)

    def count_fresh(self, dates: Sequence[str], freshness: int) -> int:
        """Return how many of ascending dates are at least `freshness` active days ago."""
        return bisect_left(dates, self.activity.before_last(freshness))


def situation_of(report: AgeReport, *, keep_recent: int) -> Situation:
    """Return the situation that a report is about."""
    contents = contents_of(report.lines, report.entries, keep_recent=keep_recent)
    return Situation(contents, report.history.activity, report.history.consolidation)


SIZE, STALENESS, BATCH = "size", "staleness", "batch"


class Condition(NamedTuple):
    """One number beside its threshold.

    name is one of the constants above. value is None where there is nothing to count from; known
    is False where it is counted from something else than its name says, which note then names.
    """

    name: str
    value: int | None
    threshold: int
    known: bool = True
    note: str | None = None

    @property
    def met(self) -> bool:
        """True if the value reaches the threshold."""
        return self.value is not None and self.value >= self.threshold

    @property
    def distance(self) -> int | None:
        """How much the value is below the threshold, 0 if it is not; None without a value."""
        return None if self.value is None else max(0, self.threshold - self.value)


def measure(situation: Situation, settings: FileSettings) -> tuple[Condition, ...]:
    """Return the conditions of a file: size and staleness, which trigger, and the batch."""
    return (
        Condition(SIZE, situation.contents.lines, settings.size_trigger),
        _staleness(situation, settings.staleness_trigger),
        Condition(BATCH, _batch_size(situation, settings), settings.min_batch),
    )


def _staleness(situation: Situation, threshold: int) -> Condition:
    """Return the staleness; without a consolidation that of the day the oldest entry was added."""
    since = situation.counting_from
    if since is None:
        return Condition(STALENESS, None, threshold, known=False, note="never consolidated")
    value = situation.activity.after(since)
    if situation.consolidation is not None:
        return Condition(STALENESS, value, threshold)
    note = "never consolidated; counted from the day the oldest entry was added"
    return Condition(STALENESS, value, threshold, known=False, note=note)


def _batch_size(situation: Situation, settings: FileSettings) -> int:
    contents, freshness = situation.contents, settings.freshness
    recent = situation.count_fresh(contents.recent, freshness)
    kept = situation.count_fresh(contents.added, freshness) - recent
    return kept + min(recent, _days_missing(kept, settings))


def _days_missing(kept: int, settings: FileSettings) -> int:
    return max(0, settings.min_batch - kept)


def select_batch(report: AgeReport, settings: FileSettings) -> tuple[EntryAge, ...]:
    """Return the entries that take part, oldest first.

    Those that are old enough, superseded ones too: they are the first that should leave. The newest
    `keep-recent` entries of the file stay out of it, but not at the cost of a batch below
    `min-batch`.
    """
    eligible = [e for e in report.oldest_first if _eligible(e, settings)]
    recent = {e.entry.identity for e in newest_first(report.entries)[: settings.keep_recent]}
    kept = [e for e in eligible if e.entry.identity not in recent]
    refill = [e for e in eligible if e.entry.identity in recent]
    refill = refill[: _days_missing(len(kept), settings)]
    chosen = {e.entry.identity for e in (*kept, *refill)}
    return tuple(e for e in eligible if e.entry.identity in chosen)


def _eligible(entry: EntryAge, settings: FileSettings) -> bool:
    return entry.active_days is not None and entry.active_days >= settings.freshness
