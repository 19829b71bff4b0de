"""Replays as JSON, document `learnings.replay/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.core.due.replay import Replay, ReplayedConsolidation
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.replay/1"


def render(replays: Sequence[Replay]) -> str:
    """Return the document; everything in it is in the order of time."""
    document = {"schema": SCHEMA, "files": [_file(replay) for replay in replays]}
    return json_document(document)


def _file(replay: Replay) -> dict[str, object]:
    return {
        "file": replay.file,
        "evenings": [each._asdict() for each in replay.daily_verdicts],
        "episodes": [each._asdict() for each in replay.episodes],
        "consolidations": [_found(each) for each in replay.consolidations],
    }


def _found(each: ReplayedConsolidation) -> dict[str, object]:
    return {
        **each.consolidation._asdict(),
        "before": each.before._asdict() if each.before else None,
        "overdue": each.overdue,
    }
