"""The configuration file: the nearest one upwards, read, with the line of each key in it."""

from __future__ import annotations

import re
import stat
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from learnings.app.workspace.disk import is_link
from learnings.core.errors import BadSettings
from learnings.core.file_names import OWN_FILE
from learnings.core.text import printable

if TYPE_CHECKING:
    from learnings.core.settings.sources import KeyPath, Source

SHARED_FILE = "pyproject.toml"
SECTION = ("tool", "learnings")
# Bytes; no configuration is that long, and tomllib takes minutes for some that are.
LARGEST_CONFIG = 1_000_000


class ConfigFile(NamedTuple):
    """A configuration file: where it is, and the table that holds the settings."""

    path: Path
    table: Mapping[str, object]
    source: Source


def find_config(start: Path, root: Path) -> ConfigFile | None:
    """Return the configuration that holds in the folder `start`, or None.

    Looks from `start` upwards to `root`, which has to be `start` or a folder above it. In each
    folder learnings.toml wins over pyproject.toml, which counts only with a `tool.learnings`.
    Raises BadSettings where a file cannot be read or is not valid TOML.
    """
    folder = start
    while True:
        config = _own_config(folder, root) or _shared_config(folder, root)
        if config is not None or folder in (root, folder.parent):
            return config
        folder = folder.parent


def _own_config(folder: Path, root: Path) -> ConfigFile | None:
    data = _content(folder / OWN_FILE, root)
    if data is None:
        return None
    name = _name(folder / OWN_FILE, root)
    text, table = _parse(data, name)
    return ConfigFile(folder / OWN_FILE, table, _source(name, text, ()))


def _shared_config(folder: Path, root: Path) -> ConfigFile | None:
    data = _content(folder / SHARED_FILE, root)
    # Hooks start all day long: tomllib is imported only where there is something for it to read.
    if data is None or SECTION[-1].encode() not in data:
        return None
    name = _name(folder / SHARED_FILE, root)
    text, table = _parse(data, name)
    tool = table.get(SECTION[0])
    section = tool.get(SECTION[1]) if isinstance(tool, dict) else None
    if section is None:
        return None
    source = _source(name, text, SECTION)
    if not isinstance(section, dict):
        location = source.location(())
        raise BadSettings(
            f"{location}: tool.learnings is not a table; write [tool.learnings] above the keys"
        )
    return ConfigFile(folder / SHARED_FILE, section, source)


def _name(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


def _content(path: Path, root: Path) -> bytes | None:
    """Return the bytes of a regular file; None where there is no file, or a folder.

    Of pyproject.toml, which may be about anything, only what is within the limit and one byte.
    """
    name = _name(path, root)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return None
        if not stat.S_ISREG(status.st_mode):
            raise BadSettings(f"{name}: is not a regular file; put the configuration into one")
        if path.is_symlink() and not path.resolve().is_relative_to(root.resolve()):
            raise BadSettings(f"{name}: leads out of the repository; put the file itself here")
        if path.name == OWN_FILE and status.st_size > LARGEST_CONFIG:
            raise BadSettings(_too_large(name))
        with path.open("rb") as file:
            return file.read(LARGEST_CONFIG + 1)
    except FileNotFoundError:
        if is_link(path):
            raise BadSettings(f"{name}: points to no file; correct or remove the link") from None
        return None
    except NotADirectoryError:
        return None
    except OSError as error:
        reason = error.strerror or "unknown reason"
        raise BadSettings(f"{name}: cannot be read ({reason}); make it readable") from None


def _too_large(name: str) -> str:
    return f"{name}: has more than {LARGEST_CONFIG} bytes; shorten it"


def _parse(data: bytes, name: str) -> tuple[str, dict[str, object]]:
    import tomllib  # noqa: PLC0415  (costs more than the rest of a start)

    if len(data) > LARGEST_CONFIG:
        raise BadSettings(_too_large(name))
    text = _decode(data, name)
    try:
        return text, tomllib.loads(text)
    except RecursionError:
        raise BadSettings(f"{name}: is nested too deeply; flatten it") from None
    except ValueError as error:
        raise BadSettings(_broken(name, text, str(error))) from None


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadSettings(f"{name}:{line}: is not UTF-8; save the file as UTF-8") from None


def _broken(name: str, text: str, reason: str) -> str:
    # The end of a message of tomllib: ` (at line 3, column 5)` or ` (at end of document)`.
    match = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", reason)
    if match is None:  # not about the syntax: a number too long for Python, a date like 2026-13-01
        return f"{name}: is not valid TOML (a date or a number cannot be read); correct it"
    problem = printable(reason[: match.start()])
    line = match[1] or text.rstrip("\n").count("\n") + 1
    position = f"at column {match[2]}" if match[2] else "at the end"
    return f"{name}:{line}: is not valid TOML ({problem} {position}); correct this line"


def _source(name: str, text: str, section: tuple[str, ...]) -> Source:
    @cache
    def lines() -> dict[KeyPath, int]:
        from learnings.core.settings.toml_lines import key_lines  # noqa: PLC0415  (for messages only)

        return key_lines(text)

    from learnings.core.settings.sources import Source  # noqa: PLC0415  (where something is configured)

    folder = name.rpartition("/")[0]
    return Source(name, folder, lambda keys: lines().get((*section, *keys)))
