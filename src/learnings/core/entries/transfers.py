"""What earlier consolidations moved into the target files, according to git."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from learnings.core.entries.document import Entry


class Transfer(NamedTuple):
    """A commit that removed entries from a learnings file.

    date is its author date, ISO text. added holds the lines that the same commit added to target
    files, by path.
    """

    commit: str
    date: str
    entries: tuple[Entry, ...]
    added: Mapping[str, tuple[str, ...]]


class TargetGrowth(NamedTuple):
    """A commit that added lines to a target file: its author date, the path, their number."""

    date: str
    path: str
    lines: int


class Transfers(NamedTuple):
    """The known transfers into target files and the growth of these files, newest first."""

    transfers: tuple[Transfer, ...] = ()
    growth: tuple[TargetGrowth, ...] = ()
