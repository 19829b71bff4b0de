"""What was computed from history before, kept in the repository's git folder.

Everything here can be deleted at any time. An entry is used only where the key it was stored
under equals the key asked for, whole; several processes may write at once, since each replaces
whole files; where the folder cannot be written, nothing is kept and nothing fails.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import learnings

MAX_FILES = 1000
FORMAT = 1
"""Raised whenever what is stored changes its shape or its meaning."""


Key = Mapping[str, object]
Value = TypeVar("Value")


class Cache:
    """A folder of JSON files, one for each thing that was computed; None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def load(self, kind: str, key: Key, decode: Callable[[Any], Value]) -> Value | None:
        """Return what was stored under the key, decoded.

        None where nothing was, or what is there does not read as such a value.
        """
        if self._folder is None:
            return None
        try:
            stored = json.loads(self._file(kind, key).read_bytes())
            return decode(stored["value"]) if stored["key"] == _versioned(kind, key) else None
        except (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return None

    def save(self, kind: str, key: Key, value: object) -> None:
        """Store a value of JSON's types under a key; a failure to write is no failure."""
        if self._folder is None:
            return
        content = json.dumps({"key": _versioned(kind, key), "value": value}).encode()
        target = self._file(kind, key)
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            self._folder.mkdir(exist_ok=True)
            self._make_room()
            part.write_bytes(content)
            part.replace(target)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()

    def _file(self, kind: str, key: Key) -> Path:
        assert self._folder is not None
        # What else has this sum takes the place of it: the key inside the file tells them apart.
        name = json.dumps(_versioned(kind, key), sort_keys=True)
        return self._folder / f"{kind}-{crc32(name.encode()):08x}.json"

    def _make_room(self) -> None:
        assert self._folder is not None
        files = list(self._folder.iterdir())
        if len(files) < MAX_FILES:
            return
        files.sort(key=lambda file: file.stat().st_mtime)
        for file in files[: MAX_FILES // 2]:
            with contextlib.suppress(OSError):
                file.unlink()


def _versioned(kind: str, key: Key) -> dict[str, object]:
    return {"kind": kind, "format": FORMAT, "learnings": learnings.__version__, **key}
