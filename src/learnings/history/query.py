"""A query on the history of a memory file, and where that file lies."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.document import AUTO, ReadOptions
from learnings.history.git.repository import Repository


class HistoryQuery(NamedTuple):
    """A query on the history of a file.

    tomorrow is tomorrow's date in UTC: no correct clock is ahead of it. today is the local date, on
    which a commit that is made now is authored; None: only commits are consolidations. as_of is a
    date to answer for as at the end of it, None for now. at is a commit to read instead of the
    working tree and HEAD. known_days are the active days where they are counted already.
    min_removed is how many entries a commit has to remove to be a consolidation without an archive.
    Dates are ISO text. may_allow_shallow is True where the user has an option to accept a shallow
    clone.
    """

    file: Path
    cwd: Path
    tomorrow: str
    as_of: str | None = None
    at: str | None = None
    read_options: ReadOptions = AUTO
    min_removed: int = 3
    ignore_revs_file: str | None = None
    ignore_authors: tuple[str, ...] = ()
    allow_shallow: bool = False
    known_days: tuple[str, ...] | None = None
    may_allow_shallow: bool = True
    today: str | None = None


class FileLocation(NamedTuple):
    """The file of a query inside its repository, and its content.

    path is relative to the top; data the text; head_blob the blob of the file in the repository's
    head, None where it is not committed. rev is the commit that the text is from, None where the
    working tree differs from it.
    """

    repository: Repository
    path: str
    data: bytes
    head_blob: str | None
    rev: str | None
