"""The state of a memory, the conditions of a verdict with their thresholds, and the batch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from learnings.core.due import ages
from learnings.core.entries.decisions import ESCALATED, Decision
from learnings.core.entries.document import Size
from learnings.core.settings.setting_values import FileSettings


class Rest(NamedTuple):
    """The dates (ISO) on which an entry was added and decided; LATEST if it was escalated."""

    added: str
    decided: str


class State(NamedTuple):
    """A memory at the end of its newest active day: all that a verdict on it depends on.

    identities and dates (ISO, ascending) are those of the entries that say
    something; uncommitted ones have LATEST. `recent` holds the newest `keep-recent` of them that do
    not rest, `resting` those that a decision keeps out; `open_entries` counts the others.
    """

    size: Size
    identities: frozenset[str]
    added: tuple[str, ...]
    recent: tuple[str, ...]
    resting: tuple[str, ...] = ()
    rests: tuple[Rest, ...] = ()
    open_entries: int = 0
    activity: ages.Activity = ages.Activity(())
    consolidation: ages.Consolidation | None = None

    @property
    def committed(self) -> tuple[str, ...]:
        return self.added[: bisect_left(self.added, ages.LATEST)]

    @property
    def counting_from(self) -> str | None:
        last = self.consolidation
        return last.date if last is not None else next(iter(self.added), None)


def past_state(size: Size, entries: Sequence[ages.EntryAge], *, keep_recent: int) -> State:
    """Return the state of an older version without its activity and decisions."""
    entries = ages.with_text(entries)
    identities = frozenset(dated.entry.identity for dated in entries)
    recent = ages.newest_first(entries)[:keep_recent]
    open_entries = len(entries) - len(recent)
    dates = _ascending_dates(entries), _ascending_dates(recent)
    return State(size, identities, *dates, open_entries=open_entries)


def state_of(report: ages.AgeReport, settings: FileSettings) -> State:
    state = past_state(
        report.document.size, report.entries, keep_recent=settings.keep_recent
    )._replace(activity=report.activity, consolidation=report.consolidation)
    decided = report.decided
    if not decided:
        return state
    resting = resting_decisions(report, settings)
    entries = report.candidates
    newest = ages.newest_first(entries)
    is_open = [dated.entry.identity not in resting for dated in newest]
    return state._replace(
        recent=_ascending_dates([*compress(newest[: settings.keep_recent], is_open)]),
        resting=_ascending_dates([e for e in entries if e.entry.identity in resting]),
        open_entries=sum(is_open[settings.keep_recent :]),
        rests=tuple(
            Rest(dated.origin.moment, _decided_on(decided[dated.entry.identity]))
            for dated in entries
            if dated.entry.identity in decided and dated.origin.moment
        ),
    )


def resting_decisions(report: ages.AgeReport, settings: FileSettings) -> Mapping[str, Decision]:
    activity = report.activity
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


class Condition(NamedTuple):
    """A value and its threshold; value is None if unknown, known is False for a substitute.

    unit is that of a size: `line`.
    """

    name: str
    value: int | None
    threshold: int
    known: bool = True
    unit: str = ""

    @property
    def met(self) -> bool:
        return self.value is not None and self.value >= self.threshold

    @property
    def distance(self) -> int | None:
        return None if self.value is None else max(0, self.threshold - self.value)


class Conditions(NamedTuple):
    """The conditions of a memory on a day, today or in the past.

    A trigger starts a consolidation, batch and oversize decide whether there is one to make. In a
    short memory, of at most `soft-limit` lines and below the size trigger, no entry waits for a
    batch.
    """

    size: Condition
    staleness: Condition
    batch: Condition
    oversize: Condition
    short: bool

    @property
    def triggers(self) -> tuple[Condition, ...]:
        return self.size, self.staleness

    @property
    def triggered(self) -> bool:
        return any(trigger.met for trigger in self.triggers)

    @property
    def each(self) -> tuple[Condition, ...]:
        return self.size, self.staleness, self.batch, self.oversize

    @property
    def ready(self) -> bool:
        return self.triggered and (self.batch.met or self.oversize.met)

    @property
    def starved(self) -> bool:
        return self.triggered and not (self.ready or self.short)


CONDITIONS = Conditions._fields[:-1]
"""The names of the conditions."""


def conditions_of(
    settings: FileSettings, *, size: Size, stale: int | None, batch: int, consolidated: bool
) -> Conditions:
    """Return the conditions of a day: its size, active days, and entries old enough."""
    lines, unit = size
    most = settings.size_trigger
    return Conditions(
        Condition("size", lines, most, unit=unit),
        Condition("staleness", stale, settings.staleness_trigger, consolidated),
        Condition("batch", batch, settings.min_batch),
        Condition("oversize", lines, settings.oversize * most, unit=unit),
        short=lines < most and lines <= settings.soft_limit,
    )


def measure(state: State, settings: FileSettings) -> Conditions:
    """Return the conditions of a state; staleness starts at the oldest entry if need be."""
    activity, since = state.activity, state.counting_from
    recent, resting, added = (
        activity.count_fresh(dates, settings.freshness)
        for dates in (state.recent, state.resting, state.added)
    )
    kept = added - resting - recent
    return conditions_of(
        settings,
        size=state.size,
        stale=None if since is None else activity.after(since),
        batch=kept + min(recent, max(0, settings.min_batch - kept - resting)),
        consolidated=state.consolidation is not None,
    )


def select_batch(
    report: ages.AgeReport, settings: FileSettings, *, any_age: bool = False
) -> tuple[ages.EntryAge, ...]:
    """Return the entries that take part, oldest first: the old enough ones, or those of any age.

    The newest `keep-recent` entries only fill a batch of old entries up to `min-batch`. Resting
    entries count towards it, so that the newest entries do not follow a judged batch.
    """
    resting = resting_decisions(report, settings)
    entries = ages.with_text(report.oldest_first)
    newest = {
        e.entry.identity for e in ages.newest_first(report.candidates)[: settings.keep_recent]
    }
    if any_age:
        return tuple(e for e in entries if e.entry.identity not in resting.keys() | newest)
    fresh = settings.freshness
    old = [e for e in entries if e.active_days is not None and e.active_days >= fresh]
    eligible = [e for e in old if e.entry.identity not in resting]
    refill = [e for e in eligible if e.entry.identity in newest]
    refill = refill[: max(0, settings.min_batch - (len(old) - len(refill)))]
    out = newest - {e.entry.identity for e in refill}
    return tuple(e for e in eligible if e.entry.identity not in out)
