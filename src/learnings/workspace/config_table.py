"""The table of settings in a configuration file, with the line of each key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import BadSettings
from learnings.core.settings.setting_values import KeyPath, SettingsSource
from learnings.core.settings.toml_lines import key_lines
from learnings.core.text import printable


class ConfigFile(NamedTuple):
    """A configuration file: where it is, and the table that holds the settings."""

    path: Path
    table: Mapping[str, object]
    source: SettingsSource


def read_config(
    path: Path, data: bytes, *, name: str, section: tuple[str, ...]
) -> ConfigFile | None:
    """Return the settings in a `section` of a configuration file, None if it has no such section.

    Raises BadSettings for what is not valid TOML.
    """
    text = _decode(data, name)
    table: object = _parse(text, name)
    for key in section:
        table = table.get(key) if isinstance(table, dict) else None
    if table is None:
        return None

    @cache
    def lines() -> dict[KeyPath, int]:
        return key_lines(text)

    folder = name.rpartition("/")[0]
    source = SettingsSource(name, folder, lambda keys: lines().get((*section, *keys)))
    if not isinstance(table, dict):
        header = ".".join(section)
        raise BadSettings(
            f"{source.location(())}: {header} is not a table; write [{header}] above the keys"
        )
    return ConfigFile(path, table, source)


def _parse(text: str, name: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadSettings(f"{name}: is nested too deeply; flatten it") from None
    except ValueError as error:
        reason = str(error)
    # The end of a message of tomllib: ` (at line 3, column 5)` or ` (at end of document)`.
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", reason)
    if match is None:  # not about the syntax: a number too long for Python, a date like 2026-13-01
        raise BadSettings(
            f"{name}: is not valid TOML (a date or a number cannot be read); correct it"
        )
    problem = printable(reason[: match.start()])
    line = match[1] or text.rstrip("\n").count("\n") + 1
    position = f"at column {match[2]}" if match[2] else "at the end"
    raise BadSettings(f"{name}:{line}: is not valid TOML ({problem} {position}); correct this line")


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadSettings(f"{name}:{line}: is not UTF-8; save the file as UTF-8") from None
