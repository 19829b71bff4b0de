"""The report on a memory as HTML page, and the badge."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil, log10
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from learnings.app.memory_report import FileReport, MemoryReport
from learnings.app.overview import Overview
from learnings.consolidation.groups.groups import Grouping
from learnings.core.due.ages import EntryAge
from learnings.core.due.past_verdicts import Replay
from learnings.core.due.verdicts import DUE, STARVED, Verdict
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable
from learnings.forms import verdict_words
from learnings.surfaces.render.overview import cost_sentence, next_sentence
from learnings.surfaces.render.writing import html_page

MOST_FINDINGS = 200
"""Findings with a row: more do not help on a page, and `learnings check` prints all."""
_SERIES_COLOURS = 6  # of consecutive groups; style.css has as many


class Answer(NamedTuple):
    """The top of a page: its level (good, warning, bad), a headline, and the reasons."""

    level: str
    headline: str
    reasons: tuple[str, ...]


def as_html(report: MemoryReport) -> str:
    findings = report.overview.report
    step = next_sentence(report.overview)
    return html_page(
        "report.html",
        report=report,
        cost=report.overview.cost,
        cost_sentence=cost_sentence(report.overview.cost),
        answer=answer(report.overview),
        next=f"`{step}`" if step.startswith("learnings ") else step,  # commands are in backticks
        files=[*map(_view, report.files)],
        findings=findings.findings[:MOST_FINDINGS] if findings else (),
        more_findings=max(len(findings.findings) - MOST_FINDINGS, 0) if findings else 0,
        known=findings.known if findings else (),
        most_findings=MOST_FINDINGS,
        words=verdict_words,
    )


def answer(state: Overview) -> Answer:
    """Return a headline that says whether a memory is healthy, and the reasons."""
    verdicts = [file.verdict for file in state.learnings if file.verdict]
    problems = [status.problem for status in state.forms if status.problem]
    due = [verdict for verdict in verdicts if verdict.verdict == DUE]
    errors = state.report.errors if state.report else 0
    judged = [status for status in state.forms if not status.problem]
    reasons = tuple(status.sentence for status in judged)
    problems += [state.problem] if state.problem else []
    if problems:
        return Answer("bad", "The memory cannot be judged", (*dict.fromkeys(problems), *reasons))
    if not state.forms:
        return Answer("warning", "No learnings file yet", ())
    files = "" if len(verdicts) == 1 else f" in {counted(len(due), 'file')}"
    is_starved = any(verdict.verdict == STARVED for verdict in verdicts)
    warnings = (
        (due, f"Consolidation is due{files}"),
        (is_starved, "Too few entries are old enough to consolidate"),
        (any(status.needs_action for status in judged), "Other memory needs action"),
        (errors, f"{counted(errors, 'error')} to correct"),
    )
    headline = next((words for is_so, words in warnings if is_so), "")
    level = "warning" if headline else "good"
    return Answer(level, headline or "The memory is healthy", reasons)


def _view(report: FileReport) -> dict[str, object]:
    """Return a file with its charts, or without charts if there is no history."""
    verdict, replay = report.status.verdict, report.replay
    if verdict is None or replay is None:
        return {"report": report}
    days = [daily.day for daily in replay.daily_verdicts]
    bars, axis = age_bars(verdict.report.oldest_first, verdict.report.settings.freshness)
    lines = [daily.lines for daily in replay.daily_verdicts]
    tokens = [daily.tokens for daily in replay.daily_verdicts]
    trigger = verdict.conditions.size.threshold
    return {
        "report": report,
        "ages": verdict.report.oldest_first,
        "bars": bars,
        "age_axis": axis,
        "size": series(days, lines, threshold=trigger) if days else None,
        "cost": series(days, tokens, threshold=None) if days else None,
        "due": due_spans(replay, DUE),
        "starved": due_spans(replay, STARVED),
        "consolidations": consolidations(replay),
        "groups": _groups(verdict.report.document.entries, report.grouping),
    }


def _groups(entries: Sequence[Entry], grouping: Grouping | None) -> Sequence[dict[str, object]]:
    """Return each group, its colour number, and the arcs between its members in file order."""
    place = {entry.identity: 100 * (n + 0.5) / len(entries) for n, entry in enumerate(entries)}
    return [
        {
            "group": group,
            "colour": number % _SERIES_COLOURS,
            "arcs": [
                arc(place[one.identity], place[other.identity])
                for one, other in pairwise(group.members)
            ],
        }
        for number, group in enumerate(grouping.groups if grouping else ())
    ]


LABEL = "memory"
_BADGE_COLOURS = {"good": "#1a6b36", "warning": "#8f5200", "bad": "#b3261e"}
_NONE = "#545d69"  # no memory to judge
# Widths in a sans serif of 11 pixels; textLength gives the text this width everywhere.
_WIDTHS = {**dict.fromkeys(" ,.:;'!ijlt|", 3.7), "r": 4.7, "m": 10.7, "w": 9.0}
_USUAL = 6.8
_PADDING = 6
# Characters that printable() keeps but XML forbids.
_NOT_IN_XML = lazy_pattern("[\ufffe\uffff]")


def badge(state: Overview, *, name: str) -> str:
    """Return the badge of a repository with this name."""
    said = message(state)
    result = answer(state)
    colour = _BADGE_COLOURS[result.level] if state.forms else _NONE
    title = printable(f"Agent memory of {name}: {said}. {result.headline}.")
    title = _NOT_IN_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", title)
    left, right = (round(sum(_WIDTHS.get(c, _USUAL) for c in text)) for text in (LABEL, said))
    middle, total = left + 2 * _PADDING, left + right + 4 * _PADDING
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total}" height="20" role="img" '
        f"aria-label={quoteattr(title)}>\n"
        f"<title>{escape(title)}</title>\n"
        f'<clipPath id="round"><rect width="{total}" height="20" rx="3"/></clipPath>\n'
        f'<g clip-path="url(#round)">\n'
        f'<rect width="{middle}" height="20" fill="#333c47"/>\n'
        f'<rect x="{middle}" width="{total - middle}" height="20" fill="{colour}"/>\n</g>\n'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">\n'
        f'<text x="{_PADDING}" y="14" textLength="{left}">{LABEL}</text>\n'
        f'<text x="{middle + _PADDING}" y="14" textLength="{right}">{escape(said)}</text>\n'
        "</g>\n</svg>\n"
    )


def message(state: Overview) -> str:
    """Return the numbers of a memory: `18 entries, 2 stale, 5.2k tokens`."""
    return ", ".join(_parts(state)) or "none"


def _parts(state: Overview) -> Iterator[str]:
    files = state.learnings
    readings = [file.reading for file in files if file.reading]
    if readings:
        yield counted(sum(reading.entries for reading in readings), "entry", "entries")
    verdicts = [file.verdict for file in files if file.verdict]
    if files and len(verdicts) < len(files):
        yield "ages unknown"
    elif files:
        yield f"{sum(map(stale, verdicts))} stale"
    elif state.forms:
        yield counted(len(state.forms), "memory", "memories")
    tokens = state.cost.total.tokens
    if tokens:  # 940 as it is, 5200 as `5.2k`, 52000 as `52k`
        thousands = f"{tokens / 1000:.{int(tokens < 10_000)}f}k".replace(".0k", "k")
        yield f"{tokens if tokens < 1000 else thousands} tokens"


def stale(verdict: Verdict) -> int:
    """Return the number of entries at least `freshness` active days old that do not rest."""
    return sum(not age.rests for age in verdict.report.fresh)


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
