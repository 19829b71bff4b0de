"""What a curation did as JSON, document `learnings.curation/1`."""

from __future__ import annotations

from learnings.app.confidence.curating import CurateResult
from learnings.confidence.values import Change
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.memory_words import active_entries, as_number

SCHEMA = "learnings.curation/1"


def render(result: CurateResult, *, is_written: bool = True) -> str:
    """Return the document; is_written is False where the files stay as they are."""
    return json_document(
        {
            "schema": SCHEMA,
            "written": is_written,
            "completes": result.completes,
            "changes": [_change(change) for change in result.changes],
            "files": [file.path for file in result.files],
            "captured": [*result.captured],
            "active": {**active_entries(result.memory)},
            "problems": [
                {"path": problem.path, "line": problem.line, "message": problem.message}
                for problem in result.problems
            ],
        }
    )


def _change(change: Change) -> dict[str, object]:
    fields = change._asdict() | {"line": change.line or None}
    for name in ("before", "after"):
        value = fields[name]
        fields[name] = None if value is None else as_number(value)
    return fields
