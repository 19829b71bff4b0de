"""The schema of the configuration file, from its keys, and the document of `learnings config`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from learnings.core.settings.feature_tables import (
    CONFIDENCE_KEYS,
    ISSUE_KEYS,
    LEVELS,
    RULE_KEYS,
    TIER_KEYS,
)
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS, Key
from learnings.surfaces.schemas.entries import DIALECT
from learnings.surfaces.schemas.fields import (
    ANYTHING,
    BOOL,
    COUNT,
    INTEGER,
    TEXT,
    Document,
    Field,
    JsonSchema,
    Kind,
    Record,
    by_name,
    each,
    head,
)

if TYPE_CHECKING:
    from learnings.app.config_report import ConfigReport, ConfiguredMemory, SettingValue
    from learnings.forms.learnings_file import FileReading
    from learnings.workspace.discovery import Candidate

_SETTING: Record[SettingValue] = Record(
    value=ANYTHING("as it is written in a file; null for none"),
    origin=TEXT("default, command line, or FILE:LINE"),
)
_FILE_SETTINGS = by_name(_SETTING, *(name for name in FILE_KEYS | GENERAL_KEYS if name != "path"))


def _later(kind: Kind, doc: str = "") -> Field[ConfigReport]:
    return kind(doc, required=False)


_READING: Record[FileReading] = Record(
    dialect=DIALECT,
    level=INTEGER.but(minimum=0, maximum=6),
    reason=TEXT,
    entries=COUNT,
    titles=each(TEXT, maxItems=3)("those of the first three entries", required=False),
    lines=COUNT(required=False),
    doubt=TEXT.or_null(
        "another reading that comes close, and what to configure then",
        of=lambda reading: reading.ambiguity,
        required=False,
    ),
)
_CANDIDATE: Record[Candidate] = Record(
    path=TEXT, reason=TEXT, taken=BOOL(of=lambda candidate: candidate.included)
)
_CANDIDATES = each(_CANDIDATE)
_MEMORY: Record[ConfiguredMemory] = Record(
    _CANDIDATE.at(lambda memory: memory.candidate),
    read=_READING.or_null(of=lambda memory: memory.reading),
    settings=_FILE_SETTINGS,
)
CONFIG_REPORT: Document[ConfigReport] = Document(
    "config/1",
    "config",
    root=TEXT("the repository's root"),
    config=TEXT.or_null("the configuration file, from the root"),
    settings=_FILE_SETTINGS,
    issue=_later(by_name(_SETTING, *ISSUE_KEYS)),
    confidence=_later(by_name(_SETTING, *CONFIDENCE_KEYS)),
    rules=_later(by_name(_SETTING), "the rules whose level is set"),
    tiers=_later(by_name(_SETTING, *TIER_KEYS)),
    learnings=each(_MEMORY),
    targets=_CANDIDATES,
    index=_CANDIDATES("the memory index, if there is one", of=lambda report: report.indexes),
    indexed=_CANDIDATES("the files whose headings the index lists"),
    loaded_indexes=_later(
        _CANDIDATES, "the indexes that a coding agent keeps for itself and loads"
    ),
    link_indexes=_later(_CANDIDATES, "the indexes of links at the root and in memory folders"),
)


def configuration_schema(name: str) -> JsonSchema:
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
        **head(name, "1", "The configuration of learnings"),
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
