"""A fleet as JSON, document `learnings.fleet/1`, which can be merged with others."""

from __future__ import annotations

from learnings.app.fleet.documents import SCHEMA
from learnings.core.fleet import STATES, Fleet, RepositoryRow
from learnings.surfaces.render.json_document import json_document


def render(fleet: Fleet) -> str:
    """Return the document; repositories are most overdue first."""
    return json_document(
        {
            "schema": SCHEMA,
            "summary": {state: fleet.count(state) for state in STATES}
            | {"words": fleet.cost.words, "tokens": fleet.cost.tokens},
            "repositories": [_row(row) for row in fleet.rows],
        }
    )


def _row(row: RepositoryRow) -> dict[str, object]:
    return row._asdict() | {"reasons": list(row.reasons), "tokens": row.cost.tokens}
