"""From a table of keys and values to settings, or to the sentence that says what is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from learnings.core.errors import BadSettings
from learnings.core.settings import (
    FILE_KEYS,
    GENERAL_KEYS,
    FileSettings,
    Key,
    KeyPath,
    Origin,
    Settings,
    Source,
)
from learnings.core.settings_kinds import LARGEST, ItemError, Kind

_LONGEST_SHOWN = 60
COMMAND_LINE = Source("command line")
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
    written = {name: value for name, value in table.items() if name != "file"}
    given = _read(written, (), _ALL_KEYS, source)
    forced = _read(overrides or {}, (), _ALL_KEYS, command_line)
    own = _read_files(table.get("file", []), given, source)
    shared = {name: value for name, value in given.items() if name in FILE_KEYS and name != "path"}
    forced_here = {name: value for name, value in forced.items() if name in FILE_KEYS}
    general = {name: value for name, value in (given | forced).items() if name in GENERAL_KEYS}
    return Settings(
        file=_file_settings(shared | forced_here),
        files=tuple(_file_settings(shared | each | forced_here) for each in own),
        origins={name: origin for name, (_, origin) in general.items()},
        **{_ALL_KEYS[name].field: value for name, (value, _) in general.items()},
    )


def _file_settings(given: _Given) -> FileSettings:
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


def _read_files(tables: object, given: _Given, source: Source) -> list[_Given]:
    """What is set for each configured file alone: its table, or `path` at the top level."""
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        place = source.place(("file",))
        raise BadSettings(f"{place}: file takes a list of tables; write [[...file]] above each")
    if "path" in given and tables:
        place = source.place(("path",))
        raise BadSettings(f"{place}: path names one file; move it into a [[...file]] table")
    found = [_read(each, ("file", at), FILE_KEYS, source) for at, each in enumerate(tables)]
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


def _read(
    table: Mapping[str, object], at: KeyPath, keys: Mapping[str, Key], source: Source
) -> _Given:
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
    return f"{name} takes {kind.wants}, not {_shown(value)}"


def _unknown(name: str, keys: Mapping[str, Key]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  (slow to import, needed for errors only)

    if name in _ALL_KEYS:
        return f"{name} holds for all files; move it out of the file table"
    near = get_close_matches(name[:100].lower().replace("_", "-"), [*keys, "file"], n=1, cutoff=0.5)
    advice = (
        f"did you mean {near[0]}?" if near else "remove it, or see `learnings config` for the keys"
    )
    return f"unknown key {_shown(name)}; {advice}"


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
