"""The settings that a repository had before a change of its configuration."""

from __future__ import annotations

from collections.abc import Mapping

from learnings.app.workspace.config_file import SECTION, SHARED_FILE
from learnings.core.errors import LearningsError
from learnings.core.file_names import OWN_FILE
from learnings.core.settings.sources import Source
from learnings.core.settings.values import Settings

CONFIG_FILES = (OWN_FILE, SHARED_FILE)
"""Those in the root, the later of which counts only where the first is not there."""


def settings_before(contents: Mapping[str, bytes | None]) -> Settings | None:
    """Return the settings by the configuration files of an older version, given by path.

    None where they cannot be read: then those of today are all there is.
    """
    for name in CONFIG_FILES:
        data = contents.get(name)
        table = _table(name, data) if data else None
        if table is not None:
            return _settings(table)
    return Settings()


def _table(name: str, data: bytes) -> Mapping[str, object] | None:
    import tomllib  # noqa: PLC0415  (where a configuration was changed)

    try:
        table: object = tomllib.loads(data.decode("utf-8-sig"))
        for key in SECTION if name == SHARED_FILE else ():
            table = table.get(key) if isinstance(table, dict) else None
    except (ValueError, RecursionError):
        return None
    return table if isinstance(table, dict) else None


def _settings(table: Mapping[str, object]) -> Settings | None:
    from learnings.core.settings.reader import settings_from  # noqa: PLC0415  (as above)

    try:
        return settings_from(
            table,
            source=Source("default"),
            overrides={},
            command_line=Source("command line", ""),
        )
    except LearningsError:
        return None
