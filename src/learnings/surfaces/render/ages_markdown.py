"""The age report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.due.ages import COMMIT, UNCOMMITTED, AgeReport, EntryAge
from learnings.core.text import counted
from learnings.surfaces.render.escape import line, span


def render(report: AgeReport, *, is_named: bool = False) -> str:
    """Return the report, oldest entry first; is_named says that it is one of several."""
    return "\n".join((*_head(report, is_named=is_named), *_entries(report))) + "\n"


def _head(report: AgeReport, *, is_named: bool) -> Iterator[str]:
    bound = "≥ " if report.history.shallow else ""
    staleness = report.staleness
    last = "unknown (no prior consolidation detected)"
    if staleness is not None:
        last = f"{bound}{counted(staleness, 'active day')} ago"
    yield "# Learning Ages Report"
    yield ""
    if is_named:
        yield f"**File:** {span(report.file)}"
    yield f"**File lines:** {report.lines}"
    yield f"**Last consolidation:** {last}"
    yield f"**Total entries:** {len(report.entries)}"
    yield f"**Entries ≥{report.freshness} active days:** {bound}{len(report.fresh)}"
    consolidation = report.history.consolidation
    if consolidation is not None:
        uncommitted = "" if consolidation.commit else " (not committed yet)"
        yield f"**Entries removed then:** {consolidation.removed}{uncommitted}"
    for note in report.history.notes:
        yield f"**Note:** {line(note)}"


def _entries(report: AgeReport) -> Iterator[str]:
    for entry_age in report.oldest_first:
        entry, origin = entry_age.entry, entry_age.origin
        yield ""
        yield f"## {line(entry.heading)}"
        yield f"- Age: {_age(entry_age)}"
        yield f"- Added: {_added(entry_age)}"
        if origin.basis not in (COMMIT, UNCOMMITTED):
            source = f" from {line(origin.moved_from)}" if origin.moved_from else ""
            yield f"- Rests on: {origin.basis}{source}"
        if entry.superseded:
            yield "- Superseded"


def _age(entry_age: EntryAge) -> str:
    if entry_age.active_days is None:
        return f"unknown ({line(entry_age.origin.reason or '')})"
    bound = "≥ " if entry_age.lower_bound else ""
    return f"{bound}{counted(entry_age.active_days, 'active day')}"


def _added(entry_age: EntryAge) -> str:
    if entry_age.origin.basis == UNCOMMITTED:
        return "not committed yet"
    return entry_age.origin.date or "unknown"
