"""From a table of keys and values to settings, or to the sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from learnings.core.errors import BadSettings
from learnings.core.settings.schema import (
    FILE_KEYS,
    GENERAL_KEYS,
    PRESETS,
    FileSettings,
    Key,
    KeyPath,
    Origin,
    Settings,
    Source,
)
from learnings.core.settings.types import LARGEST, ItemError, Kind
from learnings.core.suggestions import nearest

if TYPE_CHECKING:
    from learnings.core.settings.issue import IssueSettings

_LONGEST_SHOWN = 60
COMMAND_LINE = Source("command line")
TABLES = ("file", "issue")
_ALL_KEYS = FILE_KEYS | GENERAL_KEYS
_Given = dict[str, tuple[Any, Origin]]


def settings_from(
    table: Mapping[str, object],
    *,
    source: Source,
    overrides: Mapping[str, object] | None = None,
    command_line: Source = COMMAND_LINE,
) -> Settings:
    """The settings of a configuration table, with `overrides` from the command line over them.

    Both map keys as they are written in files (`size-trigger`) to values as TOML gives them.
    Raises BadSettings, with file and line, for the first thing that is wrong.
    """
    written = {name: value for name, value in table.items() if name not in TABLES}
    given = read_keys(written, (), _ALL_KEYS, source)
    forced = read_keys(overrides or {}, (), _ALL_KEYS, command_line)
    issue = _read_issue(table["issue"], source) if "issue" in table else {}
    own = _read_files(table.get("file", []), given, source)
    shared = {name: value for name, value in given.items() if name in FILE_KEYS and name != "path"}
    forced_here = {name: value for name, value in forced.items() if name in FILE_KEYS}
    general = {name: value for name, value in (given | forced).items() if name in GENERAL_KEYS}
    made = Settings(
        file=_file_settings(shared | forced_here),
        files=tuple(_file_settings(shared | each | forced_here) for each in own),
        issue={name: value for name, (value, _) in issue.items()},
        origins={name: origin for name, (_, origin) in general.items()}
        | {f"issue.{name}": origin for name, (_, origin) in issue.items()},
        **{_ALL_KEYS[name].field: value for name, (value, _) in general.items()},
    )
    _check_coverage(made)
    return made


def issue_settings(
    settings: Settings, overrides: Mapping[str, object] | None = None
) -> IssueSettings:
    """The settings of the issue, with `overrides` from the command line over the configured ones.

    Raises BadSettings for an override that does not suit.
    """
    from learnings.core.settings.issue import ISSUE_KEYS, IssueSettings  # noqa: PLC0415  (few ask)

    forced = read_keys(overrides or {}, (), ISSUE_KEYS, COMMAND_LINE)
    given = {**settings.issue, **{name: value for name, (value, _) in forced.items()}}
    return IssueSettings(
        **{key.field: given.get(name, key.default) for name, key in ISSUE_KEYS.items()}
    )


def _check_coverage(made: Settings) -> None:
    if made.coverage_perhaps > made.coverage:
        origin = made.origins.get("coverage-perhaps") or made.origins["coverage"]
        raise BadSettings(
            f"{origin}: coverage-perhaps ({made.coverage_perhaps}) must not exceed coverage "
            f"({made.coverage}); lower it or raise coverage"
        )


def _file_settings(given: _Given) -> FileSettings:
    given = _of_preset(given) | given
    made = FileSettings(
        origins={name: origin for name, (_, origin) in given.items()},
        **{FILE_KEYS[name].field: value for name, (value, _) in given.items()},
    )
    if made.staleness_trigger <= made.freshness:
        origin = made.origins.get("staleness-trigger") or made.origins["freshness"]
        raise BadSettings(
            f"{origin}: staleness-trigger ({made.staleness_trigger}) must exceed freshness "
            f"({made.freshness}), or consolidation is due again as soon as it is done; "
            "raise staleness-trigger or lower freshness"
        )
    return made


def _of_preset(given: _Given) -> _Given:
    if "preset" not in given:
        return {}
    preset, origin = given["preset"]
    return {name: (value, origin) for name, value in PRESETS[preset].items()}


def _read_files(tables: object, given: _Given, source: Source) -> list[_Given]:
    """What is set for each configured file alone: its table, or `path` at the top level."""
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        place = source.place(("file",))
        raise BadSettings(f"{place}: file takes a list of tables; write [[...file]] above each")
    if "path" in given and tables:
        place = source.place(("path",))
        raise BadSettings(f"{place}: path names one file; move it into a [[...file]] table")
    found = [read_keys(each, ("file", at), FILE_KEYS, source) for at, each in enumerate(tables)]
    if "path" in given:
        found.append({"path": given["path"]})
    first: dict[str, Origin] = {}
    for at, each in enumerate(found):
        if "path" not in each:
            raise BadSettings(f"{source.place(('file', at))}: a file table lacks path; add it")
        path, origin = each["path"]
        if path in first:
            name = _shown(path)
            raise BadSettings(f"{origin}: {name} is configured at {first[path]} too; keep one")
        first[path] = origin
    return found


def _read_issue(table: object, source: Source) -> _Given:
    from learnings.core.settings.issue import ISSUE_KEYS  # noqa: PLC0415  (few configure any)

    if not isinstance(table, dict):
        place = source.place(("issue",))
        raise BadSettings(f"{place}: issue takes a table; write [...issue] above its keys")
    return read_keys(table, ("issue",), ISSUE_KEYS, source)


def read_keys(
    table: Mapping[str, object], at: KeyPath, keys: Mapping[str, Key], source: Source
) -> dict[str, tuple[Any, Origin]]:
    """The values of a table with where each was set, by key. Raises BadSettings."""
    given: _Given = {}
    for name, value in table.items():
        origin = Origin(source, (*at, name))
        if name not in keys:
            raise BadSettings(f"{origin}: {_unknown(name, keys)}")
        kind = keys[name].kind
        try:
            given[name] = (kind.read(value, source.folder), origin)
        except ItemError as error:
            index, item = error.args
            place = source.place((*at, name, index))
            raise BadSettings(f"{place}: {_unsuitable(name, kind, item)}") from None
        except (TypeError, ValueError):
            raise BadSettings(f"{origin}: {_unsuitable(name, kind, value)}") from None
    return given


def _unsuitable(name: str, kind: Kind, value: object) -> str:
    near = _nearest(value, kind.names) if isinstance(value, str) else None
    advice = f"; did you mean {near}?" if near else ""
    return f"{name} takes {kind.wants}, not {_shown(value)}{advice}"


def _unknown(name: str, keys: Mapping[str, Key]) -> str:
    if name in _ALL_KEYS or name in TABLES:
        table = "the file table" if keys is FILE_KEYS else "this table"
        return f"{name} holds for all files; move it out of {table}"
    near = _nearest(name, [*keys, *(TABLES if keys is _ALL_KEYS else ())])
    advice = (
        f"did you mean {near}?" if near else "remove it, or see `learnings config` for the keys"
    )
    return f"unknown key {_shown(name)}; {advice}"


def _nearest(text: str, names: Sequence[str]) -> str | None:
    return nearest(text.replace("_", "-"), names, cutoff=0.5)


def _shown(value: object) -> str:
    """A value in a message: short and on one line, whatever it holds."""
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > LARGEST:
        return "a number that large"
    if isinstance(value, bool):
        return str(value).lower()
    text = ascii(value) if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
