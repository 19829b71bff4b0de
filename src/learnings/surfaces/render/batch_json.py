"""The batch of a verdict as JSON, document `learnings.batch/1`."""

from __future__ import annotations

from learnings.core.due.triggers import Verdict
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.batch/1"


def render(verdict: Verdict) -> str:
    """Return the document; entries are oldest first, text is their source as it stands."""
    document = {
        "schema": SCHEMA,
        "file": verdict.report.file,
        "verdict": verdict.verdict,
        "entries": [
            {
                "title": each.entry.title,
                "timestamp": each.entry.stamp,
                "line": each.entry.first,
                "identity": each.entry.identity,
                "added": each.origin.date,
                "active_days": each.active_days,
                "lower_bound": each.lower_bound,
                "text": each.entry.text,
            }
            for each in verdict.batch
        ],
    }
    return json_document(document)
