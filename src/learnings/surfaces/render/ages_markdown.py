"""The age report as Markdown.

Programs read these lines, so the unit does not change for a single day.
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.due.ages import BLAME, UNCOMMITTED, AgeReport, EntryAge


def render(report: AgeReport) -> str:
    """Return the report, oldest entry first."""
    return "\n".join((*_head(report), *_entries(report))) + "\n"


def _head(report: AgeReport) -> Iterator[str]:
    bound = "≥ " if report.history.shallow else ""
    staleness = report.staleness
    last = "unknown (no prior consolidation detected)"
    if staleness is not None:
        last = f"{bound}{staleness} active days ago"
    yield "# Learning Ages Report"
    yield ""
    yield f"**File lines:** {report.lines}"
    yield f"**Last consolidation:** {last}"
    yield f"**Total entries:** {len(report.entries)}"
    yield f"**Entries ≥{report.freshness} active days:** {bound}{len(report.fresh)}"
    for note in report.history.notes:
        yield f"**Note:** {note}"


def _entries(report: AgeReport) -> Iterator[str]:
    for each in report.oldest_first:
        yield ""
        yield f"## {each.entry.heading}"
        yield f"- Age: {_age(each)}"
        yield f"- Added: {_added(each)}"
        if each.origin.basis not in (BLAME, UNCOMMITTED):
            yield f"- Rests on: {each.origin.basis}"
        if each.entry.superseded:
            yield "- Superseded"


def _age(each: EntryAge) -> str:
    if each.active_days is None:
        return f"unknown ({each.origin.reason})"
    return f"{'≥ ' if each.lower_bound else ''}{each.active_days} active days"


def _added(each: EntryAge) -> str:
    if each.origin.basis == UNCOMMITTED:
        return "not committed yet"
    return each.origin.date or "unknown"
