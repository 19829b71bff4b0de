"""The numbers that a verdict rests on, each beside its threshold."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.due.ages import AgeReport, EntryAge, newest_first
from learnings.core.due.situation import Situation
from learnings.core.settings.values import FileSettings

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
    """Return the number of entries that select_batch() selects."""
    contents, freshness = situation.contents, settings.freshness
    recent = situation.count_fresh(contents.recent, freshness)
    kept = situation.count_fresh(contents.added, freshness) - recent
    return kept + min(recent, _missing(kept, settings))


def _missing(kept: int, settings: FileSettings) -> int:
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
    refill = refill[: _missing(len(kept), settings)]
    chosen = {e.entry.identity for e in (*kept, *refill)}
    return tuple(e for e in eligible if e.entry.identity in chosen)


def _eligible(entry: EntryAge, settings: FileSettings) -> bool:
    return entry.active_days is not None and entry.active_days >= settings.freshness
