"""The rules as the JSON document that other programs read."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.rule_pages import RuleFacts

SCHEMA = "learnings.rules/1"


def render(rules: Sequence[RuleFacts]) -> str:
    """Return the document with a newline at its end."""
    document = {"schema": SCHEMA, "rules": [rule._asdict() for rule in rules]}
    return json_document(document)
