"""Rules that several work units have found as JSON, document `learnings.tiers-promote/1`."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.tiers_compact_json import finding_values
from learnings.tiers.promotion import Promotion

SCHEMA = "learnings.tiers-promote/1"


def render(proposal: tuple[str, Sequence[Promotion]] | None) -> str:
    """Return the document; file is null where there is no folder of raw files."""
    path, promotions = proposal or (None, ())
    return json_document(
        {
            "schema": SCHEMA,
            "file": path,
            "rules": [
                {
                    "title": promotion.title,
                    "rule": promotion.rule,
                    "line": promotion.line,
                    "promoted": promotion.promoted,
                    "work_units": [*promotion.units],
                    "findings": finding_values(promotion.observations),
                }
                for promotion in promotions
            ],
        }
    )
