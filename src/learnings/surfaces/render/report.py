"""The report on a memory as HTML page, and the badge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from learnings.app.memory_report import FileReport, MemoryReport
from learnings.app.overview import Overview
from learnings.consolidation.groups.groups import Grouping
from learnings.core.due.verdicts import DUE, STARVED, Verdict
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable
from learnings.forms import verdict_words
from learnings.surfaces.render import charts
from learnings.surfaces.render.documents import html_page
from learnings.surfaces.render.overview import cost_sentence, next_sentence

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
    verdict, replay = report.overview.verdict, report.replay
    if verdict is None or replay is None:
        return {"report": report}
    days = [daily.day for daily in replay.daily_verdicts]
    bars, axis = charts.age_bars(verdict.report.oldest_first, verdict.report.freshness)
    lines = [daily.lines for daily in replay.daily_verdicts]
    tokens = [daily.tokens for daily in replay.daily_verdicts]
    trigger = verdict.conditions.size.threshold
    return {
        "report": report,
        "ages": verdict.report.oldest_first,
        "bars": bars,
        "age_axis": axis,
        "size": charts.series(days, lines, threshold=trigger) if days else None,
        "cost": charts.series(days, tokens, threshold=None) if days else None,
        "due": charts.due_spans(replay, DUE),
        "starved": charts.due_spans(replay, STARVED),
        "consolidations": charts.consolidations(replay),
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
                charts.arc(place[one.identity], place[other.identity])
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
    if state.cost.total.tokens:
        yield f"{_short(state.cost.total.tokens)} tokens"


def stale(verdict: Verdict) -> int:
    """Return the number of entries at least `freshness` active days old that do not rest."""
    return sum(not age.rests for age in verdict.report.fresh)


def _short(number: int) -> str:
    """Return 940 as it is, 5200 as `5.2k`, 52000 as `52k`."""
    if number < 1000:
        return str(number)
    thousands = number / 1000
    return f"{thousands:.1f}k".replace(".0k", "k") if thousands < 10 else f"{thousands:.0f}k"
