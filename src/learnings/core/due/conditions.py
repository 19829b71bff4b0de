"""The state of a memory, the conditions of a verdict with their thresholds, and the batch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.due import ages
from learnings.core.entries.document import Size, is_without_text
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
    activity: ages.Activity = ages.NO_ACTIVITY
    consolidation: ages.Consolidation | None = None

    @property
    def committed(self) -> tuple[str, ...]:
        return self.added[: bisect_left(self.added, ages.LATEST)]

    @property
    def counting_from(self) -> str | None:
        last = self.consolidation
        return last.date if last is not None else next(iter(self.added), None)


def state_of(
    size: Size,
    entries: Sequence[ages.EntryAge],
    settings: FileSettings,
    *,
    activity: ages.Activity = ages.NO_ACTIVITY,
    consolidation: ages.Consolidation | None = None,
) -> State:
    """Return the state of a version with these entries, which may have no text or ages."""
    entries = ages.with_text(entries)
    newest = ages.newest_of(entries, settings.keep_recent)
    awake = [dated for dated in entries if not dated.rests]
    recent = [dated for dated in awake if dated.entry.identity in newest]
    return State(
        size,
        identities=frozenset(dated.entry.identity for dated in entries),
        added=_ascending_dates(entries),
        recent=_ascending_dates(recent),
        resting=_ascending_dates(dated for dated in entries if dated.rests),
        rests=tuple(
            Rest(dated.origin.moment, _decided_on(dated))
            for dated in entries
            if dated.decision and dated.origin.moment
        ),
        open_entries=len(awake) - len(recent),
        activity=activity,
        consolidation=consolidation,
    )


def _decided_on(dated: ages.EntryAge) -> str:
    return dated.decision.date if dated.decision and dated.days_left is not None else ages.LATEST


def _ascending_dates(entries: Iterable[ages.EntryAge]) -> tuple[str, ...]:
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
        batch=kept + _refill(kept, recent, resting, settings),
        consolidated=state.consolidation is not None,
    )


def _refill(kept: int, recent: int, resting: int, settings: FileSettings) -> int:
    """Return how many of the newest `keep-recent` entries join a batch, all counts of old ones.

    They only fill a batch of old entries up to `min-batch`. Resting entries count towards it, so
    that the newest entries do not follow a judged batch.
    """
    return min(recent, max(0, settings.min_batch - kept - resting))


def select_batch(report: ages.AgeReport, *, any_age: bool = False) -> tuple[ages.EntryAge, ...]:
    """Return the entries that take part, oldest first: the old enough ones, or those of any age."""
    newest, freshness = report.newest, report.freshness
    entries = [dated for dated in report.oldest_first if not is_without_text(dated.entry)]
    if not any_age:
        entries = [e for e in entries if e.active_days is not None and e.active_days >= freshness]
    awake = [dated for dated in entries if not dated.rests]
    recent = [dated for dated in awake if dated.entry.identity in newest]
    kept, resting = len(awake) - len(recent), len(entries) - len(awake)
    more = 0 if any_age else _refill(kept, len(recent), resting, report.settings)
    out = {dated.entry.identity for dated in recent[more:]}
    return tuple(dated for dated in awake if dated.entry.identity not in out)
