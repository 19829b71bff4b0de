"""The schema of the configuration file, from its keys, and the document of `learnings config`."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.core.settings.keys import (
    CONFIDENCE_KEYS,
    FILE_KEYS,
    GENERAL_KEYS,
    ISSUE_KEYS,
    LEVELS,
    RULE_KEYS,
    TIER_KEYS,
    Key,
)
from learnings.surfaces.schemas import fields as js
from learnings.surfaces.schemas.entries import DIALECT

_SETTING = js.Record(
    value=js.ANYTHING("As written in a file, or null"),
    origin=js.TEXT("default, command line, or FILE:LINE"),
)
_FILE_SETTINGS = js.by_name(
    _SETTING, *(name for name in FILE_KEYS | GENERAL_KEYS if name != "path")
)


def _later(kind: js.Kind, doc: str = "") -> js.Kind:
    return kind(doc, required=False)


_READING = js.Record(
    dialect=DIALECT,
    level=js.INTEGER.but(minimum=0, maximum=6),
    reason=js.TEXT,
    entries=js.COUNT,
    titles=js.each(js.TEXT, maxItems=3)("Titles of the first three entries", required=False),
    lines=js.COUNT(required=False),
    doubt=js.TEXT.or_null(
        "Another dialect that fits nearly as well, and the setting that selects it",
        of="ambiguity",
        required=False,
    ),
)
_CANDIDATE = js.Record(path=js.TEXT, reason=js.TEXT, taken=js.BOOL(of="included"))
_CANDIDATES = js.each(_CANDIDATE)
_MEMORY = js.Record(
    _CANDIDATE.at("candidate"), read=_READING.or_null(of="reading"), settings=_FILE_SETTINGS
)
CONFIG_REPORT = js.Head("config/1", "config").document(
    root=js.TEXT("Root of the repository"),
    config=js.TEXT.or_null("Path of the configuration file, relative to the root"),
    settings=_FILE_SETTINGS,
    issue=_later(js.by_name(_SETTING, *ISSUE_KEYS)),
    confidence=_later(js.by_name(_SETTING, *CONFIDENCE_KEYS)),
    rules=_later(js.by_name(_SETTING), "Rules with a configured level"),
    tiers=_later(js.by_name(_SETTING, *TIER_KEYS)),
    learnings=js.each(_MEMORY),
    targets=_CANDIDATES,
    index=_CANDIDATES("The memory indexes", of="indexes"),
    indexed=_CANDIDATES("The files whose headings the index lists"),
    loaded_indexes=_later(_CANDIDATES, "Indexes that a coding agent writes and loads itself"),
    link_indexes=_later(_CANDIDATES, "Indexes of links at the root and in memory folders"),
)


def configuration_schema(name: str) -> js.JsonSchema:
    """Return the schema of the configuration file, with all keys and rules."""
    file_keys = {name: {"$ref": f"#/properties/{name}"} for name in FILE_KEYS}
    files = {
        "type": "array",
        "maxItems": 1000,
        "description": "learnings files with their own settings; the other keys apply to all files",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["path"],
            "properties": file_keys,
        },
    }
    rules = {
        "type": "object",
        "description": "severity of the findings of each rule",
        "propertyNames": {"enum": [*RULE_KEYS]},
        "additionalProperties": {"enum": [*LEVELS]},
    }
    return {
        **js.head(name, "1", "The configuration of learnings"),
        "description": "[tool.learnings] of pyproject.toml, or the whole of learnings.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            **_properties(FILE_KEYS | GENERAL_KEYS),
            "file": files,
            "issue": _table("the consolidation issue", ISSUE_KEYS),
            "confidence": _table("a memory of scored entries in YAML", CONFIDENCE_KEYS),
            "rules": rules,
            "tiers": _table("learning tiers", TIER_KEYS),
        },
        "not": {"required": ["path", "file"], "properties": {"file": {"minItems": 1}}},
    }


def _table(description: str, keys: Mapping[str, Key]) -> js.JsonSchema:
    table = {"type": "object", "additionalProperties": False, "description": description}
    return table | {"properties": _properties(keys)}


def _properties(keys: Mapping[str, Key]) -> js.JsonSchema:
    """Return the schema of each key; a computed value has the default `auto`, or none."""
    properties: js.JsonSchema = {}
    for name, key in keys.items():
        default = "auto" if key.default is None and "anyOf" in key.kind.schema else key.default
        properties[name] = {**key.kind.schema, "description": key.doc}
        if default is not None:
            properties[name]["default"] = dict(default) if isinstance(default, Mapping) else default
    return properties
