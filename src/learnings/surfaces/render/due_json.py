"""Verdicts as JSON, document `learnings.due/1`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import Verdict
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.next_step import next_step

if TYPE_CHECKING:
    from learnings.app.confidence.state import MemoryState
    from learnings.app.tiers.news import TierNews

SCHEMA = "learnings.due/1"


def render(
    verdicts: Sequence[Verdict],
    *,
    memory: MemoryState | None = None,
    tiers: TierNews | None = None,
) -> str:
    """Return the document; each batch is oldest first.

    memory and tiers are in it where there are any.
    """
    files = [file_document(verdict) for verdict in verdicts]
    document: dict[str, object] = {"schema": SCHEMA, "files": files}
    if memory is not None:
        from learnings.surfaces.render.memory_words import memory_document  # noqa: PLC0415  (few have one)

        document["memory"] = memory_document(memory)
    if tiers is not None:
        document["tiers"] = _tiers(tiers)
    return json_document(document)


def _tiers(tiers: TierNews) -> dict[str, object]:
    return {
        "folder": tiers.folder,
        "valid": tiers.trigger.valid,
        "new": tiers.trigger.new,
        "due": tiers.trigger.is_due,
        "auto_compact": tiers.auto_compact,
        "problem": tiers.problem,
    }


def file_document(verdict: Verdict) -> dict[str, object]:
    """Return what the document says of one file."""
    forecast = verdict.forecast
    return {
        "file": verdict.report.file,
        "verdict": verdict.verdict,
        "conditions": [_condition(condition) for condition in verdict.conditions],
        "batch": [
            {
                "title": entry_age.entry.title,
                "timestamp": entry_age.entry.stamp,
                "line": entry_age.entry.first,
                "identity": entry_age.entry.identity,
                "active_days": entry_age.active_days,
                "lower_bound": entry_age.lower_bound,
                "superseded": entry_age.entry.superseded,
            }
            for entry_age in verdict.batch
        ],
        "escalated": verdict.escalated,
        "starved_since": verdict.starved_since,
        "due_since": verdict.due_since,
        "next": next_step(verdict),
        "switched_off": verdict.switched_off,
        "forecast": forecast
        and {"due_in_active_days": forecast.due_in_active_days, "because": forecast.because},
        "as_of": verdict.report.history.activity.as_of,
        "lower_bound": verdict.lower_bound,
        "notes": list(verdict.report.history.notes),
    }


def _condition(condition: Condition) -> dict[str, object]:
    return {
        "name": condition.name,
        "value": condition.value,
        "threshold": condition.threshold,
        "distance": condition.distance,
        "met": condition.met,
        "known": condition.known,
    }
