"""A version of a memory file as parts: the preamble, categories and entries, the tail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.dialects import NONE, SHAPES, Dialect
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import ENTRY, PREAMBLE, TAIL
from learnings.core.entries.rewriting import deeper
from learnings.core.errors import LearningsError
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# A blank line or a `---`: a separator that belongs to neither entry. The one that ends a preamble
# belongs to the preamble.
_BETWEEN = lazy_pattern(r"\s*(?:-{3,}[ \t]*)?$")
_BLANK = lazy_pattern(r"\s*$")

# The titles of these parts in messages.
_AROUND = {PREAMBLE: "the text above the entries", TAIL: "the text below the entries"}

Lines = tuple[str, ...]


class NotMerged(LearningsError):
    """The versions cannot be merged by entry; the message says why."""


class Part(NamedTuple):
    """A part of a version: its text, and the separators above and below it.

    kind is a kind of LineSpan, place the number of parts above. entry is the entry; that of another
    part has its text as one line, no body, and a title and key that no entry has. lines, above and
    below have terminators; content are the lines without them, so that comparisons ignore line
    ends. A tail without lines has the end of the file below it, and the part above none.
    """

    kind: str
    place: int
    entry: Entry
    lines: Lines
    content: Lines
    above: Lines
    below: Lines | None

    @property
    def is_entry(self) -> bool:
        return self.kind == ENTRY

    @property
    def title(self) -> str:
        """The name for messages."""
        return self.entry.heading.lstrip("# ")

    def is_restamped(self, other: Part) -> bool:
        """Return True if two entries differ only in their time stamp or id."""
        titles = {part.entry.title.casefold() for part in (self, other)}
        is_heading = self.is_entry and self.entry.level > 0
        return is_heading and len(titles) == 1 and self.content[1:] == other.content[1:]


def parts_of(document: Document, level: int) -> list[Part]:
    """Return the parts from top to bottom; preamble and tail may have no lines.

    Headings of entries get the level.
    """
    by = level - document.dialect.level
    entries = iter(document.entries)
    parts: list[Part] = []
    for span in document.spans:
        lines = document.lines[span.first - 1 : span.last]
        entry = next(entries) if span.kind == ENTRY else None
        if entry is not None and by and entry.level:
            lines = deeper(lines, by)
            entry = entry._replace(lines=lines, level=level)
        parts.append(_part(span.kind, parts, lines, entry))
    if parts[-1].kind == TAIL:
        return parts
    *others, last = parts
    tail = _part(TAIL, parts, (), None)
    return [*others, last._replace(below=None), tail._replace(below=last.below)]


def _part(kind: str, parts: Sequence[Part], lines: Lines, entry: Entry | None) -> Part:
    """Return the part below the parts."""
    place, above = len(parts), (parts[-1].below or ()) if parts else ()
    is_separator = _BLANK if kind == PREAMBLE else _BETWEEN
    count = len(lines)
    while count and is_separator.match(chomp(lines[count - 1])):
        count -= 1
    content = tuple(map(chomp, lines[:count]))
    if entry is None:
        title = _AROUND.get(kind) or f"# {content[0].lstrip('# ')}"
        text = "".join(lines[:count])
        entry = Entry(title, None, None, 1, place, place, title.casefold(), (text,), kind)
    return Part(kind, place, entry, lines[:count], content, above, lines[count:])


def in_one_dialect(documents: Sequence[Document]) -> tuple[list[Document], Dialect]:
    """Return base, ours and theirs, parsed so that their entries can be compared.

    The dialect is that of the merged file. Raises NotMerged if no version has entries, or if one
    side changed headings to list items, or the reverse.
    """
    base, *sides = documents
    dialect = base.dialect
    if is_alike(*(side.dialect for side in sides)):
        dialect = sides[0].dialect
        read = [_as_alike(base, sides, dialect), *(side.read_as(dialect) for side in sides)]
    elif dialect.name == NONE:
        found = [side.dialect for side in sides if side.entries]
        if not found:
            raise NotMerged("no version of it has entries")
        dialect = found[0]
        read = [
            document if document.entries else document.read_as(dialect) for document in documents
        ]
    else:
        read = [base, *(_as_alike(side, [base], dialect) for side in sides)]
        changed = [side.dialect for side in read if not is_alike(side.dialect, dialect)]
        dialect = changed[0] if changed else dialect
    levels = {document.dialect.level for document in read if document.entries}
    if 0 in levels and len(levels) > 1:
        raise NotMerged("one side writes its entries in another dialect")
    return read, dialect


def _as_alike(document: Document, others: Sequence[Document], dialect: Dialect) -> Document:
    """Return a version parsed in the dialect of others, or in its own if more entries match.

    A version with few entries shows its dialect less clearly than they do. If it has no entry in
    common with them, the level of its headings decides.
    """
    alike = document.read_as(dialect)
    names = {name for other in others for name in _names_of_entries(other)}
    in_alike, in_own = (len({*_names_of_entries(one)} & names) for one in (alike, document))
    has_headings = document.dialect.level > 0 and dialect.level > 0
    has_none = not in_own and not in_alike
    is_own = in_own > in_alike or (has_none and (has_headings or not alike.entries))
    return document if is_own and document.entries else alike


def _names_of_entries(document: Document) -> Iterator[str]:
    """Yield the titles and texts of the entries, which identify them in another dialect."""
    for entry in document.entries:
        yield entry.title.casefold()
        if entry.level:
            yield " ".join(entry.body.split())


def is_alike(one: Dialect, other: Dialect) -> bool:
    """Return True if two dialects take the same lines for entries."""
    names = {one.name, other.name}
    is_same = len(names) == 1 or names.isdisjoint((NONE, *SHAPES))
    return one.level == other.level and is_same and names != {NONE}
