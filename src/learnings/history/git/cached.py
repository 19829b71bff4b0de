"""Results computed from history, cached in the git folder and verified when read.

A value counts as absent unless its file is intact and has the same key, with the version that wrote
it, which says what the value is made of. Several processes may write at once; write failures are
ignored.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import learnings

# Limits the folder to some MB, as most files have a few KB; chosen without a measurement.
MAX_FILES = 1000
_ABANDONED = 3600  # seconds; chosen, as for the temporary files of memories
# The beginning of a file: the checksum of the rest. CRC-32 detects every single-bit error and every
# burst of up to 32 bits; it misses one in 4 billion of other errors. It guards against failing
# disks: people who can write here could write a matching checksum. It is already loaded, whereas
# importing hashlib would add 3 ms to a report of some tens.
_HEAD = '{{"digest": "{:08x}", '
_HEAD_LENGTH = len(_HEAD.format(0))
FORMAT = 16
"""Increased whenever a stored value changes its shape or its meaning."""
UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""Exceptions from reading or decoding a file that is damaged."""

Key = Mapping[str, object]
Value = TypeVar("Value")


class Cache:
    """A folder of JSON files, one for each stored value; None stores nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._read: dict[Path, bytes] = {}

    def load(self, kind: str, key: Key, decode: Callable[[Any], Value]) -> Value | None:
        """Return the decoded value stored under the key; None if there is no readable one."""
        if self._folder is None:
            return None
        try:
            file, whole_key = self._place(kind, key)
            content = file.read_bytes()
            if content[:_HEAD_LENGTH] != _HEAD.format(crc32(content[_HEAD_LENGTH:])).encode():
                return None
            self._read[file] = content
            stored = json.loads(content)
            return decode(stored["value"]) if stored["key"] == whole_key else None
        except UNREADABLE:
            return None

    def save(self, kind: str, key: Key, value: object) -> None:
        """Store a JSON value under a key, ignoring write failures.

        A value that load() has found is not written again.
        """
        if self._folder is None:
            return
        target, whole_key = self._place(kind, key)
        document = json.dumps({"key": whole_key, "value": value})
        members = document.removeprefix("{").encode()
        content = _HEAD.format(crc32(members)).encode() + members
        if self._read.get(target) == content:
            return
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            self._folder.mkdir(exist_ok=True)
            _tidy(self._folder)
            part.write_bytes(content)
            part.replace(target)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()

    def _place(self, kind: str, key: Key) -> tuple[Path, dict[str, object]]:
        """Return the file of a value, and its whole key, which the file repeats.

        Another key with the same checksum replaces the file.
        """
        assert self._folder is not None
        versions = {"format": FORMAT, "learnings": learnings.__version__}
        whole_key = {"kind": kind, **versions, **key}
        name = json.dumps(whole_key, sort_keys=True)
        return self._folder / f"{kind}-{crc32(name.encode()):08x}.json", whole_key


def _tidy(folder: Path) -> None:
    """Delete the leftovers of killed runs, and half of the files if there are too many."""
    for part in folder.glob("*.part"):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > _ABANDONED:
                part.unlink()
    files = list(folder.iterdir())
    if len(files) >= MAX_FILES:
        files.sort(key=lambda file: file.stat().st_mtime)
        for file in files[: MAX_FILES // 2]:
            with contextlib.suppress(OSError):
                file.unlink()
