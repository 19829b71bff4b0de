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


class Transfers(NamedTuple):
    """The known transfers into target files, newest first.

    last_commits holds the author date of the last commit that changed each target file, ISO text by
    path; files that no commit changed, or none of the newest ones, are not among them.
    """

    transfers: tuple[Transfer, ...] = ()
    last_commits: Mapping[str, str] = {}
