"""What can be said of a version of a file by its chunks, without reading it as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.dialects import BULLET
from learnings.core.entries.titles import (
    explains_file,
    heading_stamp,
    heading_text,
    is_dated_item,
    is_timestamp_like,
    read_item,
)
from learnings.core.markdown.blocks import front_matter_end, opens_front_matter
from learnings.core.markdown.chunks import Chunk, chunks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, decode

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


class LineKey(NamedTuple):
    """What two lines have in common that may begin the same entry: their letters and digits."""

    kind: str
    letters: str


class _Shape(NamedTuple):
    """What the dialect of a file depends on: see Sketch.has_headings_only."""

    is_chapter: bool
    is_stamped: bool
    is_third: bool
    bold_items: int
    is_dated: bool


class Sketch:
    """A version of a file as chunks, and what they say together."""

    def __init__(self, chunks: Sequence[Chunk], options: ReadOptions) -> None:
        self.chunks = chunks
        self.options = options
        self._counts: dict[str, Counter[LineKey]] = {}

    def counts(self, kind: str) -> Counter[LineKey]:
        """Return how many lines of a kind have the same key, hidden ones counted as well."""
        if kind not in self._counts:
            keys = chain.from_iterable(keys_in(chunk, kind) for chunk in self.chunks)
            self._counts[kind] = Counter(keys)
        return self._counts[kind]

    def repeated(self, kind: str) -> frozenset[LineKey]:
        """Return the keys that several lines of a kind have."""
        return frozenset(key for key, number in self.counts(kind).items() if number > 1)

    def may_hold(self, key: LineKey) -> bool:
        """Return True if an entry may begin with the words of a heading, whatever else differs."""
        if self.counts(HEADING)[key]:
            return True
        return not self.has_headings_only and key._replace(kind=ITEM) in self.counts(ITEM)

    @cached_property
    def has_headings_only(self) -> bool:
        """True if its entries are surely no list items, by the rules of `dialects`.

        Two headings have a time stamp; or no item has a date, and there is a heading at level 3,
        or there are several at level 2 with less than two items with a bold lead for each.
        """
        if self.options.dialect == BULLET:
            return False
        shapes = [_shape(chunk) for chunk in self.chunks]
        if sum(shape.is_stamped for shape in shapes) >= 2:
            return True
        chapters = sum(shape.is_chapter for shape in shapes)
        is_listed = chapters < 2 or sum(shape.bold_items for shape in shapes) >= 2 * chapters
        has_headings = not is_listed or any(shape.is_third for shape in shapes)
        return has_headings and not self.is_dated

    @cached_property
    def is_dated(self) -> bool:
        """True if a list item has a date."""
        return any(_shape(chunk).is_dated for chunk in self.chunks)

    @property
    def has_plain_top(self) -> bool:
        """True if no front matter reaches below a heading, or holds what may open a fence."""
        top = self.chunks[0]
        is_over = top.is_simple and front_matter_end(top.lines) > 0
        return is_over or not opens_front_matter(top.lines)


def sketch(data: bytes, options: ReadOptions) -> Sketch:
    """Return the sketch of a version."""
    return Sketch(chunks_of(decode(data).removeprefix(BOM)), options)


@_remembered
def key_of(line: str) -> LineKey:
    """Return what a line has in common with others that may begin the same entry.

    Two lines with equal identities have equal keys, in whatever dialect both are read.
    """
    if line.lstrip().startswith("#"):
        kind, text = HEADING, heading_text(line)
    elif _ITEM.match(line):
        kind, text = ITEM, read_item(line).key_title
    else:
        kind, text = TEXT, line
    return LineKey(kind, _NOT_IN_WORDS.sub("", _NUMBER.sub("", text.rstrip()).casefold()))


@_remembered
def keys_in(chunk: Chunk, kind: str) -> tuple[LineKey, ...]:
    """Return the keys of all lines of a kind in a chunk."""
    lines = chunk.lines[:1] if kind == HEADING and chunk.is_simple else chunk.lines
    return tuple(key for key in map(key_of, lines) if key.kind == kind)


@_remembered
def _shape(chunk: Chunk) -> _Shape:
    level, title = chunk.level, heading_text(chunk.lines[0]) if chunk.lines else ""
    is_chapter = level == 2 and not explains_file(title)
    return _Shape(
        is_chapter=is_chapter,
        is_stamped=is_chapter and is_timestamp_like(heading_stamp(title) or ""),
        is_third=level == 3,
        bold_items=len(_BOLD_ITEM.findall(f"\n{chunk.text}")),
        is_dated=_MAY_BE_DATED.search(chunk.text) is not None
        and any(_ITEM.match(line) and is_dated_item(line) for line in chunk.lines),
    )
