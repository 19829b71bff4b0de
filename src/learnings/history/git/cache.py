"""Results computed from history, kept in the repository's git folder.

Everything here can be deleted at any time. A value is used only if the file is as it was written,
the whole key that it was stored under equals the requested one, and the value has the types that
were stored; else it counts as absent. Several processes may write at once, since each replaces
whole files. Where the folder cannot be written, nothing is stored and nothing fails.
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

# Keeps the folder at some MB, as most files are a few KB; chosen without a measurement.
MAX_FILES = 1000
_ABANDONED = 3600  # seconds; chosen, as for the temporary files of memories
# How a file begins: with the digest of all that follows. CRC-32 notices each single bit and each
# run of up to 32 bits; of other damage it misses one in 4 billion. It is against failing disks:
# people who may write here could write a digest that fits. It is loaded already, where importing
# hashlib would add 3 ms to a report that takes some tens.
_HEAD = '{{"digest": "{:08x}", '
_HEAD_LENGTH = len(_HEAD.format(0))
FORMAT = 9
"""Increased whenever a stored value changes its shape or its meaning."""
UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What reading or decoding a file raises that is not as it was written."""

Key = Mapping[str, object]
Value = TypeVar("Value")


class Cache:
    """A folder of JSON files, one for each stored value; None stores nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._read: dict[Path, bytes] = {}

    def load(self, kind: str, key: Key, decode: Callable[[Any], Value]) -> Value | None:
        """Return the value stored under the key, decoded; None where there is no readable one."""
        if self._folder is None:
            return None
        try:
            file = self._file(kind, key)
            content = _intact(file.read_bytes())
            self._read[file] = content
            stored = json.loads(content)
            return decode(stored["value"]) if stored["key"] == _versioned(kind, key) else None
        except UNREADABLE:
            return None

    def save(self, kind: str, key: Key, value: object) -> None:
        """Store a value of JSON's types under a key; a failure to write is ignored.

        What load() has found there is not written again.
        """
        if self._folder is None:
            return
        content = _with_digest(json.dumps({"key": _versioned(kind, key), "value": value}))
        target = self._file(kind, key)
        if self._read.get(target) == content:
            return
        part = target.with_name(f"{target.name}.{os.getpid()}.part")
        try:
            self._folder.mkdir(exist_ok=True)
            self._delete_abandoned()
            self._delete_oldest()
            part.write_bytes(content)
            part.replace(target)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()

    def _file(self, kind: str, key: Key) -> Path:
        assert self._folder is not None
        # Another key with the same checksum replaces the file: load() compares the key in the file.
        name = json.dumps(_versioned(kind, key), sort_keys=True)
        return self._folder / f"{kind}-{crc32(name.encode()):08x}.json"

    def _delete_abandoned(self) -> None:
        """Delete what runs that were killed have left: writing a file takes milliseconds."""
        assert self._folder is not None
        for part in self._folder.glob("*.part"):
            with contextlib.suppress(OSError):
                if time.time() - part.stat().st_mtime > _ABANDONED:
                    part.unlink()

    def _delete_oldest(self) -> None:
        assert self._folder is not None
        files = list(self._folder.iterdir())
        if len(files) < MAX_FILES:
            return
        files.sort(key=lambda file: file.stat().st_mtime)
        for file in files[: MAX_FILES // 2]:
            with contextlib.suppress(OSError):
                file.unlink()


def _with_digest(document: str) -> bytes:
    """Return a JSON object with the digest of its members as the first one."""
    members = document.removeprefix("{").encode()
    return _HEAD.format(crc32(members)).encode() + members


def _intact(content: bytes) -> bytes:
    """Return the content of a file; raises ValueError if it is not as it was written."""
    if content[:_HEAD_LENGTH] != _HEAD.format(crc32(content[_HEAD_LENGTH:])).encode():
        raise ValueError("the digest is another one")
    return content


def _versioned(kind: str, key: Key) -> dict[str, object]:
    return {"kind": kind, "format": FORMAT, "learnings": learnings.__version__, **key}
