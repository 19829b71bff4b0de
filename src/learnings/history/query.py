"""What is asked of the history of a memory file, and where that file lies."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from learnings.core.entries.document import Reading
from learnings.history.git.repository import Repository


class HistoryQuery(NamedTuple):
    """What is asked of the history of a file.

    tomorrow is tomorrow's date in UTC: no honest clock is ahead of it. as_of is a date to answer
    for as on its evening, None for now; at a commit whose text and history are meant instead of
    the working tree and HEAD. known_days are the active days where they are counted already.
    may_allow_shallow says that whoever asks has an option to accept a shallow clone.
    """

    file: Path
    cwd: Path
    tomorrow: str
    as_of: str | None = None
    at: str | None = None
    reading: Reading = Reading()
    min_removed: int = 1
    ignore_revs_file: str | None = None
    ignore_authors: tuple[str, ...] = ()
    allow_shallow: bool = False
    known_days: tuple[str, ...] | None = None
    may_allow_shallow: bool = True


class Place(NamedTuple):
    """The file asked for, inside its repository.

    path is relative to the top; data the text; head_blob the blob the commit has of the file,
    None where it was never committed. rev is the commit that the text is from, None where the
    working tree differs from it.
    """

    repository: Repository
    path: str
    data: bytes
    head_blob: str | None
    rev: str | None
