"""Where settings are written: the files, and the lines in them, that messages name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

KeyPath = tuple[str | int, ...]
"""The path of a key: names, and the index, from 0, of an element of an array."""


class Source(NamedTuple):
    """Where settings are written: a name for messages, the folder its paths start from, lines."""

    name: str
    folder: str = ""
    line_of: Callable[[KeyPath], int | None] = lambda _keys: None

    def location(self, keys: KeyPath) -> str:
        """Return `pyproject.toml:12` for the key at `keys`, or the name where no line is known."""
        line = self.line_of(keys)
        return self.name if line is None else f"{self.name}:{line}"


class SettingOrigin(NamedTuple):
    """Where one value was set; its text is computed only when it is printed."""

    source: Source
    keys: KeyPath

    def __str__(self) -> str:
        return self.source.location(self.keys)
