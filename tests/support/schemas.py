"""The JSON Schemas that ship, and documents compared with them."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import jsonschema

FOLDER = resources.files("learnings.surfaces") / "schemas"


def text_of(name: str) -> bytes:
    """Return a schema as it ships."""
    return (FOLDER / f"{name}.schema.json").read_bytes()


def strict(schema: Any) -> Any:  # noqa: ANN401  (any part of a schema)
    """Return a schema that refuses fields it does not name, so that none goes undocumented."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: strict(value) for key, value in schema.items()}
    return {"additionalProperties": False, **inner} if "properties" in schema else inner


@cache
def validator(name: str) -> jsonschema.Draft202012Validator:
    """Return what compares documents with a schema, strictly."""
    return jsonschema.Draft202012Validator(strict(json.loads(text_of(name))))


def validate(document: object, name: str) -> None:
    """Raise ValidationError where a document is not as its schema says."""
    validator(name).validate(document)
