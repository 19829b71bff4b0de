"""Since when a file has been starved or due: what a verdict would have been on each day.

Only the days since the last consolidation count, for what was there before it is done.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.due.forecast import Version
from learnings.core.due.situation import Situation
from learnings.core.settings.values import FileSettings


class Departure(NamedTuple):
    """An entry that left the file: its identity, and the dates of both ends, ISO text."""

    identity: str
    added: str
    removed: str


class DailyState(NamedTuple):
    """An active day, if a trigger held at its end, and how many entries were old enough."""

    day: str
    triggered: bool
    eligible: int


class _Stay(NamedTuple):
    """From which active day on an entry was in the file, and from which it is gone.

    Days are numbered from 1; one that is still there is gone from the day after the newest on.
    """

    added: int
    gone: int


def daily_states(
    situation: Situation,
    settings: FileSettings,
    versions: Sequence[Version],
    departures: Iterable[Departure] = (),
) -> Iterator[DailyState]:
    """Yield the state of a file at the end of each active day since its last consolidation.

    versions are those of the branch, newest first. departures are the entries that left since
    then; the others are those of the situation.
    """
    days, last = situation.activity.days, situation.consolidation
    stays = sorted(_stays(situation, departures))
    lines = _lines_by_day(days, versions)
    fresh = [stay.added + settings.freshness for stay in stays]
    gone = sorted(max(stay.added + settings.freshness, stay.gone) for stay in stays)
    first = 1 if last is None else bisect_left(days, last.date) + 1
    consolidated = None if last is None else bisect_right(days, last.date)
    for number in range(first, len(days) + 1):
        start = _oldest(stays, number) if consolidated is None else consolidated
        if start is not None:
            stale = number - start >= settings.staleness_trigger
            eligible = bisect_right(fresh, number) - bisect_right(gone, number)
            triggered = stale or lines[number - 1] >= settings.size_trigger
            yield DailyState(days[number - 1], triggered, eligible)


def starved_since(states: Iterable[DailyState], settings: FileSettings) -> str | None:
    """Return the first day on which a trigger held and the batch was too small; None for none."""
    starved = (s.day for s in states if s.triggered and s.eligible < settings.min_batch)
    return next(starved, None)


def due_since(states: Sequence[DailyState], settings: FileSettings) -> str | None:
    """Return the day since which the file has been due without a break; None if it is not."""
    first_starved = starved_since(states, settings)
    days = [state.day for state in states]
    since = None
    for number, state in enumerate(states, start=1):
        waited = -1 if first_starved is None else number - bisect_right(days, first_starved)
        needed = 1 if waited >= settings.starved_escalates_after else settings.min_batch
        if not state.triggered or state.eligible < needed:
            since = None
        elif since is None:
            since = state.day
    return since


def _stays(situation: Situation, departures: Iterable[Departure]) -> Iterator[_Stay]:
    """Yield when each entry was in the file; those that left after the newest day are in it."""
    days, contents = situation.activity.days, situation.contents
    for date in contents.committed:
        yield _Stay(bisect_right(days, date), len(days) + 1)
    for departure in departures:
        if departure.identity not in contents.identities and days and departure.removed <= days[-1]:
            gone = bisect_left(days, departure.removed) + 1
            yield _Stay(bisect_right(days, departure.added), gone)


def _oldest(stays: Sequence[_Stay], number: int) -> int | None:
    """Return the day on which the oldest of the entries was added that a day has; None if none.

    stays ascend by the day on which they begin.
    """
    oldest = next((stay.added for stay in stays if number < stay.gone), None)
    return oldest if oldest is not None and oldest <= number else None


def _lines_by_day(days: Sequence[str], versions: Sequence[Version]) -> list[int]:
    """Return the lines of the newest version at the end of each day; 0 before the first one.

    Versions are in the order of the branch, which is not always that of their dates.
    """
    by_date = sorted((version.date, -age) for age, version in enumerate(versions))
    lines = []
    newest, position = -len(versions), 0
    for day in days:
        while position < len(by_date) and by_date[position][0] <= day:
            newest = max(newest, by_date[position][1])
            position += 1
        lines.append(versions[-newest].lines if -newest < len(versions) else 0)
    return lines
