"""The state of a memory, the conditions of a verdict with their thresholds, and the batch."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.due.ages import NO_ACTIVITY, Activity, Consolidation, EntryAge
from learnings.core.entries.document import Size
from learnings.core.settings.setting_values import FileSettings


class State(NamedTuple):
    """A memory at the end of its newest active day: all that a verdict on it depends on.

    entries are those with text, oldest first; newest has the identities of the newest
    `keep-recent` of them.
    """

    size: Size
    entries: tuple[EntryAge, ...]
    newest: frozenset[str]
    settings: FileSettings
    activity: Activity = NO_ACTIVITY
    consolidation: Consolidation | None = None

    @property
    def counting_from(self) -> str | None:
        """The date from which staleness counts: without a consolidation that of the first entry."""
        if self.consolidation is not None:
            return self.consolidation.date
        return min(filter(None, (dated.origin.moment for dated in self.entries)), default=None)

    def is_old(self, dated: EntryAge, active_days: int) -> bool:
        """Return True if an entry is known to be so old; uncommitted ones have 0 active days."""
        moment = dated.origin.moment
        return bool(moment) and self.activity.after(moment) >= active_days


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


def measure(state: State) -> Conditions:
    """Return the conditions of a state; staleness starts at the oldest entry if need be."""
    since = state.counting_from
    return conditions_of(
        state.settings,
        size=state.size,
        stale=None if since is None else state.activity.after(since),
        batch=len(select_batch(state)),
        consolidated=state.consolidation is not None,
    )


def select_batch(state: State, *, any_age: bool = False) -> tuple[EntryAge, ...]:
    """Return the entries that take part, oldest first: the old enough ones, or those of any age.

    The newest `keep-recent` entries only fill a batch of old entries up to `min-batch`. Resting
    entries count towards it, so that the newest entries do not follow a judged batch.
    """
    freshness, min_batch = state.settings.freshness, state.settings.min_batch
    entries = [one for one in state.entries if any_age or state.is_old(one, freshness)]
    awake = [dated for dated in entries if not dated.rests]
    recent = [dated for dated in awake if dated.entry.identity in state.newest]
    kept, resting = len(awake) - len(recent), len(entries) - len(awake)
    more = 0 if any_age else max(0, min_batch - kept - resting)
    out = {dated.entry.identity for dated in recent[more:]}
    return tuple(dated for dated in awake if dated.entry.identity not in out)
