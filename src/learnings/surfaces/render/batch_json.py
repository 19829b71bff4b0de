"""The batch of a verdict as JSON, document `learnings.batch/1`."""

from __future__ import annotations

from learnings.core.due.triggers import Verdict
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.batch/1"


def render(verdict: Verdict) -> str:
    """Return the document as text."""
    return json_document(document(verdict))


def document(verdict: Verdict) -> dict[str, object]:
    """Return the document; entries are oldest first, text is their source as it stands."""
    return {
        "schema": SCHEMA,
        "file": verdict.report.file,
        "verdict": verdict.verdict,
        "lower_bound": verdict.lower_bound,
        "notes": list(verdict.report.history.notes),
        "entries": [
            {
                "title": entry_age.entry.title,
                "timestamp": entry_age.entry.stamp,
                "line": entry_age.entry.first,
                "identity": entry_age.entry.identity,
                "added": entry_age.origin.date,
                "active_days": entry_age.active_days,
                "lower_bound": entry_age.lower_bound,
                "superseded": entry_age.entry.superseded,
                "text": entry_age.entry.text,
            }
            for entry_age in verdict.batch
        ],
    }
