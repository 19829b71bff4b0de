"""A version of a memory file as parts to merge: preamble, categories, entries, tail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    parts are the categories and entries, from top to bottom. is_unterminated: the last line has no
    terminator.
    """

    preamble: Part
    parts: tuple[Part, ...]
    tail: Part
    is_unterminated: bool = False

    @property
    def all(self) -> tuple[Part, ...]:
        """The parts of the file, including an empty preamble."""
        return (self.preamble, *self.parts, *([self.tail] if self.tail.lines else []))


def version_of(document: Document, newline: str | None, level: int) -> PartedVersion:
    """Return the parts of a version without its byte order mark.

    newline is the terminator that the lines get, None to keep their own. level is the level that
    the headings of its entries get.
    """
    parts = list(_parts(document, newline, level))
    tail = parts.pop() if parts[-1].kind == TAIL else _part(TAIL, (), None)
    is_unterminated = bool(document.lines) and chomp(document.lines[-1]) == document.lines[-1]
    return PartedVersion(parts[0], tuple(parts[1:]), tail, is_unterminated)


def common_newline(document: Document, like: Document) -> str | None:
    """Return the terminator that a version's lines need beside those of another version.

    None if both have the same style, even a mixed one, or if the other version has no line end.
    """
    style = newline_of(like.text)
    has_style = any(line != chomp(line) for line in like.lines[:1])
    return style if has_style and newline_of(document.text) != style else None


def _parts(document: Document, newline: str | None, level: int) -> Iterator[Part]:
    entries = iter(document.entries)
    for span in document.spans:
        lines = document.lines[span.first - 1 : span.last]
        if span.first == 1 and lines:
            lines = tuple(filter(None, (lines[0].removeprefix(BOM), *lines[1:])))
        if newline is not None:
            lines = tuple(with_newline(line, newline) for line in lines)
        entry = next(entries) if span.kind == ENTRY else None
        by = level - document.dialect.level
        if entry is not None and by and entry.level:
            lines = deeper(lines, by)
            entry = entry._replace(lines=lines, level=entry.level + by)
        yield _part(span.kind, lines, entry)


def with_newline(line: str, newline: str) -> str:
    """Return a line with another terminator; an unterminated line stays so."""
    content = chomp(line)
    return line if content == line else content + newline


def _part(kind: str, lines: Sequence[str], entry: Entry | None) -> Part:
    count = len(lines)
    is_ending = _BLANK if kind == PREAMBLE else _BETWEEN
    while count and is_ending.match(chomp(lines[count - 1])):
        count -= 1
    content = tuple(chomp(line) for line in lines[:count])
    key, title = _names(kind, content, entry)
    stated = entry.stated if entry else None
    text, ending = tuple(lines[:count]), tuple(lines[count:])
    return Part(kind, key, title, stated, text, content, ending, entry)


def _names(kind: str, content: Sequence[str], entry: Entry | None) -> tuple[str, str]:
    """Return the key and the title of a part."""
    if entry is not None:
        return entry.key, entry.heading
    if kind == CATEGORY:
        heading = content[0].lstrip("# ") if content else ""
        return " ".join(heading.casefold().split()), heading
    return kind, "the text above the entries" if kind == PREAMBLE else "the text below the entries"
