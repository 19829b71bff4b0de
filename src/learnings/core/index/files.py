"""The files that a memory index speaks of: their headings, and which of them have a row."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.titles import heading_text
from learnings.core.index.keys import index_key
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import section_ends
from learnings.core.text import chomp, printable

SUMMARY_LENGTH = 80

_LABEL_OF_A_DATE = re.compile(r"[*_]*[^*_:]*\bdate\b", re.IGNORECASE)
_ITEM = re.compile(rf"\A {{0,3}}{LIST_MARKER}[ \t]+")
_SENTENCE = re.compile(r".+?[.!?](?=\s|$)")


class Kind(Enum):
    """What an index owes a heading."""

    SEMANTIC = "semantic"  # a row
    STRUCTURAL = "structural"  # no row: its title starts with a dot
    EXEMPT = "exempt"  # whatever it likes: a title, or above the first H2


class IndexedHeading(NamedTuple):
    """A heading, or an entry of a file that indexes itself; lines are 1-based in its file.

    last is the last line of its section. stated is the date it gives, ISO text. key is that of
    the title; of a structural one, that of the title without its dots.
    """

    title: str
    level: int
    line: int
    last: int
    kind: Kind = Kind.SEMANTIC
    stated: str | None = None

    @property
    def key(self) -> str:
        """What a row of this heading has as its key."""
        structural = self.kind is Kind.STRUCTURAL
        return index_key(self.title.lstrip(".") if structural else self.title)


class IndexedFile:
    """A file whose headings have rows; path is POSIX from the repository's root."""

    def __init__(
        self, path: str, headings: tuple[IndexedHeading, ...], lines: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.headings = headings
        self.lines = lines

    @cached_property
    def by_key(self) -> Mapping[Kind, Mapping[str, Sequence[IndexedHeading]]]:
        """The headings of each kind by their key, in the order of the lines."""
        found: dict[Kind, defaultdict[str, list[IndexedHeading]]]
        found = {kind: defaultdict(list) for kind in Kind}
        for heading in self.headings:
            found[heading.kind][heading.key].append(heading)
            if heading.kind is Kind.STRUCTURAL:
                found[heading.kind][index_key(heading.title)].append(heading)
        return found

    @cached_property
    def names(self) -> frozenset[str]:
        """The keys that name the file as a whole: its name without suffix, its H1."""
        stem = self.path.rpartition("/")[2].rpartition(".")[0]
        titles = [heading.key for heading in self.headings if heading.level == 1]
        return frozenset({index_key(stem), index_key(re.sub("[-_]", " ", stem)), *titles})

    def named(self, keys: Sequence[str], kind: Kind) -> Sequence[IndexedHeading]:
        """The headings of a kind that have the first of the keys that any of them has."""
        known = self.by_key[kind]
        return next((known[key] for key in keys if key in known), ())

    def summary(self, heading: IndexedHeading | None) -> str:
        """The first sentence below a heading (None: of the file), else the file's path.

        On one line of at most 80 characters; a line that states a date is skipped.
        """
        first, last = (heading.line + 1, heading.last) if heading else (1, len(self.lines))
        titles = {each.line for each in self.headings}
        for number in range(first, last + 1):
            if number in titles:
                if heading is None:
                    continue
                break
            words = _plain(self.lines[number - 1])
            if words:
                return words
        return self.path


def headings_of(path: str, data: bytes) -> IndexedFile:
    """Read a file that is indexed; there is no input that it refuses.

    The headings are the ATX headings with a title. Level 1, and what stands above the first
    level 2, is exempt; a title that starts with a dot is structural.
    """
    blocks = blocks_of(data)
    return IndexedFile(path, tuple(_headings(blocks)), blocks.lines)


def entries_of(path: str, document: Document) -> IndexedFile:
    """Return a learnings file as one whose entries have rows: in an index block of its own."""
    return IndexedFile(
        path,
        tuple(
            IndexedHeading(e.title, e.level, e.first, e.last, stated=e.stated)
            for e in document.entries
            if index_key(e.title)
        ),
        document.lines,
    )


def contents(data: bytes, *, depth: int = 6) -> tuple[IndexedHeading, ...]:
    """Return the computed index of a file: its headings down to level `depth`, 1 to 6."""
    found = headings_of("", data).headings
    return tuple(heading for heading in found if heading.level <= depth)


def _headings(blocks: Blocks) -> Iterator[IndexedHeading]:
    outline = blocks.outline.headings
    first = next((h.line for h in outline if h.level == 2), len(blocks.lines) + 1)
    lasts = section_ends(outline, len(blocks.lines))
    for heading, last in zip(outline, lasts, strict=True):
        title = heading_text(blocks.lines[heading.line - 1])
        if not index_key(title):
            continue
        kind = Kind.STRUCTURAL if title.startswith(".") else Kind.SEMANTIC
        if heading.level == 1 or heading.line < first:
            kind = Kind.EXEMPT
        yield IndexedHeading(title, heading.level, heading.line, last, kind)


def _plain(line: str) -> str:
    """Return the first sentence of a line without markup and control signs, shortened."""
    if _LABEL_OF_A_DATE.match(line) or line.startswith(("    ", "\t", "```", "~~~", "<", "|")):
        return ""
    words = " ".join(_ITEM.sub("", chomp(line)).replace("*", "").split())
    sentence = _SENTENCE.match(words)
    words = printable(sentence[0] if sentence else words)
    if len(words) > SUMMARY_LENGTH:
        words = words[:SUMMARY_LENGTH].rpartition(" ")[0] or words[:SUMMARY_LENGTH]
    return words.rstrip(" .:;,") if any(map(str.isalnum, words)) else ""
