"""The JSON Schemas of commands, and the comparison of documents with them."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema

from learnings.surfaces.cli.schema import schema_of


def strict(schema: Any) -> Any:  # noqa: ANN401  (any part of a schema)
    """Return a schema that rejects unnamed fields, so that no field is undocumented."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **inner} if "properties" in schema else inner


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """Return a strict validator for a schema."""
    return jsonschema.Draft202012Validator(strict(schema_of(name)))


def validate(document: object, name: str) -> None:
    """Raise ValidationError if a document violates its schema."""
    validator(name).validate(document)
