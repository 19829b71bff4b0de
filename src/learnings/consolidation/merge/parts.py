"""A version of a memory file as parts to merge: preamble, categories, entries, tail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import CATEGORY, ENTRY, PREAMBLE, TAIL
from learnings.core.entries.rewriting import deeper
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, newline_of

# A blank line or a `---`: a separator that belongs to neither entry. The one that ends a preamble
# belongs to the preamble.
_BETWEEN = lazy_pattern(r"\s*(?:-{3,}[ \t]*)?$")
_BLANK = lazy_pattern(r"\s*$")


class Part(NamedTuple):
    """A part of a file: its text, and the separator between it and the next part.

    kind is a kind of LineSpan. key is shared by parts that may be the same part, title names the
    part in messages, stated is the ISO date in an entry, else None. lines are the text and ending
    the blank lines and rules below it, both with their terminators. content is the text without
    them, so that comparisons ignore line ends.
    """

    kind: str
    key: str
    title: str
    stated: str | None
    lines: tuple[str, ...]
    content: tuple[str, ...]
    ending: tuple[str, ...]
    entry: Entry | None = None

    def is_same(self, other: Part | None) -> bool:
        """Return True for a part with the same text."""
        return other is not None and self.content == other.content

    def without_blanks(self) -> Part:
        """Return the part without trailing blanks, for comparison."""
        return self._replace(content=tuple(map(str.rstrip, self.content)))

    def is_restamped(self, other: Part | None) -> bool:
        """Return True if two entries differ only in their timestamp or id."""
        if self.entry is None or other is None or other.entry is None or not self.entry.level:
            return False
        titles = (entry.title.casefold() for entry in (self.entry, other.entry))
        return len({*titles}) == 1 and self.content[1:] == other.content[1:]


class PartedVersion(NamedTuple):
    """The parts of a version of a file; tail and preamble may have no lines.

    parts are the categories and entries, from top to bottom.
    """

    preamble: Part
    parts: tuple[Part, ...]
    tail: Part

    @property
    def all(self) -> tuple[Part, ...]:
        """The parts of the file, including an empty preamble."""
        return (self.preamble, *self.parts, *([self.tail] if self.tail.lines else []))


def version_of(document: Document, newline: str | None, level: int) -> PartedVersion:
    """Return the parts of a version without its byte order mark.

    newline is the terminator that the lines get, None to keep their own. level is the level that
    the headings of its entries get.
    """
    parts = []
    entries = iter(document.entries)
    by = level - document.dialect.level
    for span in document.spans:
        lines = document.lines[span.first - 1 : span.last]
        if span.first == 1 and lines:
            lines = tuple(filter(None, (lines[0].removeprefix(BOM), *lines[1:])))
        if newline is not None:
            lines = tuple(_with_newline(line, newline) for line in lines)
        entry = next(entries) if span.kind == ENTRY else None
        if entry is not None and by and entry.level:
            lines = deeper(lines, by)
            entry = entry._replace(lines=lines, level=entry.level + by)
        parts.append(_part(span.kind, lines, entry))
    tail = parts.pop() if parts[-1].kind == TAIL else _part(TAIL, (), None)
    return PartedVersion(parts[0], tuple(parts[1:]), tail)


def common_newline(document: Document, like: Document) -> str | None:
    """Return the terminator that a version's lines need beside those of another version.

    None if both have the same style, even a mixed one, or if the other version has no line end.
    """
    style = newline_of(like.text)
    has_style = any(line != chomp(line) for line in like.lines[:1])
    return style if has_style and newline_of(document.text) != style else None


def _with_newline(line: str, newline: str) -> str:
    """Return a line with another terminator; an unterminated line stays so."""
    content = chomp(line)
    return line if content == line else content + newline


def _part(kind: str, lines: Sequence[str], entry: Entry | None) -> Part:
    count = len(lines)
    is_ending = _BLANK if kind == PREAMBLE else _BETWEEN
    while count and is_ending.match(chomp(lines[count - 1])):
        count -= 1
    content = tuple(chomp(line) for line in lines[:count])
    if entry is not None:
        key, title = entry.key, entry.heading
    elif kind == CATEGORY:
        title = content[0].lstrip("# ") if content else ""
        key = " ".join(title.casefold().split())
    else:
        key, title = kind, f"the text {'above' if kind == PREAMBLE else 'below'} the entries"
    stated = entry.stated if entry else None
    text, ending = tuple(lines[:count]), tuple(lines[count:])
    return Part(kind, key, title, stated, text, content, ending, entry)
