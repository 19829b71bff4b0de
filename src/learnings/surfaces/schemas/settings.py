"""The schema of the configuration file, from its keys, and the document of `learnings config`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, NotRequired, TypedDict

from learnings.core.settings.feature_tables import (
    CONFIDENCE_KEYS,
    ISSUE_KEYS,
    LEVELS,
    RULE_KEYS,
    TIER_KEYS,
)
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS, Key
from learnings.surfaces.schemas.entries import DialectName
from learnings.surfaces.schemas.record_fields import Count, JsonSchema, Keywords


def _named(*keys: str) -> Keywords:
    return Keywords(propertyNames={"enum": list(keys)})


class SettingRow(TypedDict):
    value: Annotated[object, "as it is written in a file; null for none"]
    origin: Annotated[str, "default, command line, or FILE:LINE"]


Settings = Annotated[
    dict[str, SettingRow], _named(*(name for name in FILE_KEYS | GENERAL_KEYS if name != "path"))
]


class ConfigReading(TypedDict):
    dialect: DialectName
    level: Annotated[int, Keywords(minimum=0, maximum=6)]
    reason: str
    entries: Count
    titles: NotRequired[
        Annotated[list[str], Keywords(maxItems=3), "those of the first three entries"]
    ]
    lines: NotRequired[Count]
    doubt: NotRequired[
        Annotated[str | None, "another reading that comes close, and what to configure then"]
    ]


class ConfigCandidate(TypedDict):
    path: str
    taken: bool
    reason: str


class ConfigLearningsFile(ConfigCandidate):
    read: ConfigReading | None
    settings: Settings


class ConfigReportDocument(TypedDict):
    schema: Literal["learnings.config/1"]
    root: Annotated[str, "the repository's root"]
    config: Annotated[str | None, "the configuration file, from the root"]
    settings: Settings
    issue: NotRequired[Annotated[dict[str, SettingRow], _named(*ISSUE_KEYS)]]
    confidence: NotRequired[Annotated[dict[str, SettingRow], _named(*CONFIDENCE_KEYS)]]
    rules: NotRequired[Annotated[dict[str, SettingRow], "the rules whose level is set"]]
    tiers: NotRequired[Annotated[dict[str, SettingRow], _named(*TIER_KEYS)]]
    learnings: list[ConfigLearningsFile]
    targets: list[ConfigCandidate]
    index: Annotated[list[ConfigCandidate], "the memory index, if there is one"]
    indexed: Annotated[list[ConfigCandidate], "the files whose headings the index lists"]
    loaded_indexes: NotRequired[
        Annotated[
            list[ConfigCandidate], "the indexes that a coding agent keeps for itself and loads"
        ]
    ]
    link_indexes: NotRequired[
        Annotated[list[ConfigCandidate], "the indexes of links at the root and in memory folders"]
    ]


def configuration_schema() -> JsonSchema:
    """Return the schema of the configuration file, with all keys and rules."""
    file_keys = {name: {"$ref": f"#/properties/{name}"} for name in FILE_KEYS}
    files = {
        "type": "array",
        "maxItems": 1000,
        "description": "learnings files with settings of their own; "
        "the other keys hold for the rest",
        "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["path"],
            "properties": file_keys,
        },
    }
    rules = {
        "type": "object",
        "description": "how severe the findings of each rule are",
        "propertyNames": {"enum": [*RULE_KEYS]},
        "additionalProperties": {"enum": [*LEVELS]},
    }
    return {
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


def _table(description: str, keys: Mapping[str, Key]) -> JsonSchema:
    head = {"type": "object", "additionalProperties": False, "description": description}
    return head | {"properties": _properties(keys)}


def _properties(keys: Mapping[str, Key]) -> JsonSchema:
    """Return the schema of each key; a computed value has the default `auto`, or none."""
    properties: JsonSchema = {}
    for name, key in keys.items():
        default = "auto" if key.default is None and "anyOf" in key.kind.schema else key.default
        properties[name] = {**key.kind.schema, "description": key.doc}
        if default is not None:
            properties[name]["default"] = dict(default) if isinstance(default, Mapping) else default
    return properties
