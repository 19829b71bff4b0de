"""The memory before and after a change, and what a proof says about the two: losses and notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry

ENTRY, ORIGINAL, ROW = "entry", "original", "row"
"""What can be lost: an entry, an original in an archive, what a row of an index leads to."""
COVERED, SHORTENED, RETYPED, DECISION = "covered", "shortened", "retyped", "decision"
"""What a notice is about: an entry that another text took over, that lost most of its own text,
that an archive has in the same words with other signs, line breaks or another date, or about which
the decision of a plan was removed."""


class MemoryVersion(NamedTuple):
    """Files of the memory at one moment, by path, POSIX from the root of the repository.

    learnings are learnings files as entries, archives their archives, texts all other Markdown
    files that may hold entries. Only files that differ between two versions have to be in both.
    """

    learnings: Mapping[str, Document]
    archives: Mapping[str, bytes]
    texts: Mapping[str, bytes]


class FilePlace(NamedTuple):
    """Lines of a file: path, POSIX from the root, and the first one, 1-based."""

    path: str
    line: int


class Cover(NamedTuple):
    """The added text that holds most of an entry: where it is, and the share of word pairs.

    uncovered are words of the entry that this text does not have, in the order of the entry.
    """

    place: FilePlace
    score: float
    uncovered: tuple[str, ...]


class Loss(NamedTuple):
    """Something that was there before a change and is nowhere now.

    kind is ENTRY, ORIGINAL or ROW; title what it is called. before is where it stood, after the
    line of the file as it is now at which it is missing (line 1 of a file that is gone). cover is
    the nearest text added since; altered is where an archive has it, but not word for word. detail
    is another clause on what is wrong. rev is the commit that still has it, commit the one
    that lost it, as far as they are known. unstaged is an archive on disk that has the entry, which
    may be covered or moved then, and is no part of what was looked at.
    """

    kind: str
    title: str
    identity: str
    before: FilePlace
    after: FilePlace
    cover: Cover | None = None
    altered: FilePlace | None = None
    detail: str = ""
    rev: str = ""
    commit: str = ""
    entry: Entry | None = None
    unstaged: str = ""


class Notice(NamedTuple):
    """Something that a person should look at; kind is COVERED, SHORTENED, RETYPED or DECISION.

    missing are the words that the covering text does not have, the sentences that were lost, or
    the decision with its date.
    archived is where an archive has what was retyped; originals is the number of entries that a
    merged one was made of, where these are back and cover it.
    """

    kind: str
    title: str
    identity: str
    before: FilePlace
    after: FilePlace
    cover: Cover | None = None
    missing: tuple[str, ...] = ()
    archived: FilePlace | None = None
    originals: int = 0


class Proof(NamedTuple):
    """What was lost, in the order of the files, and what to look at; entries were compared."""

    losses: tuple[Loss, ...] = ()
    notices: tuple[Notice, ...] = ()
    entries: int = 0


LazyContents = Callable[[], Mapping[str, bytes]]
"""Gives files by path, read only where they matter."""
