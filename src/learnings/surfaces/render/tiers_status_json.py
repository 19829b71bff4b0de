"""The state of a folder of learning tiers as JSON, document `learnings.tiers-status/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.tiers.compacting import TierState
from learnings.core.settings.tiers import TierSettings
from learnings.surfaces.render.json_document import json_document
from learnings.tiers.index_file import LINES
from learnings.tiers.raw_files import SkippedFile

SCHEMA = "learnings.tiers-status/1"


def render(state: TierState | None, settings: TierSettings) -> str:
    """Return the document."""
    return json_document({"schema": SCHEMA, **values(state, settings)})


def values(state: TierState | None, settings: TierSettings) -> dict[str, object]:
    """Return what is said of a folder; its numbers are 0 where there is none."""
    trigger = state.trigger if state else None
    index = state.files.index_file if state else None
    return {
        "folder": settings.path,
        "exists": state is not None,
        "valid": trigger.valid if trigger else 0,
        "processed": trigger.processed if trigger else 0,
        "new": trigger.new if trigger else 0,
        "due": trigger is not None and trigger.is_due,
        "strict_trigger": settings.strict_trigger,
        "auto_compact": settings.auto_compact,
        "last_compaction": index.values.get("lastCompaction", (None, 0))[0] if index else None,
        "themes": [
            {"name": theme.name, "words": theme.words, "draft": theme.is_draft}
            for theme in (state.files.themes if state else ())
        ],
        "index_lines": len(index.content) if index else 0,
        "index_limit": LINES,
        "skipped": skipped_values(state.files.skipped if state else ()),
    }


def skipped_values(skipped: Sequence[SkippedFile]) -> list[dict[str, str]]:
    """Return the files that are skipped, with the reasons."""
    return [{"file": file.name, "reason": file.reason} for file in skipped]
