"""Replays as JSON, document `learnings.replay/1`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from learnings.core.due.replay import Found, Replay


def render(replays: Sequence[Replay]) -> str:
    """Return the document; everything in it is in the order of time."""
    document = {"schema": "learnings.replay/1", "files": [_file(replay) for replay in replays]}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _file(replay: Replay) -> dict[str, object]:
    return {
        "file": replay.file,
        "evenings": [each._asdict() for each in replay.evenings],
        "episodes": [each._asdict() for each in replay.episodes],
        "consolidations": [_found(each) for each in replay.consolidations],
    }


def _found(each: Found) -> dict[str, object]:
    return {
        **each.consolidation._asdict(),
        "before": each.before._asdict() if each.before else None,
        "overdue": each.overdue,
    }
