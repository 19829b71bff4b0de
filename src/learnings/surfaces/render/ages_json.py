"""The age report as JSON, document `learnings.ages/2`."""

from __future__ import annotations

from learnings.core.due.ages import AgeReport, EntryAge
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.ages/2"


def render(report: AgeReport) -> str:
    """Return the document as text."""
    return json_document(document(report))


def document(report: AgeReport) -> dict[str, object]:
    """Return the document; entries are in file order."""
    history = report.history
    last = history.consolidation
    return {
        "schema": SCHEMA,
        "file": report.file,
        "lines": report.lines,
        "dialect": report.document.dialect.name,
        "as_of": history.activity.as_of,
        "history": {
            "head": history.head,
            "shallow": history.shallow,
            "active_days": len(history.activity.days),
            "skewed_commits": history.activity.skewed_commits,
            "notes": list(history.notes),
        },
        "last_consolidation": last
        and {
            "commit": last.commit,
            "date": last.date,
            "active_days": report.staleness,
            "removed": last.removed,
        },
        "fresh": {"at_least": report.freshness, "count": len(report.fresh)},
        "entries": [_entry(entry_age) for entry_age in report.entries],
    }


def _entry(entry_age: EntryAge) -> dict[str, object]:
    entry, origin = entry_age.entry, entry_age.origin
    return {
        "title": entry.title,
        "timestamp": entry.stamp,
        "line": entry.first,
        "identity": entry.identity,
        "added": origin.date,
        "commit": origin.commit,
        "active_days": entry_age.active_days,
        "lower_bound": entry_age.lower_bound,
        "basis": origin.basis,
        "moved_from": origin.moved_from,
        "reason": origin.reason,
        "superseded": entry.superseded,
    }
