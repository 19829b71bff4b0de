"""The settings in effect in a repository, their origins, and the files they apply to."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from learnings.check.memory_index import indexed_files
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.roles import target_patterns
from learnings.core.settings.keys import (
    CONFIDENCE_KEYS,
    FILE_KEYS,
    GENERAL_KEYS,
    ISSUE_KEYS,
    TIER_KEYS,
    Key,
)
from learnings.core.settings.setting_values import FileSettings, Settings
from learnings.core.settings.types import PATHS
from learnings.forms.learnings_file import FileReading, reading_of
from learnings.workspace.discovery import Candidate
from learnings.workspace.memory_file import memory_at
from learnings.workspace.skipped import skipped_files
from learnings.workspace.workspace import Workspace


class SettingValue(NamedTuple):
    """A setting in effect: its value as written in a file, and its origin."""

    value: object
    origin: str


class ConfiguredMemory(NamedTuple):
    """A memory, included or skipped, with its reading and settings if it is included."""

    candidate: Candidate
    reading: FileReading | None = None
    settings: Mapping[str, SettingValue] = {}


class ConfigReport(NamedTuple):
    """The settings of a repository by key, and the files of each role including skipped ones."""

    root: str
    config: str | None
    settings: dict[str, SettingValue]
    issue: dict[str, SettingValue]
    confidence: dict[str, SettingValue]
    rules: dict[str, SettingValue]
    tiers: dict[str, SettingValue]
    learnings: tuple[ConfiguredMemory, ...]
    targets: tuple[Candidate, ...]
    indexes: tuple[Candidate, ...]
    indexed: tuple[Candidate, ...]
    loaded_indexes: tuple[Candidate, ...]
    link_indexes: tuple[Candidate, ...]


def config_report(workspace: Workspace) -> ConfigReport:
    """Return the settings and the files of a workspace; raises BadSettings."""
    indexes, indexed = _index(workspace)
    settings, values = workspace.settings, _file_values(workspace.settings.file)
    for name, key in GENERAL_KEYS.items():
        value = target_patterns(settings) if name == "targets" else getattr(settings, key.field)
        if key.kind is PATHS and isinstance(value, tuple) and len(value) == 1:
            value = value[0]  # the usual notation
        values[name] = SettingValue(value, str(settings.origins.get(name, "default")))
    own = (
        ConfiguredMemory(
            memory,
            reading_of(memory_at(workspace, workspace.root / memory.path)),
            _file_values(workspace.file_settings(memory.path)),
        )
        for memory in workspace.found.memories
    )
    return ConfigReport(
        root=str(workspace.root),
        config=workspace.relative(workspace.config.path) if workspace.config else None,
        settings=values,
        issue=_table_values("issue", ISSUE_KEYS, settings.issue, settings),
        confidence=_table_values("confidence", CONFIDENCE_KEYS, settings.confidence, settings),
        rules={
            rule: SettingValue(level, str(settings.origins[f"rules.{rule}"]))
            for rule, level in settings.rules.items()
        },
        tiers=_table_values("tiers", TIER_KEYS, settings.tiers, settings),
        learnings=(*own, *map(ConfiguredMemory, skipped_files(workspace))),
        targets=workspace.found.targets,
        indexes=indexes,
        indexed=indexed,
        loaded_indexes=workspace.found.loaded_indexes,
        link_indexes=workspace.found.link_indexes,
    )


def _index(workspace: Workspace) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    indexes: list[Candidate] = []
    listed: dict[str, Candidate] = {}
    for path in workspace.settings.index:
        try:
            files = [*workspace.found.indexes_at([path])]
            for file in (file for file in files if file.included):
                listed |= {c.path: c for c in indexed_files(workspace, file.path)}
            indexes += files
        except (MissingFile, UsageProblem) as error:
            indexes.append(Candidate(path, str(error)))
    with suppress(MissingFile, UsageProblem):  # it is among the learnings files with the reason
        indexes += workspace.found.blocks
    return tuple(indexes), tuple(listed.values())


def _file_values(settings: FileSettings) -> dict[str, SettingValue]:
    values = {}
    for name, key in FILE_KEYS.items():
        value = getattr(settings, key.field)
        if name != "path":
            written = "auto" if value is None else value
            values[name] = SettingValue(written, str(settings.origins.get(name, "default")))
    return values


def _table_values(
    table: str, keys: Mapping[str, Key], chosen: object, settings: Settings
) -> dict[str, SettingValue]:
    return {
        name: SettingValue(
            dict(value) if isinstance(value, Mapping) else value,
            str(settings.origins.get(f"{table}.{name}", "default")),
        )
        for name, key in keys.items()
        for value in [getattr(chosen, key.field)]
    }
