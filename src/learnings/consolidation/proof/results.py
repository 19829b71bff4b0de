"""The memory before and after a change, and the result of a proof: losses and notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from learnings.consolidation.proof.wording import WordChange
from learnings.core.entries.document import Document, Entry


class Kind(StrEnum):
    """The kinds of results: losses, notices, and the valid ways for an entry to leave."""

    ENTRY = "entry"
    ORIGINAL = "original"  # an archived original
    ROW = "row"  # the target of an index row
    COVERED = "covered"  # another text has most of the entry
    SHORTENED = "shortened"  # it lost at least half of its own text
    DECISION = "decision"  # the plan decision about it was removed
    REWORDED = "reworded"  # its words changed in place
    HIDDEN = "hidden"  # its text still exists but is no entry
    ARCHIVED = "archived"
    MOVED = "moved"  # to another Markdown file


LOSSES = (Kind.ENTRY, Kind.ORIGINAL, Kind.ROW)
DISPLACED = "the merge has"
"""How the detail of an entry begins that a merge lost to one of another side."""


class MemoryVersion(NamedTuple):
    """Files of the memory at one moment, by POSIX path relative to the repository's root.

    learnings are learnings files as entries, archives their archives, texts all other Markdown
    files that may contain entries. archived are the files in the archives of memory folders, each
    of which is one original. Only files that differ between two versions must be in both.
    """

    learnings: Mapping[str, Document]
    archives: Mapping[str, bytes]
    texts: Mapping[str, bytes]
    archived: Mapping[str, Document] = {}


class FilePlace(NamedTuple):
    """Lines of a file: its POSIX path from the root, and the first line, 1-based."""

    path: str
    line: int


class Cover(NamedTuple):
    """The section or entry that holds most of an entry: its place, and the share of word pairs.

    uncovered are words of the entry that this text lacks, in the order of the entry. is_enough is
    True if the entry may leave for it.
    """

    place: FilePlace
    score: float
    uncovered: tuple[str, ...]
    is_enough: bool = False

    @property
    def rank(self) -> tuple[bool, float]:
        return self.is_enough, self.score


class Result(NamedTuple):
    """What became of an entry, an original or an index row that existed before a change.

    before is its old place. after is the new one; of a loss, the line in the new file at which it
    is missing (line 1 of a missing file). cover is the text that covers it; of a loss, the most
    similar text. copy is the place of a copy; of a loss, it is not word for word. changes are
    the words that differ; matters is True if a reader should see them. real is git's path of the
    old place if before has the name of a link, else empty.

    For a loss, detail is another clause about the problem, rev the commit that still has it, commit
    the one that lost it, if known, and parent the parent of a merge that has it. unstaged is an
    on-disk archive that has the entry, perhaps covered or moved; the check did not include it.

    missing are the lost sentences; for a notice also words that the covering text lacks, the
    decision with its date, or the element that hides an entry. originals is the number of originals
    of a merged entry, if these are back and cover it.
    """

    kind: Kind
    title: str
    identity: str
    before: FilePlace
    after: FilePlace
    cover: Cover | None = None
    copy: FilePlace | None = None
    changes: tuple[WordChange, ...] = ()
    matters: bool = False
    detail: str = ""
    rev: str = ""
    commit: str = ""
    parent: str = ""
    entry: Entry | None = None
    unstaged: str = ""
    missing: tuple[str, ...] = ()
    originals: int = 0
    real: str = ""


class Proof(NamedTuple):
    """The losses, in the order of the files, and the notices.

    entries is the number of compared entries; moves describe the other entries that left, added are
    the new ones, each with the path of its file.
    """

    losses: tuple[Result, ...] = ()
    notices: tuple[Result, ...] = ()
    entries: int = 0
    moves: tuple[Result, ...] = ()
    added: tuple[tuple[str, Entry], ...] = ()


LazyContents = Callable[[], Mapping[str, bytes]]
"""Returns files by path, and reads them on demand."""
