"""The memory before and after a change, and the result of a proof: losses and notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from learnings.consolidation.proof.wording import WordChange
from learnings.core.entries.document import Document, Entry

ENTRY, ORIGINAL, ROW = "entry", "original", "row"
"""The things that can be lost: an entry, an archived original, the target of an index row."""
COVERED, SHORTENED, RETYPED, DECISION = "covered", "shortened", "retyped", "decision"
REWORDED, HIDDEN = "reworded", "hidden"
"""The subjects of notices.

An entry that another text covers; that lost at least half of its own text; that a copy has with
other punctuation or under another date; whose plan decision was removed; whose words changed in
place; or whose text still exists but is no entry.
"""

ARCHIVED, MOVED = "archived", "moved"
"""The valid ways for an entry to leave: to an archive, or to another Markdown file."""


class MemoryVersion(NamedTuple):
    """Files of the memory at one moment, by POSIX path relative to the repository's root.

    learnings are learnings files as entries, archives their archives, texts all other Markdown
    files that may contain entries. Only files that differ between two versions must be in both.
    """

    learnings: Mapping[str, Document]
    archives: Mapping[str, bytes]
    texts: Mapping[str, bytes]


class FilePlace(NamedTuple):
    """Lines of a file: its POSIX path from the root, and the first line, 1-based."""

    path: str
    line: int


class Cover(NamedTuple):
    """The added text that holds most of an entry: its place, and the share of word pairs.

    uncovered are words of the entry that this text lacks, in the order of the entry.
    """

    place: FilePlace
    score: float
    uncovered: tuple[str, ...]


class Loss(NamedTuple):
    """Something that existed before a change and no longer does.

    kind is ENTRY, ORIGINAL or ROW; title is its name. before is its old place, after the line in
    the new file at which it is missing (line 1 of a missing file). cover is the nearest added text.
    altered is the place of a copy that is not word for word, and changes are the words that differ
    there. detail is another clause about the problem. rev is the commit that still has it, commit
    the one that lost it, if known, and parent the parent of a merge that has it. unstaged is an
    on-disk archive that has the entry, perhaps covered or moved; the check did not include it.
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
    """Something that a person should review; kind is one of the kinds above.

    missing are words that the covering text lacks, the lost sentences, the decision with its date,
    or the element that hides an entry. archived is the place of a retyped copy. originals is the
    number of originals of a merged entry, if these are back and cover it. changes are the words
    that differ; matters is True if a reader should see them.
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
    """The losses, in the order of the files, and the notices.

    entries is the number of compared entries; moves describe the other entries that left, added the
    new ones.
    """

    losses: tuple[Loss, ...] = ()
    notices: tuple[Notice, ...] = ()
    entries: int = 0
    moves: tuple[Notice, ...] = ()
    added: tuple[AddedEntry, ...] = ()


LazyContents = Callable[[], Mapping[str, bytes]]
"""Returns files by path, and reads them on demand."""


class Elsewhere(NamedTuple):
    """Files besides the compared ones that may contain an entry.

    unchanged are Markdown files that the change did not touch, and archives of other tools;
    unstaged are archives that exist only on disk.
    """

    unchanged: LazyContents = dict[str, bytes]
    unstaged: LazyContents = dict[str, bytes]


NOWHERE = Elsewhere()
