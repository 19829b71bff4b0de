"""The files that a memory index lists, with their headings, keys and section summaries."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.entries.document import Document
from learnings.core.entries.titles import heading_text, identity_key
from learnings.core.labels import conclusion_in
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import section_ends
from learnings.core.patterns import lazy_pattern
from learnings.core.phrases import CLAUSE_END, cut_at, sentences_in
from learnings.core.text import chomp, printable

# The operators of rows, and the first words of the headings that they name.
OPERATORS: Mapping[str, str] = MappingProxyType({"when": "when", "how": "how to"})


def index_key(words: str, *, operator: str = "") -> str:
    """Return the key of a heading's text, or of the words after an operator (`when`, `how`).

    Casefolded, white space collapsed, inline markup kept. A heading `How to X` has the key of the
    rows `/how X` and `/how to X`. Raises KeyError for an unknown operator.
    """
    key = identity_key(None, words)
    lead = OPERATORS[operator] if operator else ""
    if lead == "how to" and key.startswith("to "):
        key = key.removeprefix("to ")
    return f"{lead} {key}" if lead and key else key


def operator_and_trigger(title: str) -> tuple[str, str] | None:
    """Return operator and trigger of a heading, ("how", "X") for `How to X`, or None."""
    words = title.split()
    for operator, lead in OPERATORS.items():
        size = len(lead.split())
        trigger = " ".join(words[size:])
        if index_key(" ".join(words[:size])) == lead and trigger:
            return operator, trigger
    return None


def operator_row(title: str) -> str | None:
    """Return the row `/when X` for a heading with operator and trigger; None if there is none."""
    parts = operator_and_trigger(title)
    return f"/{parts[0]} {parts[1]}" if parts else None


class HeadingKind(Enum):
    """How a heading relates to the index."""

    SEMANTIC = "semantic"  # needs a row
    STRUCTURAL = "structural"  # needs no row: its title starts with a dot
    EXEMPT = "exempt"  # may have a row: a title, or above the first H2


HeadingLocation = tuple[str, int]
"""The path of a file and the line of a heading in it."""


class Heading(NamedTuple):
    """A heading of the file at path, or an entry of a file with an index block.

    Lines are 1-based, last is the last one of its section; stated is the date in the heading, ISO
    text.
    """

    path: str
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

    @property
    def location(self) -> HeadingLocation:
        return self.path, self.line

    @property
    def name(self) -> str:
        """The title on one line, as a row names it."""
        return " ".join(self.title.split())


class IndexedFile:
    """A file whose headings have rows; path is POSIX, relative to the repository's root."""

    def __init__(
        self, path: str, headings: tuple[Heading, ...], lines: tuple[str, ...] = ()
    ) -> None:
        self.path = path
        self.headings = headings
        self.lines = lines

    @cached_property
    def by_key(self) -> Mapping[HeadingKind, Mapping[str, Sequence[Heading]]]:
        """The headings of each kind by their key, in line order.

        A structural heading is present under its key and under its title with the dots.
        """
        by_key: dict[HeadingKind, defaultdict[str, list[Heading]]]
        by_key = {kind: defaultdict(list) for kind in HeadingKind}
        for heading in self.headings:
            by_key[heading.kind][heading.key].append(heading)
            if heading.kind is HeadingKind.STRUCTURAL:
                by_key[heading.kind][index_key(heading.title)].append(heading)
        return by_key

    def headings_with(self, keys: Sequence[str], kind: HeadingKind) -> Sequence[Heading]:
        """Return the headings of a kind with the first of the keys that any of them has."""
        known = self.by_key[kind]
        return next((known[key] for key in keys if key in known), ())

    def summary(self, heading: Heading) -> str:
        """Return the first sentence on what to do below a heading, else any, else the path."""
        below = (title.line - 1 for title in self.headings if title.line > heading.line)
        lines = self.lines[heading.line : min(heading.last, next(below, heading.last))]
        sentences = map(first_sentence, chain(filter(None, map(conclusion_in, lines)), lines))
        return next(filter(None, sentences), self.path)


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
            headings.append(Heading(path, title, heading.level, heading.line, last, kind))
    return IndexedFile(path, tuple(headings), blocks.lines)


def entries_of(path: str, document: Document) -> IndexedFile:
    """Return a learnings file with its entries as headings, for an index block in the same file."""
    headings = (
        Heading(path, entry.title, entry.level, entry.first, entry.last, stated=entry.stated)
        for entry in document.entries
        if index_key(entry.title)
    )
    return IndexedFile(path, tuple(headings), document.lines)


def headings_down_to(data: bytes, *, depth: int = 6) -> tuple[Heading, ...]:
    """Return the generated index of a file: its headings down to level `depth`, 1 to 6."""
    headings = headings_of("", data).headings
    return tuple(heading for heading in headings if heading.level <= depth)


# Most characters of a summary; a row with path and title then fits a line of a diff. Chosen.
SUMMARY_LENGTH = 80

# A label of a date, with or without emphasis: `**Decision Date:**`; any with nothing but dates.
_DATE_LABEL = lazy_pattern(
    r"[*_]*[^*_:]*\bdate\b|[^:]{1,40}:[*_]*(?:[ \t,;]+\d{4}-\d\d-\d\d)+\s*\Z", re.IGNORECASE
)
# The marker of a list item.
_LIST_ITEM = lazy_pattern(rf"\A {{0,3}}{LIST_MARKER}[ \t]+")
# The end of a part of a clause.
_PART_END = lazy_pattern(r",(?=\s)|\s(?=[(→])")
# English words that do not end a text.
_OPEN_END = lazy_pattern(
    r"(?:\s(?:an?|the|of|to|in|on|at|by|for|from|with|per|and|or|but|nor|that|than|which|as|is|are"
    r"|its?|if|when|into|via|be))+\Z"
)
# Indented and fenced code, HTML, tables.
_NO_PROSE = ("    ", "\t", "```", "~~~", "<", "|")


def first_sentence(line: str) -> str:
    """Return the first sentence of a line as plain text of at most 80 characters.

    A longer sentence is cut at the end of a clause, or of a part of one. The result is empty for a
    date, code, HTML, a table, or a line without words.
    """
    if _DATE_LABEL.match(line) or line.startswith(_NO_PROSE):
        return ""
    words = " ".join(_LIST_ITEM.sub("", chomp(line)).replace("*", "").split())
    words = printable("".join(sentences_in(words)[:1]).strip())
    if len(words) > SUMMARY_LENGTH:
        most = words[:SUMMARY_LENGTH]
        cut = cut_at((CLAUSE_END, _PART_END), words, most=SUMMARY_LENGTH)
        words = cut or _OPEN_END.sub("", most.rpartition(" ")[0]) or most
    words = words.rstrip(" .:;,") if any(map(str.isalnum, words)) else ""
    return words + '"' * (words.count('"') % 2)  # the sentence ended inside
