"""What a compaction has written, or would, as JSON, document `learnings.tiers-compact/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.tiers.compacting import CompactionPlan
from learnings.core.settings.tiers import TierSettings
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.tiers_status_json import skipped_values
from learnings.tiers.compaction import ThemeChange
from learnings.tiers.raw_files import Observation
from learnings.tiers.theme_file import words_of

SCHEMA = "learnings.tiers-compact/1"


def render(plan: CompactionPlan | None, settings: TierSettings, *, written: bool) -> str:
    """Return the document; without a plan no compaction was due."""
    return json_document(
        {
            "schema": SCHEMA,
            "folder": settings.path,
            "due": plan is not None,
            "written": written,
            "new": plan.state.trigger.new if plan else 0,
            "processed": plan.compaction.processed if plan else None,
            "themes": [_theme(theme) for theme in plan.compaction.themes] if plan else [],
            "left": finding_values(plan.compaction.left) if plan else [],
            "index": plan.compaction.index_text if plan else None,
            "files": [*plan.paths] if plan else [],
            "skipped": skipped_values(plan.state.files.skipped if plan else ()),
        }
    )


def finding_values(observations: Sequence[Observation]) -> list[dict[str, object]]:
    """Return findings of work units; number is the place in the raw file, from 1."""
    return [
        {
            "work_unit": observation.unit,
            "file": observation.file,
            "number": observation.number,
            "rule": observation.rule,
            "description": observation.description,
            "disposition": observation.disposition,
        }
        for observation in observations
    ]


def _theme(theme: ThemeChange) -> dict[str, object]:
    return {
        "name": theme.name,
        "title": theme.title,
        "state": "new" if theme.before is None else "grown",
        "words": words_of(theme.text),
        "added": finding_values(theme.added),
        "text": theme.text,
    }
