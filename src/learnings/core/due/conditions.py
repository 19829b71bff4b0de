"""The situation of a file, and the conditions of a verdict with their thresholds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from learnings.core.due import ages
from learnings.core.entries.decisions import ESCALATED, Decision
from learnings.core.settings.setting_values import FileSettings


class Rest(NamedTuple):
    """The dates (ISO) on which an entry was added and decided; LATEST if it was escalated."""

    added: str
    decided: str


class FileContents(NamedTuple):
    """The lines of a file, and the identities and dates (ISO, ascending) of its entries.

    Uncommitted entries have LATEST. `recent` holds the newest `keep-recent` entries that do not
    rest, `resting` the entries that a decision keeps out; `open_entries` counts the others.
    """

    lines: int
    identities: frozenset[str]
    added: tuple[str, ...]
    recent: tuple[str, ...]
    resting: tuple[str, ...] = ()
    rests: tuple[Rest, ...] = ()
    open_entries: int = 0

    @property
    def committed(self) -> tuple[str, ...]:
        return self.added[: bisect_left(self.added, ages.LATEST)]


def contents_of(lines: int, entries: Sequence[ages.EntryAge], *, keep_recent: int) -> FileContents:
    identities = frozenset(dated.entry.identity for dated in entries)
    recent = ages.newest_first(entries)[:keep_recent]
    return FileContents(
        lines,
        identities,
        _ascending_dates(entries),
        _ascending_dates(recent),
        open_entries=len(entries) - len(recent),
    )


def resting_decisions(report: ages.AgeReport, settings: FileSettings) -> Mapping[str, Decision]:
    activity = report.history.activity
    return {
        identity: decision
        for identity, decision in report.decided.items()
        if _decided_on(decision) == ages.LATEST
        or activity.after(decision.date) < settings.keep_days
    }


def _decided_on(decision: Decision) -> str:
    return ages.LATEST if decision.kind == ESCALATED else decision.date


def _ascending_dates(entries: Sequence[ages.EntryAge]) -> tuple[str, ...]:
    return tuple(sorted(dated.origin.moment for dated in entries if dated.origin.moment))


class Situation(NamedTuple):
    """The contents of a file at the end of the newest active day, and its last consolidation."""

    contents: FileContents
    activity: ages.Activity
    consolidation: ages.Consolidation | None

    @property
    def counting_from(self) -> str | None:
        last = self.consolidation
        return last.date if last is not None else next(iter(self.contents.added), None)

    def count_fresh(self, dates: Sequence[str], freshness: int) -> int:
        """Count the ascending dates that are at least `freshness` active days old."""
        return bisect_left(dates, self.activity.before_last(freshness))


def situation_of(report: ages.AgeReport, settings: FileSettings) -> Situation:
    contents = contents_of(report.lines, report.entries, keep_recent=settings.keep_recent)
    decided = report.decided
    if decided:
        resting = resting_decisions(report, settings)
        at_rest = [dated for dated in report.entries if dated.entry.identity in resting]
        newest = ages.newest_first(report.entries)
        is_open = [dated.entry.identity not in resting for dated in newest]
        contents = contents._replace(
            recent=_ascending_dates([*compress(newest[: settings.keep_recent], is_open)]),
            resting=_ascending_dates(at_rest),
            open_entries=sum(is_open[settings.keep_recent :]),
            rests=tuple(
                Rest(dated.origin.moment, _decided_on(decided[dated.entry.identity]))
                for dated in report.entries
                if dated.entry.identity in decided and dated.origin.moment
            ),
        )
    return Situation(contents, report.history.activity, report.history.consolidation)


SIZE, OVERSIZE, STALENESS, BATCH = "size", "oversize", "staleness", "batch"


class Condition(NamedTuple):
    """A value and its threshold; value is None if unknown, note says what was counted instead."""

    name: str
    value: int | None
    threshold: int
    known: bool = True
    note: str | None = None

    @property
    def met(self) -> bool:
        return self.value is not None and self.value >= self.threshold

    @property
    def distance(self) -> int | None:
        return None if self.value is None else max(0, self.threshold - self.value)


def measure(situation: Situation, settings: FileSettings) -> tuple[Condition, ...]:
    """Return the conditions: the size and staleness triggers, the batch, and oversize."""
    contents, freshness = situation.contents, settings.freshness
    recent = situation.count_fresh(contents.recent, freshness)
    resting = situation.count_fresh(contents.resting, freshness)
    kept = situation.count_fresh(contents.added, freshness) - resting - recent
    batch = kept + min(recent, _entries_missing(kept + resting, settings))
    return (
        Condition(SIZE, contents.lines, settings.size_trigger),
        _staleness(situation, settings.staleness_trigger),
        Condition(BATCH, batch, settings.min_batch),
        Condition(OVERSIZE, contents.lines, settings.oversize * settings.size_trigger),
    )


def _staleness(situation: Situation, threshold: int) -> Condition:
    """Measure staleness, starting at the oldest entry if there was no consolidation."""
    since = situation.counting_from
    if since is None:
        return Condition(STALENESS, None, threshold, known=False, note="never consolidated")
    value = situation.activity.after(since)
    if situation.consolidation is not None:
        return Condition(STALENESS, value, threshold)
    note = "never consolidated; counted from the day the oldest entry was added"
    return Condition(STALENESS, value, threshold, known=False, note=note)


def _entries_missing(kept: int, settings: FileSettings) -> int:
    return max(0, settings.min_batch - kept)


def select_batch(report: ages.AgeReport, settings: FileSettings) -> tuple[ages.EntryAge, ...]:
    """Return the entries that are old enough to take part, oldest first.

    The newest `keep-recent` entries only fill the batch up to `min-batch`. Resting entries count
    towards it, so that the newest entries do not follow a judged batch.
    """
    resting = resting_decisions(report, settings)
    known = [e for e in report.oldest_first if e.active_days is not None]
    old_enough = [e for e in known if (e.active_days or 0) >= settings.freshness]
    eligible = [e for e in old_enough if e.entry.identity not in resting]
    at_rest = len(old_enough) - len(eligible)
    recent = {e.entry.identity for e in ages.newest_first(report.entries)[: settings.keep_recent]}
    kept = [e for e in eligible if e.entry.identity not in recent]
    refill = [e for e in eligible if e.entry.identity in recent]
    refill = refill[: _entries_missing(len(kept) + at_rest, settings)]
    chosen = {e.entry.identity for e in (*kept, *refill)}
    return tuple(e for e in eligible if e.entry.identity in chosen)


def entries_of_any_age(report: ages.AgeReport, settings: FileSettings) -> tuple[ages.EntryAge, ...]:
    resting = resting_decisions(report, settings)
    newest = {e.entry.identity for e in ages.newest_first(report.entries)[: settings.keep_recent]}
    out = resting.keys() | newest
    return tuple(e for e in report.oldest_first if e.entry.identity not in out)
