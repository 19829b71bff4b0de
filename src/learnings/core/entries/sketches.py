"""What can be said of a version of a file by its chunks, without reading it as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.dialects import BULLET
from learnings.core.entries.titles import (
    explains_file,
    has_time_stamp,
    heading_text,
    is_dated_item,
    read_item,
)
from learnings.core.markdown.blocks import front_matter_end, opens_front_matter
from learnings.core.markdown.chunks import Chunk, chunks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode

if TYPE_CHECKING:
    from learnings.core.entries.document import ReadOptions

HEADING, ITEM, TEXT = "heading", "item", "text"
"""What a line begins; an entry begins with one of the first two."""

# The beginning of a list item at whatever depth.
_ITEM = lazy_pattern(rf"\s*{LIST_MARKER}(?:\s|$)")
# The beginning of one with a bold lead, perhaps behind the box of a task.
_BOLD_ITEM = lazy_pattern(rf"\n[ \t]*{LIST_MARKER}[ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*|__)")
# What is in every date.
_MAY_BE_DATED = lazy_pattern(r"\d{4}-\d{2}")
# The number at the end of the identity of a second entry with the same heading.
_NUMBER = lazy_pattern(r" #\d+$")
# What is not a letter or a digit.
_NOT_IN_WORDS = lazy_pattern(r"[\W_]+")
# All different lines, or chunks, of a long history.
_remembered = lru_cache(maxsize=1 << 14)


class FirstLine(NamedTuple):
    """What a line begins, if nothing hides it, and its letters and digits.

    Two lines with equal identities have equal letters, in whatever dialect they are read.
    """

    kind: str
    letters: str


class _Shape(NamedTuple):
    """Numbers that the dialect of a file depends on: see Sketch.has_headings_only.

    chapters are the headings at level 2 that do not explain the file, stamps those with a time
    stamp, thirds the headings at level 3, dates the list items with one.
    """

    chapters: int
    stamps: int
    thirds: int
    bold_items: int
    dates: int


class Sketch:
    """A version of a file as chunks, and what they say together."""

    def __init__(self, chunks: Sequence[Chunk], options: ReadOptions) -> None:
        self.chunks = chunks
        self.options = options
        self.letters = lru_cache(maxsize=None)(self._letters)
        self.repeated = lru_cache(maxsize=None)(self._repeated)

    def _letters(self, kind: str) -> Counter[str]:
        """Count the lines of a kind by their letters, hidden ones as well."""
        return Counter(chain.from_iterable(map(letters_in, self.chunks, repeat(kind))))

    def _repeated(self, kind: str) -> frozenset[str]:
        """Return the letters that several lines of a kind have."""
        letters = self.letters(kind)
        if len(letters) == letters.total():
            return frozenset()
        return frozenset(text for text, number in letters.items() if number > 1)

    def may_hold(self, line: str) -> bool:
        """Return True if an entry may begin with the words of a line, whatever else differs."""
        kind, letters = first_line(line)
        if kind == HEADING and self.has_headings_only:
            return letters in self.letters(HEADING)
        if kind == TEXT or line.lstrip()[0].isdigit():  # whatever its number is
            return True
        texts = letters, _letters_of(line)  # the latter with the date of an item
        return any(text in self.letters(kind) for text in texts for kind in (HEADING, ITEM))

    @cached_property
    def has_headings_only(self) -> bool:
        """True if its entries are surely no list items, by the rules of `dialects`.

        Two headings have a time stamp; or no item has a date, and there is a heading at level 3,
        or there are several at level 2 with less than two items with a bold lead for each.
        """
        if self.options.dialect == BULLET:
            return False
        shape = self._shape
        is_listed = shape.chapters < 2 or shape.bold_items >= 2 * shape.chapters
        has_headings = shape.thirds > 0 or not is_listed
        return shape.stamps >= 2 or (has_headings and not self.is_dated)

    @property
    def is_dated(self) -> bool:
        """True if a list item has a date."""
        return self._shape.dates > 0

    @cached_property
    def _shape(self) -> _Shape:
        """The sums of the shapes of all chunks."""
        return _Shape(*map(sum, zip(*map(_shape, self.chunks), strict=True)))

    @property
    def has_plain_top(self) -> bool:
        """True if no front matter reaches below a heading, or holds what may open a fence."""
        top = self.chunks[0]
        is_over = top.is_simple and front_matter_end(top.lines) > 0
        return is_over or not opens_front_matter(top.lines)


def sketch(data: bytes, options: ReadOptions) -> Sketch:
    """Return the sketch of a version."""
    return Sketch(chunks_of(decode(data).removeprefix(BOM)), options)


def kind_of(line: str) -> str:
    """Return what a line begins, if nothing hides it."""
    if line.lstrip().startswith("#"):
        return HEADING
    return ITEM if _ITEM.match(line) else TEXT


@_remembered
def first_line(line: str) -> FirstLine:
    """Return what a line has in common with others that may begin the same entry."""
    kind = kind_of(line)
    if kind == TEXT:
        return FirstLine(kind, "")
    text = heading_text(line) if kind == HEADING else read_item(line).key_title
    return FirstLine(kind, _letters_of(_NUMBER.sub("", text.rstrip())))


def _letters_of(text: str) -> str:
    return _NOT_IN_WORDS.sub("", text.casefold())


@_remembered
def letters_in(chunk: Chunk, kind: str) -> tuple[str, ...]:
    """Return the letters of all lines of a kind in a chunk."""
    lines = chunk.lines[:1] if kind == HEADING and chunk.is_simple else chunk.lines
    return tuple(first_line(chomp(line)).letters for line in lines if kind_of(line) == kind)


@_remembered
def _shape(chunk: Chunk) -> _Shape:
    level, title = chunk.level, heading_text(chunk.lines[0]) if chunk.lines else ""
    is_chapter = level == 2 and not explains_file(title)
    may_be_dated = _MAY_BE_DATED.search(chunk.text) is not None
    may_be_bold = "**" in chunk.text or "__" in chunk.text
    items = (line for line in chunk.lines if may_be_dated and _ITEM.match(line))
    return _Shape(
        chapters=int(is_chapter),
        stamps=int(is_chapter and has_time_stamp(title)),
        thirds=int(level == 3),
        bold_items=len(_BOLD_ITEM.findall(f"\n{chunk.text}")) if may_be_bold else 0,
        dates=sum(map(is_dated_item, items)),
    )
