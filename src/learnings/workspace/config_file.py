"""The configuration file in use: the nearest one upwards."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from learnings.core.errors import BadSettings
from learnings.core.file_names import OWN_FILE
from learnings.workspace.disk import is_link

if TYPE_CHECKING:
    from learnings.workspace.config_table import ConfigFile


SHARED_FILE = "pyproject.toml"
SECTION = ("tool", "learnings")
# Bytes; no configuration is that long, and tomllib takes minutes for some that are.
LARGEST_CONFIG = 1_000_000


def find_config(start: Path, root: Path) -> ConfigFile | None:
    """Return the configuration nearest to `start`, from there up to `root`, or None.

    In each folder learnings.toml wins over pyproject.toml, which counts only with a
    `tool.learnings`. Raises BadSettings for a file that is unreadable or not valid TOML.
    """
    folder = start
    while True:
        own, shared = folder / OWN_FILE, folder / SHARED_FILE
        data = _content(own, root)
        config = None if data is None else _read(own, data, root, ())
        if config is None:
            data = _content(shared, root)
            if data is not None and SECTION[-1].encode() in data:
                config = _read(shared, data, root, SECTION)
        if config is not None or folder in (root, folder.parent):
            return config
        folder = folder.parent


def _read(path: Path, data: bytes, root: Path, section: tuple[str, ...]) -> ConfigFile | None:
    # Hooks start all day long, mostly where nothing is configured.
    from learnings.workspace.config_table import read_config  # noqa: PLC0415  (where something is)

    name = _name(path, root)
    if len(data) > LARGEST_CONFIG:
        raise BadSettings(_too_large(name))
    return read_config(path, data, name=name, section=section)


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
