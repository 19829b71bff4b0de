"""A briefing as JSON, document `learnings.briefing/1`."""

from __future__ import annotations

from learnings.confidence.briefing import BriefedEntry, Briefing
from learnings.confidence.values import AntiPattern, Principle
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.memory_words import as_number, headline

SCHEMA = "learnings.briefing/1"


def render(briefing: Briefing) -> str:
    """Return the document."""
    return json_document(
        {
            "schema": SCHEMA,
            "entries": [_entry(briefed) for briefed in briefing.entries],
            "left_out": briefing.left_out,
        }
    )


def _entry(briefed: BriefedEntry) -> dict[str, object]:
    entry = briefed.entry
    failed = entry if isinstance(entry, AntiPattern) else None
    return {
        "id": entry.id,
        "text": headline(entry),
        "confidence": as_number(entry.confidence),
        "relevance": as_number(briefed.relevance),
        "triggers": [*briefed.triggers],
        "guidance": [*entry.guidance] if isinstance(entry, Principle) else [],
        "severity": failed.severity if failed else None,
        "failure_mode": failed.failure_mode if failed else None,
        "recommended_approach": failed.recommended_approach if failed else None,
        "roles": [*entry.roles],
        "tags": [*entry.tags],
    }
