"""The reader: from a table of keys and values to settings, or to a sentence about a mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from learnings.core.errors import BadSettings
from learnings.core.settings.feature_tables import (
    CONFIDENCE_KEYS,
    ISSUE_KEYS,
    RULE_KEYS,
    TIER_KEYS,
    ConfidenceOptions,
    IssueSettings,
    TierSettings,
)
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS, PRESETS, Key
from learnings.core.settings.setting_values import (
    FileSettings,
    KeyPath,
    SettingOrigin,
    Settings,
    SettingsSource,
)
from learnings.core.settings.types import (
    LARGEST_NUMBER,
    MOST_ITEMS,
    ItemError,
    TooManyItems,
    ValueType,
)
from learnings.core.text import suggestion

_LONGEST_SHOWN = 60  # characters of a wrong value in a message; chosen so that it stays one line
_CUTOFF = 0.5  # similarity from which a known name is suggested; low, since there are few names
COMMAND_LINE = SettingsSource("command line")
TABLES = ("file", "issue", "confidence", "rules", "tiers")
_ALL_KEYS = FILE_KEYS | GENERAL_KEYS
# The values that are set in one table, with where each was set, by key.
_Values = dict[str, tuple[Any, SettingOrigin]]


def settings_from(
    table: Mapping[str, object],
    *,
    source: SettingsSource,
    overrides: Mapping[str, object] | None = None,
    command_line: SettingsSource = COMMAND_LINE,
) -> Settings:
    """Return the settings of a table, with `overrides` from the command line over them.

    Both map keys as they are written in files (`size-trigger`) to values as TOML gives them.
    Raises BadSettings, with file and line, for the first thing that is wrong.
    """
    top_level = {name: value for name, value in table.items() if name not in TABLES}
    values = read_keys(top_level, (), _ALL_KEYS, source)
    forced = read_keys(overrides or {}, (), _ALL_KEYS, command_line)
    issue = _read_issue(table["issue"], source) if "issue" in table else {}
    confidence = _read_confidence(table["confidence"], source) if "confidence" in table else {}
    rules = _read_rules(table["rules"], source) if "rules" in table else {}
    tiers = _read_tiers(table["tiers"], source) if "tiers" in table else {}
    files = _read_files(table.get("file", []), values, source)
    shared = {name: value for name, value in values.items() if name in FILE_KEYS and name != "path"}
    forced_here = {name: value for name, value in forced.items() if name in FILE_KEYS}
    general = {name: value for name, value in (values | forced).items() if name in GENERAL_KEYS}
    settings = Settings(
        file=_file_settings(shared | forced_here),
        files=tuple(_file_settings(shared | own_values | forced_here) for own_values in files),
        issue={name: value for name, (value, _) in issue.items()},
        confidence={name: value for name, (value, _) in confidence.items()},
        rules={name: value for name, (value, _) in rules.items()},
        tiers={name: value for name, (value, _) in tiers.items()},
        origins={name: origin for name, (_, origin) in general.items()}
        | {f"issue.{name}": origin for name, (_, origin) in issue.items()}
        | {f"confidence.{name}": origin for name, (_, origin) in confidence.items()}
        | {f"rules.{name}": origin for name, (_, origin) in rules.items()}
        | {f"tiers.{name}": origin for name, (_, origin) in tiers.items()},
        **{_ALL_KEYS[name].field: value for name, (value, _) in general.items()},
    )
    _check_coverage(settings)
    _check_split_sizes(settings)
    return settings


def issue_settings(
    settings: Settings, overrides: Mapping[str, object] | None = None
) -> IssueSettings:
    """Return the settings of the issue, with `overrides` from the command line over them.

    Raises BadSettings for an override of a wrong type or form.
    """
    forced = read_keys(overrides or {}, (), ISSUE_KEYS, COMMAND_LINE)
    values = {**settings.issue, **{name: value for name, (value, _) in forced.items()}}
    return IssueSettings(**{ISSUE_KEYS[name].field: value for name, value in values.items()})


def confidence_options(settings: Settings) -> ConfidenceOptions:
    """Return the settings of a confidence memory."""
    values: dict[str, Any] = {
        CONFIDENCE_KEYS[name].field: value for name, value in settings.confidence.items()
    }
    return ConfidenceOptions(**values)


def tier_settings(settings: Settings) -> TierSettings:
    """Return the settings of learning tiers, with defaults for what is not set."""
    values: dict[str, Any] = {
        TIER_KEYS[name].field: value for name, value in settings.tiers.items()
    }
    return TierSettings(**values)


def _check_coverage(settings: Settings) -> None:
    if settings.coverage_perhaps > settings.coverage:
        origin = settings.origins.get("coverage-perhaps") or settings.origins["coverage"]
        raise BadSettings(
            f"{origin}: coverage-perhaps ({settings.coverage_perhaps}) must not exceed coverage "
            f"({settings.coverage}); lower it or raise coverage"
        )


def _check_split_sizes(settings: Settings) -> None:
    if settings.split_min > settings.split_max:
        origin = settings.origins.get("split-min") or settings.origins["split-max"]
        raise BadSettings(
            f"{origin}: split-min ({settings.split_min}) must not exceed split-max "
            f"({settings.split_max}); lower it or raise split-max"
        )


def _file_settings(values: _Values) -> FileSettings:
    values = _of_preset(values) | values
    settings = FileSettings(
        origins={name: origin for name, (_, origin) in values.items()},
        **{FILE_KEYS[name].field: value for name, (value, _) in values.items()},
    )
    if settings.staleness_trigger <= settings.freshness:
        origin = settings.origins.get("staleness-trigger") or settings.origins["freshness"]
        raise BadSettings(
            f"{origin}: staleness-trigger ({settings.staleness_trigger}) must exceed freshness "
            f"({settings.freshness}), or consolidation is due again as soon as it is done; "
            "raise staleness-trigger or lower freshness"
        )
    return settings


def _of_preset(values: _Values) -> _Values:
    if "preset" not in values:
        return {}
    preset, origin = values["preset"]
    return {name: (value, origin) for name, value in PRESETS[preset].items()}


def _read_files(tables: object, top_level: _Values, source: SettingsSource) -> list[_Values]:
    """Return what is set for each configured file alone: its table, or `path` at the top level."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        location = source.location(("file",))
        raise BadSettings(f"{location}: file takes a list of tables; write [[...file]] above each")
    if "path" in top_level and tables:
        location = source.location(("path",))
        raise BadSettings(f"{location}: path names one file; move it into a [[...file]] table")
    if len(tables) > MOST_ITEMS:
        location = source.location(("file",))
        problem = f"there are {len(tables)} file tables, and at most {MOST_ITEMS} are read"
        raise BadSettings(f"{location}: {problem}; remove some")
    files = [
        read_keys(table, ("file", index), FILE_KEYS, source) for index, table in enumerate(tables)
    ]
    if "path" in top_level:
        files.append({"path": top_level["path"]})
    _check_paths(files, source)
    return files


def _check_paths(files: Sequence[_Values], source: SettingsSource) -> None:
    """Raise BadSettings for a file table without a path, or with the path of an earlier one."""
    first: dict[str, SettingOrigin] = {}
    for index, values in enumerate(files):
        if "path" not in values:
            location = source.location(("file", index))
            raise BadSettings(f"{location}: a file table lacks path; add it")
        path, origin = values["path"]
        if path in first:
            name = _shown(path)
            raise BadSettings(f"{origin}: {name} is configured at {first[path]} too; keep one")
        first[path] = origin


def _read_issue(table: object, source: SettingsSource) -> _Values:

    return read_keys(_checked_table(table, "issue", source), ("issue",), ISSUE_KEYS, source)


def _read_confidence(table: object, source: SettingsSource) -> _Values:

    keys = _checked_table(table, "confidence", source)
    return read_keys(keys, ("confidence",), CONFIDENCE_KEYS, source)


def _read_rules(table: object, source: SettingsSource) -> _Values:

    rules = _checked_table(table, "rules", source)
    return read_keys(rules, ("rules",), RULE_KEYS, source, noun="rule")


def _read_tiers(table: object, source: SettingsSource) -> _Values:

    return read_keys(_checked_table(table, "tiers", source), ("tiers",), TIER_KEYS, source)


def _checked_table(table: object, name: str, source: SettingsSource) -> Mapping[str, object]:
    """Return the table of this name. Raises BadSettings for a value that is not a table."""
    if not isinstance(table, dict):
        location = source.location((name,))
        raise BadSettings(f"{location}: {name} takes a table; write [...{name}] above its keys")
    return table


def read_keys(
    table: Mapping[str, object],
    prefix: KeyPath,
    keys: Mapping[str, Key],
    source: SettingsSource,
    *,
    noun: str = "key",
) -> dict[str, tuple[Any, SettingOrigin]]:
    """Return the values of the table at the key path `prefix`, each with where it was set, by key.

    noun is what the keys name. Raises BadSettings for an unknown key, and for a value that its key
    does not take.
    """
    values: _Values = {}
    for name, value in table.items():
        origin = SettingOrigin(source, (*prefix, name))
        if name not in keys:
            raise BadSettings(f"{origin}: {_unknown(name, keys, noun)}")
        kind = keys[name].kind
        try:
            values[name] = (kind.read(value, source.folder), origin)
        except TooManyItems as error:
            problem = f"takes at most {MOST_ITEMS} values, not {error.args[0]}"
            raise BadSettings(f"{origin}: {name} {problem}; write fewer, or one glob") from None
        except ItemError as error:
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
        return f"{name} holds for all files; move it out of {table}"
    names = [*keys, *(TABLES if keys is _ALL_KEYS else ())]
    listed_by = "schema config" if noun == "key" else "rules"
    otherwise = f"remove it, or see `learnings {listed_by}` for the {noun}s"
    return f"unknown {noun} {_shown(name)}; {_advice(name, names, otherwise=otherwise)}"


def _advice(text: str, names: Sequence[str], *, otherwise: str = "") -> str:
    return suggestion(text.replace("_", "-"), names, otherwise=otherwise, cutoff=_CUTOFF)


def _shown(value: object) -> str:
    """Return a value in a message: short and on one line, whatever it holds."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return "a number that large"
    if isinstance(value, bool):
        return str(value).lower()
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
