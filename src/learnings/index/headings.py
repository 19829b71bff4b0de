"""The files that a memory index lists, with their headings and section summaries."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import section_ends
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, printable
from learnings.index.row_reading import index_key

# Most characters of a summary; a row with path and title then fits a line of a diff. Chosen.
SUMMARY_LENGTH = 80

# A label of a date, with or without emphasis: `**Decision Date:**`.
_DATE_LABEL = lazy_pattern(r"[*_]*[^*_:]*\bdate\b", re.IGNORECASE)
# The marker of a list item.
_LIST_ITEM = lazy_pattern(rf"\A {{0,3}}{LIST_MARKER}[ \t]+")
_SENTENCE = lazy_pattern(r".+?[.!?](?=\s|$)")  # up to the first full stop before a blank or the end
# Indented and fenced code, HTML, tables.
_NO_PROSE = ("    ", "\t", "```", "~~~", "<", "|")


def first_sentence(line: str) -> str:
    """Return the first sentence of a line as plain text of at most 80 characters.

    It is empty for a date, code, HTML, a table, or a line without words.
    """
    if _DATE_LABEL.match(line) or line.startswith(_NO_PROSE):
        return ""
    words = " ".join(_LIST_ITEM.sub("", chomp(line)).replace("*", "").split())
    sentence = _SENTENCE.match(words)
    words = printable(sentence[0] if sentence else words)
    if len(words) > SUMMARY_LENGTH:
        words = words[:SUMMARY_LENGTH].rpartition(" ")[0] or words[:SUMMARY_LENGTH]
    return words.rstrip(" .:;,") if any(map(str.isalnum, words)) else ""


HeadingLocation = tuple[str, int]
"""The path of a file and the line of a heading in it, 0 for the whole file."""


class HeadingKind(Enum):
    """How a heading relates to the index."""

    SEMANTIC = "semantic"  # needs a row
    STRUCTURAL = "structural"  # needs no row: its title starts with a dot
    EXEMPT = "exempt"  # may have a row: a title, or above the first H2


class IndexedHeading(NamedTuple):
    """A heading, or an entry of a self-indexing file, with the last line of its section.

    Lines are 1-based; stated is the date in the heading, ISO text.
    """

    title: str
    level: int
    line: int
    last: int
    kind: HeadingKind = HeadingKind.SEMANTIC
    stated: str | None = None

    @property
    def key(self) -> str:
        """The key of this heading's row, without the leading dots of a structural heading."""
        structural = self.kind is HeadingKind.STRUCTURAL
        return index_key(self.title.lstrip(".") if structural else self.title)


class IndexedFile:
    """A file whose headings have rows; path is POSIX, relative to the repository's root."""

    def __init__(
        self, path: str, headings: tuple[IndexedHeading, ...], lines: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.headings = headings
        self.lines = lines

    @cached_property
    def by_key(self) -> Mapping[HeadingKind, Mapping[str, Sequence[IndexedHeading]]]:
        """The headings of each kind by their key, in line order.

        A structural heading is present under its key and under its title with the dots.
        """
        by_key: dict[HeadingKind, defaultdict[str, list[IndexedHeading]]]
        by_key = {kind: defaultdict(list) for kind in HeadingKind}
        for heading in self.headings:
            by_key[heading.kind][heading.key].append(heading)
            if heading.kind is HeadingKind.STRUCTURAL:
                by_key[heading.kind][index_key(heading.title)].append(heading)
        return by_key

    @cached_property
    def names(self) -> frozenset[str]:
        """The keys that name the whole file: its name without suffix, and its H1."""
        stem = self.path.rpartition("/")[2].rpartition(".")[0]
        titles = [heading.key for heading in self.headings if heading.level == 1]
        # A `-` or `_` in a file name stands for a blank.
        return frozenset({index_key(stem), index_key(re.sub("[-_]", " ", stem)), *titles})

    def headings_with(self, keys: Sequence[str], kind: HeadingKind) -> Sequence[IndexedHeading]:
        """Return the headings of a kind with the first of the keys that any of them has."""
        known = self.by_key[kind]
        return next((known[key] for key in keys if key in known), ())

    def summary(self, heading: IndexedHeading | None) -> str:
        """Return the first sentence below a heading (None: of the file), else the file's path."""
        first, last = (heading.line + 1, heading.last) if heading else (1, len(self.lines))
        titles = {title.line for title in self.headings}
        for number in range(first, last + 1):
            if number in titles:
                if heading is None:
                    continue
                break
            sentence = first_sentence(self.lines[number - 1])
            if sentence:
                return sentence
        return self.path


class RowTarget(NamedTuple):
    """The target of a row; heading is None for the whole file."""

    file: IndexedFile
    heading: IndexedHeading | None

    @property
    def line(self) -> int:
        """The line of the heading, 0 for the file."""
        return self.heading.line if self.heading else 0

    @property
    def location(self) -> HeadingLocation:
        return self.file.path, self.line

    @property
    def title(self) -> str:
        return self.heading.title if self.heading else self.file.path

    @property
    def name(self) -> str:
        """The name in a new row: the title on one line, or the file's name without suffix."""
        title = self.heading.title if self.heading else PurePosixPath(self.file.path).stem
        return " ".join(title.split())

    @property
    def date(self) -> str:
        """The date in the heading, ISO text, as precise as the heading gives it; else empty."""
        return ((self.heading.stated if self.heading else None) or "")[:10]


def headings_of(path: str, data: bytes) -> IndexedFile:
    """Parse the titled ATX headings of an indexed file; never raises.

    Level 1 and all headings above the first level 2 are exempt; a title with a leading dot is
    structural.
    """
    blocks = blocks_of(data)
    outline = blocks.outline.headings
    first = next((h.line for h in outline if h.level == 2), len(blocks.lines) + 1)
    headings = []
    for heading, last in zip(outline, section_ends(outline, len(blocks.lines)), strict=True):
        title = heading_text(blocks.lines[heading.line - 1])
        kind = HeadingKind.STRUCTURAL if title.startswith(".") else HeadingKind.SEMANTIC
        if heading.level == 1 or heading.line < first:
            kind = HeadingKind.EXEMPT
        if index_key(title):
            headings.append(IndexedHeading(title, heading.level, heading.line, last, kind))
    return IndexedFile(path, tuple(headings), blocks.lines)


def entries_of(path: str, document: Document) -> IndexedFile:
    """Return a learnings file with its entries as headings, for an index block in the same file."""
    headings = (
        IndexedHeading(entry.title, entry.level, entry.first, last=entry.last, stated=entry.stated)
        for entry in document.entries
        if index_key(entry.title)
    )
    return IndexedFile(path, tuple(headings), document.lines)


def headings_down_to(data: bytes, *, depth: int = 6) -> tuple[IndexedHeading, ...]:
    """Return the generated index of a file: its headings down to level `depth`, 1 to 6."""
    headings = headings_of("", data).headings
    return tuple(heading for heading in headings if heading.level <= depth)
