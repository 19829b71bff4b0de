"""The positions of the marks in a chart, in percent of its width and height.

A chart is plain SVG, stretched to the width of the page. Labels are text of the page, so they keep
their size on a small screen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import ceil, log10
from typing import NamedTuple

from learnings.core.due.ages import EntryAge
from learnings.core.due.past_verdicts import Replay
from learnings.core.text import counted

# Ticks are a multiple of one of these steps times a power of ten.
_STEPS = (1, 2, 5, 10)
_MOST_TICKS = 4
_DATES = 4  # on the time axis: four fit on a phone


class Tick(NamedTuple):
    """A label on an axis, at a percentage of it."""

    at: float
    label: str


class Series(NamedTuple):
    """A value over active days; threshold is in percent from the top."""

    line: str
    area: str
    threshold: float | None
    days: tuple[Tick, ...]
    values: tuple[Tick, ...]


class Bar(NamedTuple):
    """The bar of an entry or of some days: place and size in percent, its kind and its label."""

    start: float
    width: float
    height: float
    kind: str
    label: str


def series(days: Sequence[str], values: Sequence[int], *, threshold: int | None) -> Series:
    """Return the line of a value at the end of each active day; days ascend, as ISO text."""
    top, ticks = _scale(max([*values, threshold or 0, 1]))
    positions = _positions(len(days))
    heights = [_height(value, top) for value in values]
    steps = f"M{positions[0]:.2f} {heights[0]:.2f}" if days else ""
    for position, height in zip(positions[1:], heights[1:], strict=True):
        steps += f"H{position:.2f}V{height:.2f}"
    if len(days) == 1:
        steps += "H100"
    shown = min(_DATES, len(days))
    dated = [round(number * (len(days) - 1) / max(shown - 1, 1)) for number in range(shown)]
    return Series(
        line=steps,
        area=f"{steps}V100H{positions[0]:.2f}Z" if days else "",
        threshold=None if threshold is None else _height(threshold, top),
        days=tuple(Tick(positions[index], days[index]) for index in dated),
        values=ticks,
    )


def due_spans(replay: Replay, verdict: str) -> Iterator[Bar]:
    """Yield the runs of days on which a file had a verdict."""
    days = [daily.day for daily in replay.daily_verdicts]
    positions = _positions(len(days))
    for episode in replay.episodes:
        if episode.verdict == verdict:
            first, last = bisect_left(days, episode.first), bisect_left(days, episode.last)
            end = positions[min(last + 1, len(days) - 1)]
            label = f"{verdict} from {episode.first} to {episode.last}"
            width = max(end - positions[first], 0.4)
            yield Bar(positions[first], width, 100, verdict, label)


def consolidations(replay: Replay) -> Iterator[Tick]:
    """Yield the position of each consolidation among the days, with its removed entries."""
    days = [daily.day for daily in replay.daily_verdicts]
    positions = _positions(len(days))
    for item in replay.consolidations:
        index = min(bisect_left(days, item.consolidation.date), len(days) - 1)
        if days:
            removed = f"{item.consolidation.date}: removed {item.consolidation.removed}"
            yield Tick(positions[index], removed)


def age_bars(entries: Sequence[EntryAge], freshness: int) -> tuple[list[Bar], Series]:
    """Return a bar for each entry, in the given order, and their common axis."""
    top, ticks = _scale(max([freshness, *(e.active_days or 0 for e in entries)], default=1))
    axis = Series("", "", _height(freshness, top), (), ticks)
    width = 100 / max(len(entries), 1)
    bars = []
    for number, entry_age in enumerate(entries):
        days = entry_age.active_days
        kind = "unknown" if days is None else "old" if days >= freshness else "young"
        age = "age unknown" if days is None else counted(days, "active day")
        bound = "at least " if entry_age.lower_bound and days is not None else ""
        label = f"{entry_age.entry.title}: {bound}{age}"
        height = 100.0 if days is None else max(100 - _height(days, top), 0.8)
        bars.append(Bar(number * width + width * 0.1, width * 0.8, height, kind, label))
    return bars, axis


def arc(start: float, end: float) -> str:
    """Return the path of an arc between two positions on the baseline of a chart."""
    rise = 12 + 88 * (end - start) / 100
    middle = 100 - min(rise, 100) * 4 / 3
    return f"M{start:.2f} 100C{start:.2f} {middle:.2f} {end:.2f} {middle:.2f} {end:.2f} 100"


def _scale(most: int) -> tuple[int, tuple[Tick, ...]]:
    """Return the top of an axis that includes a value, and its ticks."""
    power = 10 ** max(int(log10(most / _MOST_TICKS)), 0) if most > _MOST_TICKS else 1
    step = next(n * power for n in _STEPS if most / (n * power) <= _MOST_TICKS)
    top = ceil(most / step) * step
    marks = range(0, top + 1, step)
    return top, tuple(Tick(_height(mark, top), f"{mark:,}") for mark in marks)


def _height(value: int, top: int) -> float:
    return 100 - 100 * value / top


def _positions(count: int) -> list[float]:
    return [100 * index / max(count - 1, 1) for index in range(count)]
