"""The numbers of a confidence memory as JSON, document `learnings.statistics/1`."""

from __future__ import annotations

from learnings.confidence.statistics import Statistics
from learnings.confidence.values import Entry
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.memory_words import as_number, headline

SCHEMA = "learnings.statistics/1"


def render(statistics: Statistics) -> str:
    """Return the document."""
    return json_document(
        {
            "schema": SCHEMA,
            "files": [kind._asdict() for kind in statistics.kinds],
            "active": statistics.active,
            "certain": statistics.certain,
            "strongest": [_entry(entry) for entry in statistics.strongest],
            "near_archive": [_entry(entry) for entry in statistics.near_archive],
            "growth": [growth._asdict() for growth in statistics.growth],
        }
    )


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "confidence": as_number(entry.confidence),
        "line": entry.line,
        "text": headline(entry),
    }
