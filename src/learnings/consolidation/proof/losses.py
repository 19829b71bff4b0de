"""The memory before and after a change, and what a proof says about the two: losses and notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from learnings.consolidation.proof.wording import WordChange
from learnings.core.entries.document import Document, Entry

ENTRY, ORIGINAL, ROW = "entry", "original", "row"
"""What can be lost: an entry, an original in an archive, what a row of an index leads to."""
COVERED, SHORTENED, RETYPED, DECISION = "covered", "shortened", "retyped", "decision"
REWORDED, HIDDEN = "reworded", "hidden"
"""What a notice is about: an entry that another text took over; that lost half of its own text or
more; that a copy has with other punctuation or under another date; about which the decision of a
plan was removed; whose words changed where it stands; or whose text is there, but is no entry."""

ARCHIVED, MOVED = "archived", "moved"
"""What became of an entry that left as it should: an archive, or another Markdown file, has it."""


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
    the nearest text added since; altered is where a copy has it, but not word for word, and changes
    are the words that differ there. detail is another clause on what is wrong. rev is the commit
    that still has it, commit the one that lost it, as far as they are known, parent the parent of a
    merge that has it. unstaged is an archive
    on disk that has the entry, which may be covered or moved then, and is no part of what was
    looked at.
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
    parent: str = ""
    entry: Entry | None = None
    unstaged: str = ""
    changes: tuple[WordChange, ...] = ()


class Notice(NamedTuple):
    """Something that a person should look at; kind is one of those above.

    missing are the words that the covering text does not have, the sentences that were lost, the
    decision with its date, or what hides an entry. archived is where a copy is that was retyped;
    originals is the number of entries that a merged one was made of, if these are back and cover
    it. changes are the words that differ; matters is True if a reader should see them.
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
    changes: tuple[WordChange, ...] = ()
    matters: bool = False


class AddedEntry(NamedTuple):
    """An entry that its file did not have before."""

    path: str
    entry: Entry


class Proof(NamedTuple):
    """What was lost, in the order of the files, and what to look at.

    entries is the number of those that were compared; moves say what became of the others that
    left, added are those that came.
    """

    losses: tuple[Loss, ...] = ()
    notices: tuple[Notice, ...] = ()
    entries: int = 0
    moves: tuple[Notice, ...] = ()
    added: tuple[AddedEntry, ...] = ()


LazyContents = Callable[[], Mapping[str, bytes]]
"""Gives files by path, read only where they matter."""


class Elsewhere(NamedTuple):
    """Files beside those that were compared, in which an entry may be.

    unchanged are Markdown files that the change left as they were, and archives of other tools;
    unstaged are archives on disk alone.
    """

    unchanged: LazyContents = dict[str, bytes]
    unstaged: LazyContents = dict[str, bytes]


NOWHERE = Elsewhere()
