"""The reader of settings from a table; it reports the first mistake in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from learnings.core.errors import BadSettings
from learnings.core.settings import types
from learnings.core.settings.keys import (
    CONFIDENCE_KEYS,
    FEATURE_KEYS,
    FILE_KEYS,
    GENERAL_KEYS,
    ISSUE_KEYS,
    PRESETS,
    TIER_KEYS,
    Key,
)
from learnings.core.settings.setting_values import (
    ConfidenceOptions,
    FileSettings,
    IssueSettings,
    KeyPath,
    SettingOrigin,
    Settings,
    SettingsSource,
    TierSettings,
)
from learnings.core.settings.types import ValueType
from learnings.core.text import suggestion

_LONGEST_SHOWN = 60  # characters of a wrong value in a message; chosen so that it stays on one line
_CUTOFF = 0.5  # similarity at which to suggest a known name; low, since there are few names
COMMAND_LINE = SettingsSource("command line")
TABLES = ("file", *FEATURE_KEYS)
_ALL_KEYS = FILE_KEYS | GENERAL_KEYS
# The values set in one table, with their places, by key.
_Values = dict[str, tuple[Any, SettingOrigin]]


def settings_from(
    table: Mapping[str, object],
    *,
    source: SettingsSource,
    overrides: Mapping[str, object] | None = None,
    command_line: SettingsSource = COMMAND_LINE,
) -> Settings:
    """Return the settings of a table and the `overrides`. Raises BadSettings, with the line."""
    top_level = {name: value for name, value in table.items() if name not in TABLES}
    values = read_keys(top_level, (), _ALL_KEYS, source)
    forced = read_keys(overrides or {}, (), _ALL_KEYS, command_line)
    features = {name: _read_feature(name, table.get(name, {}), source) for name in FEATURE_KEYS}
    files = _read_files(table.get("file", []), values, source)
    shared = {name: value for name, value in values.items() if name in FILE_KEYS and name != "path"}
    forced_here = {name: value for name, value in forced.items() if name in FILE_KEYS}
    general = {name: value for name, value in (values | forced).items() if name in GENERAL_KEYS}
    settings = Settings(
        file=_file_settings(shared | forced_here),
        files=tuple(_file_settings(shared | own_values | forced_here) for own_values in files),
        origins={name: origin for name, (_, origin) in general.items()}
        | {
            f"{feature}.{name}": origin
            for feature, own_values in features.items()
            for name, (_, origin) in own_values.items()
        },
        issue=_with(IssueSettings(), ISSUE_KEYS, features["issue"]),
        confidence=_with(ConfidenceOptions(), CONFIDENCE_KEYS, features["confidence"]),
        rules={name: level for name, (level, _) in features["rules"].items()},
        tiers=_with(TierSettings(), TIER_KEYS, features["tiers"]),
        **{_ALL_KEYS[name].field: value for name, (value, _) in general.items()},
    )
    _require_order(settings, "coverage-perhaps", "covered")
    _require_order(settings, "split-min", "split-max")
    return settings


def issue_settings(settings: Settings, overrides: Mapping[str, object]) -> IssueSettings:
    """Return the settings of the issue with `overrides`. Raises BadSettings for a wrong one."""
    return _with(settings.issue, ISSUE_KEYS, read_keys(overrides, (), ISSUE_KEYS, COMMAND_LINE))


_Table = TypeVar("_Table", IssueSettings, ConfidenceOptions, TierSettings)


def _with(table: _Table, keys: Mapping[str, Key], values: _Values) -> _Table:
    return table._replace(**{keys[name].field: value for name, (value, _) in values.items()})


def _require_order(settings: Settings, lower: str, upper: str) -> None:
    low, high = (getattr(settings, _ALL_KEYS[name].field) for name in (lower, upper))
    if low > high:
        origin = settings.origins.get(lower) or settings.origins[upper]
        raise BadSettings(
            f"{origin}: {lower} ({low}) must not exceed {upper} ({high}); lower it or raise {upper}"
        )


def _file_settings(values: _Values) -> FileSettings:
    if "preset" in values:
        preset, origin = values["preset"]
        unset: _Values = {name: (value, origin) for name, value in PRESETS[preset].items()}
        values = unset | values
    settings = FileSettings(
        origins={name: origin for name, (_, origin) in values.items()},
        **{FILE_KEYS[name].field: value for name, (value, _) in values.items()},
    )
    if settings.staleness_trigger <= settings.freshness:
        origin = settings.origins.get("staleness-trigger") or settings.origins["freshness"]
        raise BadSettings(
            f"{origin}: staleness-trigger ({settings.staleness_trigger}) must exceed freshness "
            f"({settings.freshness}), or consolidation is due again as soon as it is done; raise "
            "staleness-trigger or lower freshness"
        )
    return settings


def _read_files(tables: object, top_level: _Values, source: SettingsSource) -> list[_Values]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        location = source.location(("file",))
        raise BadSettings(
            f"{location}: file must be a list of tables; write [[...file]] above each"
        )
    if "path" in top_level and tables:
        location = source.location(("path",))
        raise BadSettings(f"{location}: path names one file; move it into a [[...file]] table")
    if len(tables) > types.MOST_ITEMS:
        location = source.location(("file",))
        problem = f"{len(tables)} file tables, but the limit is {types.MOST_ITEMS}"
        raise BadSettings(f"{location}: {problem}; remove some")
    files = [
        read_keys(table, ("file", index), FILE_KEYS, source) for index, table in enumerate(tables)
    ]
    if "path" in top_level:
        files.append({"path": top_level["path"]})
    first: dict[str, SettingOrigin] = {}
    for index, values in enumerate(files):
        if "path" not in values:
            location = source.location(("file", index))
            raise BadSettings(f"{location}: a file table has no path; add one")
        path, origin = values["path"]
        if path in first:
            name = _shown(path)
            raise BadSettings(f"{origin}: {name} is also configured at {first[path]}; keep one")
        first[path] = origin
    return files


def _read_feature(name: str, table: object, source: SettingsSource) -> _Values:
    if not isinstance(table, dict):
        location = source.location((name,))
        raise BadSettings(f"{location}: {name} must be a table; write [...{name}] above its keys")
    noun = "rule" if name == "rules" else "key"
    return read_keys(table, (name,), FEATURE_KEYS[name], source, noun=noun)


def read_keys(
    table: Mapping[str, object],
    prefix: KeyPath,
    keys: Mapping[str, Key],
    source: SettingsSource,
    *,
    noun: str = "key",
) -> dict[str, tuple[Any, SettingOrigin]]:
    """Return the values at `prefix` with their origins. Raises BadSettings for a wrong one."""
    values: _Values = {}
    for name, value in table.items():
        origin = SettingOrigin(source, (*prefix, name))
        if name not in keys:
            raise BadSettings(f"{origin}: {_unknown(name, keys, noun)}")
        kind = keys[name].kind
        try:
            values[name] = (kind.read(value, source.folder), origin)
        except types.TooManyItems as error:
            problem = f"takes at most {types.MOST_ITEMS} values, not {error.args[0]}"
            raise BadSettings(f"{origin}: {name} {problem}; write fewer, or one glob") from None
        except types.ItemError as error:
            index, item = error.args
            location = source.location((*prefix, name, index))
            raise BadSettings(f"{location}: {_wrong_value(name, kind, item)}") from None
        except (TypeError, ValueError):
            raise BadSettings(f"{origin}: {_wrong_value(name, kind, value)}") from None
    return values


def _wrong_value(name: str, kind: ValueType, value: object) -> str:
    advice = _advice(value, kind.names) if isinstance(value, str) else ""
    return "; ".join(filter(None, (f"{name} takes {kind.wants}, not {_shown(value)}", advice)))


def _unknown(name: str, keys: Mapping[str, Key], noun: str) -> str:
    if name in _ALL_KEYS or name in TABLES:
        table = "the file table" if keys is FILE_KEYS else "this table"
        return f"{name} applies to all files; move it out of {table}"
    names = [*keys, *(TABLES if keys is _ALL_KEYS else ())]
    listed_by = "schema config" if noun == "key" else "rules"
    otherwise = f"remove it, or see `learnings {listed_by}` for the {noun}s"
    return f"unknown {noun} {_shown(name)}; {_advice(name, names, otherwise=otherwise)}"


def _advice(text: str, names: Sequence[str], *, otherwise: str = "") -> str:
    return suggestion(text.replace("_", "-"), names, otherwise=otherwise, cutoff=_CUTOFF)


def _shown(value: object) -> str:
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > types.LARGEST_NUMBER:
        return "a number this large"
    if isinstance(value, bool):
        return str(value).lower()
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
