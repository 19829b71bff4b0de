"""Replays as JSON, document `learnings.replay/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.due.replay import Replay, ReplayedConsolidation
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.replay/1"


def render(replays: Sequence[Replay]) -> str:
    """Return the document; everything in it is in the order of time."""
    document = {"schema": SCHEMA, "files": [file_document(replay) for replay in replays]}
    return json_document(document)


def file_document(replay: Replay) -> dict[str, object]:
    """Return what the document says of one file."""
    return {
        "file": replay.file,
        "lower_bound": replay.lower_bound,
        "notes": list(replay.notes),
        "evenings": [daily._asdict() for daily in replay.daily_verdicts],
        "episodes": [episode._asdict() for episode in replay.episodes],
        "consolidations": [_consolidation(item) for item in replay.consolidations],
    }


def _consolidation(item: ReplayedConsolidation) -> dict[str, object]:
    return {
        **item.consolidation._asdict(),
        "before": item.before._asdict() if item.before else None,
        "overdue": item.overdue,
    }
